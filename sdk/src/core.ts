import type { Budget } from './budget.ts';
import type { Clock } from './clock.ts';
import type { ApiError, Attempt } from './errors.ts';
import type { Operation } from './operation.ts';
import type { Hooks } from './options.ts';
import type { Payload } from './payload.ts';
import type { RateLimit } from './rate-limit.ts';
import type { RetrySettings } from './retry.ts';

/** What every call of one client runs on. What is not needed to get a request through comes in by interfaces. */
export interface Core {
  readonly fetch: typeof globalThis.fetch;
  readonly clock: Clock;
  readonly hooks: Hooks;
  readonly credential: Credential;
  readonly pacing: Pacing | undefined;
  /** The retry budget of the present credential. */
  budget(): Budget;
  /** What a response tells of the rate limits. */
  limitsOf(response: Response): readonly RateLimit[];
}

/** A logical call: all that stays the same over its attempts. Times are on the client's clock, in milliseconds. */
export interface Prepared {
  /** The method of the client, such as `scans.launch`. */
  readonly name: string;
  readonly operation: Operation;
  readonly url: string;
  readonly payload: Payload | undefined;
  readonly signal: AbortSignal | undefined;
  readonly startedAt: number;
  readonly deadline: number;
  /** No retry from here on: the call is over, or the server has forgotten its Idempotency-Key. */
  readonly lastRetryAt: number;
  readonly attemptTimeoutMs: number;
  readonly retry: RetrySettings;
  /** The headers of an attempt, but for the credential. */
  headers(): Headers;
}

/** Who the client speaks for. */
export interface Credential {
  /** Names the credential without giving it away: retries are budgeted by it. */
  readonly principal: string;
  /** Puts the credential on a request. Answers the token where it is one that can be renewed. */
  sign(headers: Headers): string | undefined;
  /**
   * Gets a successor of a token that was refused; resolves when it may be used, with false where there will be none.
   * @throws {ApiError} when the call that waits is over, or the renewal failed for another reason than a refusal.
   */
  renew(refused: string, call: Prepared, attempts: readonly Attempt[]): Promise<boolean>;
}

/** Keeps requests back while a rate limit is known to be spent. */
export interface Pacing {
  /**
   * Waits until the call may be sent, and resolves early when it is aborted. `hold: false` counts it without keeping
   * it back. What it resolves with must be told once what came of the attempt, if it was made at all.
   * @throws {RateLimitError} at once when it could not be sent before its deadline.
   */
  enter(
    call: Prepared,
    hold: boolean,
    attempts: readonly Attempt[],
  ): Promise<(outcome: Outcome | undefined) => void>;
  /** How far apart requests may follow each other to just use up the general limit, in milliseconds; 0: not known. */
  paceMs(): number;
}

/** What came of one attempt. */
export type Outcome = Success | Failure;

export interface Success {
  readonly response: Response;
  readonly data: unknown;
  readonly error?: undefined;
  readonly fault?: undefined;
}

export interface Failure {
  /** What the call ends with unless it is tried again. */
  readonly error: ApiError;
  readonly response?: Response;
  /** Why there is no response. */
  readonly fault?: Error;
  /** The fault is proven to precede sending: the server cannot have seen anything of the attempt. */
  readonly unsent?: boolean;
}
