import type { Budget } from './budget.ts';
import type { Clock } from './clock.ts';
import type { ApiError } from './errors.ts';
import type { Operation } from './operation.ts';
import type { CommonOptions, RetryOptions } from './options.ts';
import type { Payload } from './payload.ts';
import type { RateLimit } from './rate-limit.ts';

/** What every call of one client runs on. What is not needed to get a request through comes in by interfaces. */
export interface Core extends Omit<CommonOptions, 'baseUrl' | 'pacing'> {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly clock: Clock;
  readonly credential: Credential;
  readonly pacing: Pacing | undefined;
  /** What a response tells of the rate limits. */
  limitsOf(headers: Headers): readonly RateLimit[];
}

/** A logical call: all that stays the same over its attempts. Times are on the client's clock, in milliseconds. */
export interface Prepared {
  readonly operation: Operation;
  readonly url: string;
  readonly payload: Payload | undefined;
  readonly signal: AbortSignal | undefined;
  readonly startedAt: number;
  /** When the call is over, at the latest when the server forgets its Idempotency-Key. */
  readonly deadline: number;
  readonly attemptTimeoutMs: number;
  readonly retry: RetryOptions | false | undefined;
  /** The headers in lower case; each attempt writes its number and its credential among them. */
  readonly headers: Record<string, string>;
}

/** Who the client speaks for. */
export interface Credential {
  /** For its retries. */
  readonly budget: Budget;
  /** Puts the credential on a request. Answers the token where it is one that can be renewed. */
  sign(headers: Record<string, string>): string | undefined;
  /**
   * Gets a successor of a token that was refused for want of validity or of a second factor; resolves when it may be
   * used, with false where there will be none.
   * @throws {ApiError} when the call that waits is over, or the renewal failed for another reason than a refusal.
   */
  renew?(refused: string, call: Prepared, error: ApiError): Promise<boolean>;
}

/**
 * Keeps requests back while a rate limit is known to be spent: waits until the call may be sent, and resolves early when
 * it is aborted. `hold: false` counts it without keeping it back. What it answers with must be told once what came of the
 * attempt, if it was made at all.
 * @throws {RateLimitError} at once when it could not be sent before its deadline.
 */
export type Pacing = (call: Prepared, hold: boolean) => Leave | Promise<Leave>;

export type Leave = (outcome: Outcome | undefined) => void;

/** What came of one attempt. */
export type Outcome = Success | Failure;

export type Failure = Refusal | Fault;

export interface Success {
  readonly response: Response;
  /** Of a stream: its pieces. */
  readonly data: unknown;
  readonly error?: undefined;
  readonly fault?: undefined;
  readonly unsent?: undefined;
}

export interface Refusal {
  readonly response: Response;
  /** What the call ends with unless it is tried again. */
  readonly error: ApiError;
  readonly fault?: undefined;
  readonly unsent?: undefined;
}

export interface Fault {
  readonly response?: undefined;
  readonly error: ApiError;
  /** Why there is no response. */
  readonly fault: Error;
  /** The fault is proven to precede sending: the server cannot have seen anything of the attempt. */
  readonly unsent?: boolean;
}
