import { onAbort } from './on-abort.ts';

/** Longest delay that timers take, in milliseconds; a longer one would fire at once. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

/** Time and chance as the client sees them: the one seam through which tests replace both. */
export interface Clock {
  /** Milliseconds that never run backwards, so that no wait is cut short when the system's time is set. */
  now(): number;
  /** Milliseconds since 1970, for comparison with dates that a server names. */
  wallNow(): number;
  /** Uniform in [0, 1). */
  random(): number;
  /** Resolves after `ms` and never before; at once when the signal is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => performance.now(),
  wallNow: () => Date.now(),
  random: () => Math.random(),
  async sleep(ms, signal) {
    const until = performance.now() + ms;
    // Timers may fire up to a millisecond early, and cannot hold more than 24 days.
    for (let left = ms; left > 0 && !signal?.aborted; left = until - performance.now()) {
      await timer(left, signal);
    }
  },
};

function timer(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(handle);
      forget();
      resolve();
    };
    const handle = setTimeout(done, Math.min(ms, MAX_TIMER_MS));
    const forget = onAbort(signal, done);
  });
}
