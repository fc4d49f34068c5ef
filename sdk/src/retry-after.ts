import type { RateLimit } from './rate-limit.ts';

/**
 * How long the server asks to wait, in milliseconds: `Retry-After` if present, else until the end of the longest
 * exhausted window. Undefined when the response has neither.
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
 * Reads `Retry-After` (RFC 9110 §10.2.3): seconds, or a date in one of the three forms of §5.6.7. Dates are compared
 * with the `Date` of the same response, so that wrong clocks do no harm.
 */
export function retryAfterMs(headers: Headers, wallNow: number): number | undefined {
  const value = headers.get('retry-after') ?? '';
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const until = parseHttpDate(value);
  const sentAt = parseHttpDate(headers.get('date') ?? '') || wallNow;
  return until ? Math.max(0, until - sentAt) : undefined;
}

/** Milliseconds since 1970; 0 or NaN when it is not a date. */
function parseHttpDate(value: string): number {
  // The asctime form has no time zone and means UTC; `Date.parse` would assume local time.
  return /^[A-Z]/.test(value) ? Date.parse(value.replace(/( GMT)?$/, ' GMT')) : 0;
}
