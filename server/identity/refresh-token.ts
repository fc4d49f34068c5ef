import { createHash, randomBytes } from 'node:crypto';

/** A session dies when it was not renewed for so long. */
export const REFRESH_IDLE_SECONDS = 7 * 24 * 3600;
/** A session dies so long after it was opened, however often it was renewed. */
export const SESSION_LIFE_SECONDS = 30 * 24 * 3600;
/** So long the token just spent may come again, from a page that refreshed twice at once, without being taken for theft. */
export const REFRESH_GRACE_SECONDS = 10;

const TOKEN_BYTES = 32;

/** A new opaque token of 256 bits. Only its hash is kept: a stolen database opens no session. */
export function newRefreshToken(): { token: string; hash: Buffer } {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  return { token, hash: hashRefreshToken(token) };
}

export function hashRefreshToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
