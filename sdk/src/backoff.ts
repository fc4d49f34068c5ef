/**
 * Full jitter: uniform between zero and an exponentially growing bound, in milliseconds. It spreads many clients best.
 */
export function backoffMs(
  retry: number,
  baseDelayMs: number,
  maxDelayMs: number,
  random: () => number,
): number {
  return random() * Math.min(maxDelayMs, baseDelayMs * 2 ** retry);
}

/** Waits at least `ms` and up to a fifth longer, so that clients with the same instruction do not return together. */
export function spreadMs(ms: number, random: () => number): number {
  return ms * (1 + 0.2 * random());
}
