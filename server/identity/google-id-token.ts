import { createRemoteJWKSet, errors, type JWTVerifyGetKey, jwtVerify } from 'jose';
import { z } from 'zod';
import type { Clock } from '../clock.ts';
import { ProblemError } from '../pipeline/problems.ts';
import { GOOGLE_ISSUER, type GoogleConfig } from './google-config.ts';

/** What Google says of a person: who they are to Google, and an address that it has verified. */
export interface GoogleIdentity {
  /** Never given to anybody else; an address may be. */
  readonly subject: string;
  /** Lower case. */
  readonly email: string;
  readonly name: string | null;
}

/** Google writes its own name in both forms; others may end theirs with a slash, which our configuration has not. */
const GOOGLE_ISSUERS = [GOOGLE_ISSUER, 'accounts.google.com'];

/** Discovery and keys are each fetched within this: together at most 5 s. */
const FETCH_TIMEOUT_MS = 2_500;
/** A key id that is not known makes us fetch the keys again, but no sooner than so long after the last time. */
const REFETCH_COOLDOWN_MS = 30_000;
const CLOCK_TOLERANCE_SECONDS = 5;
const MAX_TOKEN_AGE_SECONDS = 3600;

const payloadSchema = z.object({
  sub: z.string().min(1).max(255),
  email: z.email().max(254),
  email_verified: z.literal(true),
  name: z.string().optional(),
});

/** Checks ID tokens of one issuer (OpenID Connect Core §3.1.3.7): its keys, RS256, and every claim that matters. */
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
   * @returns null for a token that is not this issuer's for us, was altered, has expired, or names an address that is not
   * verified.
   * @throws {ProblemError} SERVICE_UNAVAILABLE when the issuer's keys cannot be had.
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
        clockTolerance: CLOCK_TOLERANCE_SECONDS,
        currentDate: this.#clock.now(),
      });
      // A token for several parties says in azp which of them asked for it (OpenID Connect Core §3.1.3.7).
      if ((payload['azp'] ?? clientId) !== clientId) return null;
      const { sub, email, name } = payloadSchema.parse(payload);
      return { subject: sub, email: email.toLowerCase(), name: presentable(name) };
    } catch (error) {
      if (error instanceof ProblemError) throw error;
      return null;
    }
  }

  /** A key that the issuer does not have is the token's fault; everything else that goes wrong here is not. */
  async #keyFor(...[header, jws]: Parameters<JWTVerifyGetKey>) {
    try {
      this.#keys ??= this.#discover();
      const keyFor = await this.#keys;
      return await keyFor(header, jws);
    } catch (error) {
      if (isFaultOfToken(error)) throw error;
      throw new ProblemError('SERVICE_UNAVAILABLE', 'The keys of Google cannot be had.', {
        cause: error,
      });
    }
  }

  /** Finds where the issuer keeps its keys (OpenID Connect Discovery §4), once; a failure is not remembered. */
  async #discover(): Promise<JWTVerifyGetKey> {
    try {
      const response = await fetch(`${this.#config.issuer}/.well-known/openid-configuration`, {
        redirect: 'error',
        signal: AbortSignal.timeout(FETCH_TIMEOUT_MS),
      });
      if (!response.ok) throw new Error(`The issuer answered ${response.status}`);
      const found = discoverySchema.parse(await response.json());
      if (found.issuer.replace(/\/$/, '') !== this.#config.issuer)
        throw new Error('The issuer names another one');
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

const MAX_NAME_LENGTH = 100;

/** A name as we may keep it: bounded, and of characters that Postgres takes. */
function presentable(name: string | undefined): string | null {
  const cut = (name ?? '').trim().slice(0, MAX_NAME_LENGTH);
  return cut !== '' && /^[^\p{Cc}\p{Cs}]*$/u.test(cut) ? cut : null;
}
