import { createHash, timingSafeEqual } from 'node:crypto';

/** Whether two secrets are the same, in a time that tells nothing of how far they are. */
export function secretsMatch(one: string, other: string): boolean {
  return timingSafeEqual(digestOf(one), digestOf(other));
}

/** Of equal length for every secret, as the comparison wants them. */
export function digestOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
