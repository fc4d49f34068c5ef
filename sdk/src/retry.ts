import { backoffMs, spreadMs } from './backoff.ts';
import type { ApiError } from './errors.ts';
import type { RetryOptions } from './options.ts';

/** How failed attempts are repeated, with nothing left open. */
export type RetrySettings = ReturnType<typeof retrySettings>;

/** The options of the call before those of the client; `false` leaves one attempt. */
export function retrySettings(
  ofClient: RetryOptions | false | undefined,
  ofCall: RetryOptions | false | undefined,
) {
  const given: RetryOptions = { ...ofClient, ...ofCall };
  return {
    maxAttempts: (ofCall ?? ofClient) === false ? 1 : (given.maxAttempts ?? 3),
    baseDelayMs: given.baseDelayMs ?? 100,
    maxDelayMs: given.maxDelayMs ?? 20_000,
    budget: given.budget ?? true,
  };
}

/** Statuses that pass: a repeatable call is worth another attempt. */
const TRANSIENT = [408, 500, 502, 503, 504];

/**
 * The cost of another attempt; 0: none may be made. What the server did not let in, or never saw, may be sent again by
 * anyone; anything else only where the contract says that a repetition does no harm.
 */
export function retryCost(
  { status, code, problem }: ApiError,
  unsent: boolean | undefined,
  traits: string,
): number {
  if (status === 429) return 5;
  // What a probe was answered is what it had asked.
  const answer = traits.includes('u') && status && !problem;
  const passing = !status || TRANSIENT.includes(status) || code === 'IDEMPOTENCY_KEY_IN_USE';
  return unsent || (/[snk]/.test(traits) && passing && !answer) ? 14 : 0;
}

/** How long to wait before retry number `retry` (0 is the first), in milliseconds. */
export function retryDelayMs(
  { status, retryAfterMs }: ApiError,
  retry: number,
  { baseDelayMs, maxDelayMs }: RetrySettings,
  random: () => number,
): number {
  // After a 429 the first backoff is up to a second: what has been refused a moment ago will be again.
  const base = status === 429 ? 10 * baseDelayMs : baseDelayMs;
  const backoff = backoffMs(retry, base, maxDelayMs, random);
  return retryAfterMs === undefined ? backoff : spreadMs(Math.max(retryAfterMs, backoff), random);
}
