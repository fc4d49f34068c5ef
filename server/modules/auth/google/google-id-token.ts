import { createRemoteJWKSet, errors, type JWTVerifyGetKey, jwtVerify } from 'jose';
import { z } from 'zod';
import { CLOCK_SKEW_SECONDS, type Clock } from '../../../platform/clock.ts';
import { displayNameFrom } from '../../../platform/display-name.ts';
import { ProblemError } from '../../../platform/problem.ts';
import { GOOGLE_ISSUER, type GoogleConfig } from './google-config.ts';

/** Identity asserted by a Google ID token. Google has verified the address. */
export interface GoogleIdentity {
  /** Google account id. It is never reassigned; an e-mail address may be. */
  readonly subject: string;
  /** In lower case. */
  readonly email: string;
  readonly name: string | null;
  /** Nonce that the sign-in started with; null when there was none. */
  readonly nonce: string | null;
}

/** Google uses both forms of its name. Other issuers may end theirs with a slash; our configuration never does. */
const GOOGLE_ISSUERS = [GOOGLE_ISSUER, 'accounts.google.com'];

/** Time limit of each fetch. Discovery and keys together take at most 5 s. */
const FETCH_TIMEOUT_MS = 2_500;
/** Minimum time between two key fetches caused by unknown key ids. */
const REFETCH_COOLDOWN_MS = 30_000;
const MAX_TOKEN_AGE_SECONDS = 3600;

const payloadSchema = z.object({
  // At most 255 ASCII characters (OpenID Connect Core §2).
  sub: z.string().regex(/^[\x20-\x7e]{1,255}$/),
  email: z.email().max(254),
  email_verified: z.literal(true),
  name: z.string().optional(),
  nonce: z.string().optional(),
});

/** Verifies the ID tokens of one issuer (OpenID Connect Core §3.1.3.7): RS256 signature and claims. */
export class GoogleIdTokens {
  readonly #config: GoogleConfig;
  readonly #clock: Clock;
  readonly #refetchCooldownMs: number;
  #keys: Promise<JWTVerifyGetKey> | null = null;

  constructor(config: GoogleConfig, clock: Clock, refetchCooldownMs = REFETCH_COOLDOWN_MS) {
    this.#config = config;
    this.#clock = clock;
    this.#refetchCooldownMs = refetchCooldownMs;
  }

  /**
   * @returns null when the token is not from this issuer for this client, was altered, has expired, or its address is
   * not verified.
   * @throws {ProblemError} SERVICE_UNAVAILABLE when the issuer's keys cannot be fetched.
   */
  async verify(token: string): Promise<GoogleIdentity | null> {
    const { issuer, clientId } = this.#config;
    try {
      const { payload } = await jwtVerify(token, (header, jws) => this.#keyFor(header, jws), {
        algorithms: ['RS256'],
        issuer: issuer === GOOGLE_ISSUER ? GOOGLE_ISSUERS : [issuer, `${issuer}/`],
        audience: clientId,
        requiredClaims: ['sub', 'iat', 'exp', 'email', 'email_verified'],
        maxTokenAge: MAX_TOKEN_AGE_SECONDS,
        clockTolerance: CLOCK_SKEW_SECONDS,
        currentDate: this.#clock.now(),
      });
      // With several audiences, azp must name the client that requested the token (OpenID Connect Core §3.1.3.7).
      const hasOneAudience = !Array.isArray(payload.aud) || payload.aud.length === 1;
      if ((payload['azp'] ?? (hasOneAudience ? clientId : null)) !== clientId) return null;
      const { sub, email, name, nonce = null } = payloadSchema.parse(payload);
      return { subject: sub, email: email.toLowerCase(), name: displayNameFrom(name), nonce };
    } catch (error) {
      if (error instanceof ProblemError) throw error;
      return null;
    }
  }

  /** Only an unknown key id makes the token invalid. Any other failure here is an outage of the issuer. */
  async #keyFor(...[header, jws]: Parameters<JWTVerifyGetKey>) {
    try {
      this.#keys ??= this.#discover();
      const keyFor = await this.#keys;
      return await keyFor(header, jws);
    } catch (error) {
      if (isFaultOfToken(error)) throw error;
      throw new ProblemError(
        'SERVICE_UNAVAILABLE',
        'The public keys of Google cannot be fetched.',
        {
          cause: error,
        },
      );
    }
  }

  /** Finds the issuer's key set (OpenID Connect Discovery §4) once. A failure is not cached. */
  async #discover(): Promise<JWTVerifyGetKey> {
    try {
      const response = await fetch(`${this.#config.issuer}/.well-known/openid-configuration`, {
        redirect: 'error',
        signal: AbortSignal.timeout(FETCH_TIMEOUT_MS),
      });
      if (!response.ok) throw new Error(`The issuer responded with status ${response.status}`);
      const found = discoverySchema.parse(await response.json());
      if (found.issuer.replace(/\/$/, '') !== this.#config.issuer)
        throw new Error('The discovery document names another issuer');
      return createRemoteJWKSet(new URL(found.jwks_uri), {
        timeoutDuration: FETCH_TIMEOUT_MS,
        cooldownDuration: this.#refetchCooldownMs,
      });
    } catch (error) {
      this.#keys = null;
      throw error;
    }
  }
}

const discoverySchema = z.object({
  issuer: z.string(),
  jwks_uri: z.url({ protocol: /^https?$/ }),
});

function isFaultOfToken(error: unknown): boolean {
  return (
    error instanceof errors.JWKSNoMatchingKey ||
    error instanceof errors.JWKSMultipleMatchingKeys ||
    error instanceof errors.JOSENotSupported
  );
}
