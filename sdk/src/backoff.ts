/**
 * Full jitter: uniform between nothing and an exponentially growing bound, in milliseconds. Of the schemes in use it
 * spreads a crowd of clients best.
 */
export function backoffMs(
  retry: number,
  baseDelayMs: number,
  maxDelayMs: number,
  random: () => number,
): number {
  return random() * Math.min(maxDelayMs, baseDelayMs * 2 ** retry);
}

/** Never earlier than told, and up to a fifth later, so that all who were told the same do not come back as one. */
export function spreadMs(ms: number, random: () => number): number {
  return ms * (1 + 0.2 * random());
}
