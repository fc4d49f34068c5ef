import { backoffMs, spreadMs } from './backoff.ts';
import type { ApiError } from './errors.ts';
import type { Traits } from './operation.ts';
import type { RetryOptions } from './options.ts';

/** Retry options with all defaults filled in. */
export type RetrySettings = ReturnType<typeof retrySettings>;

/** Options of the call take precedence over those of the client; `false` means one attempt. */
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

/** Temporary statuses, after which a repeatable call is retried. */
const TRANSIENT = /408|50[0234]/;

/**
 * The budget cost of another attempt; 0 when none is allowed. Requests that the server refused to process or never
 * received may always be sent again; others only if the contract declares a repetition harmless.
 */
export function retryCost(
  { status, code, problem }: ApiError,
  unsent: boolean | undefined,
  traits: Traits,
): number {
  if (status === 429) return 5;
  // The status of a probe is its result, not a failure.
  const answer = traits.probe && status && !problem;
  // No response is like a timeout. A redirect that the browser hides has the status 0.
  const passing = TRANSIENT.test(`${status ?? 408}`) || code === 'IDEMPOTENCY_KEY_IN_USE';
  return unsent || ((traits.safe || traits.natural || traits.accepted) && passing && !answer)
    ? 14
    : 0;
}

/** The wait before retry number `retry` (0 is the first), in milliseconds. */
export function retryDelayMs(
  { status, retryAfterMs }: ApiError,
  retry: number,
  { baseDelayMs, maxDelayMs }: RetrySettings,
  random: () => number,
): number {
  // After a 429 the first backoff is up to one second, because an earlier retry would be refused again.
  const base = status === 429 ? 10 * baseDelayMs : baseDelayMs;
  const backoff = backoffMs(retry, base, maxDelayMs, random);
  return retryAfterMs === undefined ? backoff : spreadMs(Math.max(retryAfterMs, backoff), random);
}
