import { timeLimit } from './time-limit.ts';

/** Time and chance as the client sees them: the one seam through which tests replace both. */
export interface Clock {
  /** Milliseconds that never run backwards, so that no wait is cut short when the system's time is set. */
  now(): number;
  /** Milliseconds since 1970, for comparison with dates that a server names. */
  wallNow(): number;
  /** Uniform in [0, 1). */
  random(): number;
  /** Resolves after `ms` and never before, but for 24 days at most; at once when the signal is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => performance.now(),
  wallNow: () => Date.now(),
  random: () => Math.random(),
  async sleep(ms, signal) {
    let end = () => {};
    await new Promise((resolve) => {
      // Timers may fire up to a millisecond early.
      end = timeLimit(ms + 1, signal, resolve);
    });
    end();
  },
};
