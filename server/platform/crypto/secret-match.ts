import { createHash, timingSafeEqual } from 'node:crypto';

/** Compares two secrets in constant time. */
export function secretsMatch(one: string, other: string): boolean {
  return timingSafeEqual(digestOf(one), digestOf(other));
}

/** Hashes the secrets, because timingSafeEqual requires equal lengths. */
export function digestOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
