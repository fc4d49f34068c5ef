import { backoffMs, spreadMs } from './backoff.ts';
import type { RETRY_COST } from './budget.ts';
import { type ApiError, ConnectionError, TimeoutError } from './errors.ts';
import type { RetryOptions } from './options.ts';

/** Statuses that pass: a repeatable call is worth another attempt. */
const TRANSIENT = [408, 500, 502, 503, 504];

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

/**
 * Whether another attempt may be made, and of which sort it is. What the server did not let in, or never saw, may be
 * sent again by anyone; anything else only where the contract says that a repetition does no harm.
 */
export function retryKind(
  failure: ApiError,
  unsent: boolean,
  repeatable: boolean,
): keyof typeof RETRY_COST | undefined {
  if (failure.status === 429) return 'throttled';
  if (unsent || failure.code === 'IDEMPOTENCY_KEY_IN_USE') return 'transient';
  const passing =
    failure instanceof ConnectionError ||
    failure instanceof TimeoutError ||
    TRANSIENT.includes(failure.status ?? 0);
  return repeatable && passing ? 'transient' : undefined;
}

/** How long to wait before retry number `retry` (0 is the first), in milliseconds. */
export function retryDelayMs(
  failure: ApiError,
  retry: number,
  settings: RetrySettings,
  random: () => number,
): number {
  // After a 429 the first backoff is up to a second: what has been refused a moment ago will be again.
  const base = settings.baseDelayMs * (failure.status === 429 ? 10 : 1);
  const backoff = backoffMs(retry, base, settings.maxDelayMs, random);
  const told = failure.retryAfterMs;
  return told === undefined ? backoff : spreadMs(Math.max(told, backoff), random);
}
