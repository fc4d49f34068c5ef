import { createHash, randomBytes } from 'node:crypto';

/** A session expires when it is not refreshed for this long. */
export const REFRESH_IDLE_SECONDS = 7 * 24 * 3600;
/** A session expires this long after sign-in, even if it is refreshed. */
export const SESSION_LIFE_SECONDS = 30 * 24 * 3600;
/**
 * For this long, the token spent last may come again without counting as theft, because a page may refresh twice at
 * once.
 */
export const REFRESH_GRACE_SECONDS = 10;

const TOKEN_BYTES = 32;

/** A new opaque token with 256 random bits. Only its hash is stored, so a leaked database gives no access. */
export function newRefreshToken(): { token: string; hash: Buffer } {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  return { token, hash: hashRefreshToken(token) };
}

export function hashRefreshToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
