import { jwtVerify, SignJWT } from 'jose';
import { z } from 'zod';
import { CLOCK_SKEW_SECONDS, type Clock } from '../../../platform/clock.ts';
import type { KeyRing } from '../../../platform/crypto/app-secrets.ts';

export const ACCESS_TOKEN_TTL_SECONDS = 15 * 60;

const ISSUER = 'cspm';
const AUDIENCE = 'cspm-api';
const TYPE = 'at+jwt';
const EXPIRY_TOLERANCE_SECONDS = 5;

/**
 * Claims of an access token: session, user and tenant. Permissions are looked up per request and never stored in the
 * token.
 */
export interface AccessClaims {
  readonly userId: string;
  readonly tenantId: string;
  readonly sessionId: string;
  /** How the person signed in (RFC 8176): `pwd`, `otp`. */
  readonly amr: readonly string[];
  readonly expiresAt: Date;
}

const payloadSchema = z.object({
  sub: z.uuid(),
  tenant_id: z.uuid(),
  sid: z.uuid(),
  amr: z.array(z.string()),
  exp: z.number(),
});

/** Signs and verifies access tokens: JWT (RFC 7519) with HS256 and fixed claims. */
export class AccessTokens {
  readonly #keys: KeyRing;
  readonly #clock: Clock;

  constructor(keys: KeyRing, clock: Clock) {
    this.#keys = keys;
    this.#clock = clock;
  }

  async sign(claims: Omit<AccessClaims, 'expiresAt'>): Promise<string> {
    const issuedAt = Math.floor(this.#clock.now().getTime() / 1000);
    return new SignJWT({ tenant_id: claims.tenantId, sid: claims.sessionId, amr: [...claims.amr] })
      .setProtectedHeader({ alg: 'HS256', typ: TYPE, kid: this.#keys.current.id })
      .setSubject(claims.userId)
      .setIssuer(ISSUER)
      .setAudience(AUDIENCE)
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + ACCESS_TOKEN_TTL_SECONDS)
      .setJti(crypto.randomUUID())
      .sign(this.#keys.current.bytes);
  }

  /** @returns null for a token that is not ours, was altered, or has expired at the time. */
  async verify(token: string, at: Date = this.#clock.now()): Promise<AccessClaims | null> {
    const payload = await this.#payloadOf(token, at).catch(() => null);
    if (payload === null || hasExpired(payload.exp, at)) return null;
    return {
      userId: payload.sub,
      tenantId: payload.tenant_id,
      sessionId: payload.sid,
      amr: payload.amr,
      expiresAt: new Date(payload.exp * 1000),
    };
  }

  async #payloadOf(token: string, at: Date) {
    const { payload } = await jwtVerify(token, ({ kid }) => this.#keyNamed(kid), {
      algorithms: ['HS256'],
      issuer: ISSUER,
      audience: AUDIENCE,
      typ: TYPE,
      requiredClaims: ['sub', 'tenant_id', 'sid', 'amr', 'iat', 'exp', 'jti'],
      maxTokenAge: ACCESS_TOKEN_TTL_SECONDS,
      clockTolerance: CLOCK_SKEW_SECONDS,
      currentDate: at,
    });
    return payloadSchema.parse(payload);
  }

  /** Accepts only the configured key ids. */
  #keyNamed(kid: string | undefined): Uint8Array {
    const key = kid === undefined ? undefined : this.#keys.find(kid);
    if (key === undefined) throw new Error('The token names an unknown key');
    return key.bytes;
  }
}

/** The tolerance for a clock that is ahead does not extend the life of a token. */
function hasExpired(exp: number, at: Date): boolean {
  return exp + EXPIRY_TOLERANCE_SECONDS <= Math.floor(at.getTime() / 1000);
}
