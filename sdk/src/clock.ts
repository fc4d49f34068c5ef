import { timeLimit } from './time-limit.ts';

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

export const systemClock: Clock = {
  now: () => performance.now(),
  wallNow: () => Date.now(),
  random: Math.random,
  async sleep(ms, signal) {
    let end = () => {};
    await new Promise((resolve) => {
      // Timers may fire up to a millisecond early.
      end = timeLimit(ms + 1, signal, resolve);
    });
    end();
  },
};
