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
  const told = retryAfterMs(headers, wallNow);
  if (told !== undefined) return told;
  const spent = limits.filter((limit) => limit.remaining <= 0).map((limit) => limit.resetSeconds);
  return spent.length > 0 ? Math.max(...spent) * 1000 : undefined;
}

/**
 * Reads `Retry-After` (RFC 9110 §10.2.3): seconds, or a date in any of the three forms of §5.6.7. A date is compared
 * with the `Date` of the same response, so that a wrong clock on either side does no harm.
 */
export function retryAfterMs(headers: Headers, wallNow: number): number | undefined {
  const value = headers.get('retry-after') ?? '';
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const until = parseHttpDate(value);
  if (Number.isNaN(until)) return undefined;
  const sentAt = parseHttpDate(headers.get('date') ?? '');
  return Math.max(0, until - (Number.isNaN(sentAt) ? wallNow : sentAt));
}

function parseHttpDate(value: string): number {
  // The asctime form names no zone and means UTC; engines would take it for local time.
  return /^[A-Z][a-z]{2,8},? /.test(value)
    ? Date.parse(value.replace(/( GMT)?$/, ' GMT'))
    : Number.NaN;
}
