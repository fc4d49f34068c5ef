import type { Budget } from './budget.ts';
import type { Clock } from './clock.ts';
import type { ApiError } from './errors.ts';
import type { Operation } from './operation.ts';
import type { CommonOptions, RetryOptions } from './options.ts';
import type { Payload } from './payload.ts';
import type { RateLimit } from './rate-limit.ts';

/** The shared state of all calls of a client. Optional features are connected through interfaces. */
export interface Core extends Omit<CommonOptions, 'baseUrl' | 'pacing' | 'onStepUp'> {
  /** With a trailing slash: a path without one before it would continue the name of the host. */
  readonly baseUrl: string;
  readonly clock: Clock;
  readonly credential: Credential;
  readonly pacing: Pacing | undefined;
  /** Reads the rate limits from response headers. */
  limitsOf(headers: Headers): readonly RateLimit[];
}

/** A call, with everything that stays the same over its attempts. Times are on the client's clock, in milliseconds. */
export interface Prepared {
  readonly operation: Operation;
  readonly url: string;
  readonly payload: Payload | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly begunAt: number;
  /** When the call must end. Never later than the server forgets its Idempotency-Key. */
  readonly deadline: number;
  readonly attemptTimeoutMs: number;
  readonly retry?: RetryOptions | false | undefined;
  /** Headers with names in lower case. Each attempt adds its number and credential. */
  readonly headers: Record<string, string>;
}

/** The identity that a client uses. */
export interface Credential {
  /** Budget for retries. */
  readonly budget: Budget;
  /** Adds the credential to a request. @returns the token, if it can be refreshed. */
  sign(headers: Record<string, string>): string | undefined;
  /**
   * Waits until the credential can be put on a request of a call.
   * @throws {ApiError} when there will be none, or the call is over.
   */
  readonly loaded?: ((call: Prepared) => Promise<void> | undefined) | undefined;
  /**
   * Replaces a token that was refused because it is invalid or lacks a second factor. Resolves when the new token may
   * be used, or with false when there is none.
   * @throws {ApiError} when the waiting call has ended, or the renewal failed for another reason than a refusal.
   */
  renew?(refused: string, call: Prepared, error: ApiError): Promise<boolean>;
}

/**
 * Delays requests while a rate limit is known to be exhausted: waits until the call may be sent, or until it is
 * aborted. `hold: false` counts the call without delaying it. The returned function must be called once with the
 * outcome, if the attempt was made.
 * @throws {RateLimitError} immediately when it could not be sent before its deadline.
 */
export type Pacing = (call: Prepared, hold: boolean) => Leave | Promise<Leave>;

export type Leave = (outcome: Outcome | undefined) => void;

/** The outcome of one attempt. */
export type Outcome = Success | Failure;

export type Failure = Refusal | Fault;

export interface Success {
  readonly response: Response;
  /** For a stream, its pieces. */
  readonly data: unknown;
  readonly error?: undefined;
  readonly fault?: undefined;
  readonly unsent?: undefined;
}

export interface Refusal {
  readonly response: Response;
  /** The error of the call if it is not retried. */
  readonly error: ApiError;
  readonly fault?: undefined;
  readonly unsent?: undefined;
}

export interface Fault {
  readonly response?: undefined;
  readonly error: ApiError;
  /** Why there is no response. */
  readonly fault: Error;
  /** The fault certainly occurred before sending, so the server has not seen the attempt. */
  readonly unsent?: boolean;
}
