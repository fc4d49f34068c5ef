import type { FixedLimit } from './operation.ts';
import type { RateLimit } from './rate-limit.ts';

/** What is known of one rate limit. Times are on the client's clock, in milliseconds. */
export interface LimitWindow {
  /** `default` for the general limit. */
  readonly name: string;
  /** Requests per window; infinite: not known. */
  quota: number;
  windowSeconds: number;
  /** Requests left, before those in flight are taken off. */
  remaining: number;
  /** When the window ends, and no earlier; infinite: none has begun. */
  resetAt: number;
  /** Whether a response told of this window. Until then it is what the contract makes of it. */
  told: boolean;
  /** Requests sent that have not told yet what they left. */
  inFlight: number;
  /** Requests that wait for the window to end. */
  queued: number;
}

export function newWindow([name, quota, windowSeconds]: FixedLimit): LimitWindow {
  const count = { remaining: quota, resetAt: Infinity, told: false, inFlight: 0, queued: 0 };
  return { name, quota, windowSeconds, ...count };
}

/** Starts the window afresh once it is over. */
export function roll(window: LimitWindow, now: number): LimitWindow {
  if (now >= window.resetAt) {
    window.remaining = window.quota;
    window.resetAt = Infinity;
    window.told = false;
  }
  return window;
}

/** Counts a request that is about to be sent. */
export function reserve(window: LimitWindow, now: number): void {
  window.inFlight += 1;
  const resetAt = now + window.windowSeconds * 1000;
  if (resetAt > now) window.resetAt = Math.min(window.resetAt, resetAt);
}

/**
 * When one more request may be sent. 0: now. Undefined: those in flight will tell. Windows that the queue fills before
 * it are counted in.
 */
export function freeAt(window: LimitWindow): number | undefined {
  if (window.remaining > window.inFlight) return 0;
  if (window.remaining >= 1) return undefined;
  const windowsAhead = Math.floor(window.queued / window.quota);
  return window.resetAt + windowsAhead * window.windowSeconds * 1000;
}

/**
 * Takes in what a response told. Answers overtake each other, so within a window the lowest count and the earliest end
 * hold; the server may have written its header at any time between `sentAt` and `now`, in seconds rounded up.
 */
export function learn(window: LimitWindow, told: RateLimit, sentAt: number, now: number): void {
  const resetMs = told.resetSeconds * 1000;
  if (!window.told || sentAt + resetMs - 1000 > window.resetAt) {
    window.told = true;
    window.remaining = window.resetAt = Infinity;
  }
  window.remaining = Math.min(window.remaining, told.remaining);
  window.resetAt = Math.min(window.resetAt, now + resetMs);
  window.quota = told.quota ?? window.quota;
  window.windowSeconds = told.windowSeconds ?? window.windowSeconds;
}
