const SECOND = 1_000;
/** A receiver cannot put an event off for longer. */
const LONGEST_MS = 24 * 3_600_000;

/** RFC 9110 §5.6.7: the date that servers must send, and the two obsolete forms that clients must accept. */
const HTTP_DATE =
  /^(?:[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT|[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT|[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4})$/;

/**
 * Reads a `Retry-After` header (RFC 9110 §10.2.3), which is a number of seconds or a date.
 * @returns the pause that it asks for, at most 24 hours; null for anything else.
 */
export function retryAfterMs(header: string, now: Date): number | null {
  const value = header.trim();
  if (/^\d{1,10}$/.test(value)) return bounded(Number(value) * SECOND);
  if (!HTTP_DATE.test(value)) return null;
  // Only the oldest form has no time zone; it is in UTC too.
  const at = Date.parse(value.endsWith('GMT') ? value : `${value} GMT`);
  return Number.isNaN(at) ? null : bounded(at - now.getTime());
}

function bounded(ms: number): number {
  return Math.min(Math.max(ms, 0), LONGEST_MS);
}
