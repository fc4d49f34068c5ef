/** Time and randomness of the client, which tests replace. */
export interface Clock {
  /** Monotonic milliseconds, so that changes of the system time do not affect waits. */
  now(): number;
  /** Milliseconds since 1970, to compare with dates from the server. */
  wallNow(): number;
  /** Uniform in [0, 1). */
  random(): number;
  /** Resolves after `ms`, at most 24 days, or immediately when the signal is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}
