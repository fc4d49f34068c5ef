import type { RateLimit } from './rate-limit.ts';

/**
 * How long the server wants to be left alone, in milliseconds: `Retry-After` where it is sent, else the end of the
 * longest window that has nothing left. Undefined: it did not say.
 */
export function serverWaitMs(
  headers: Headers,
  limits: readonly RateLimit[],
  wallNow: number,
): number | undefined {
  const spent = limits.flatMap(({ remaining, resetSeconds }) => {
    return remaining > 0 ? [] : resetSeconds * 1000;
  });
  return retryAfterMs(headers, wallNow) ?? (spent.length ? Math.max(...spent) : undefined);
}

/**
 * Reads `Retry-After` (RFC 9110 §10.2.3): seconds, or a date in any of the three forms of §5.6.7. A date is compared
 * with the `Date` of the same response, so that a wrong clock on either side does no harm.
 */
export function retryAfterMs(headers: Headers, wallNow: number): number | undefined {
  const value = headers.get('retry-after') ?? '';
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const until = parseHttpDate(value);
  const sentAt = parseHttpDate(headers.get('date') ?? '') || wallNow;
  return until ? Math.max(0, until - sentAt) : undefined;
}

/** Milliseconds since 1970; 0 or NaN: it is no date. */
function parseHttpDate(value: string): number {
  // The asctime form names no zone and means UTC; engines would take it for local time.
  return /^[A-Z]/.test(value) ? Date.parse(value.replace(/( GMT)?$/, ' GMT')) : 0;
}
