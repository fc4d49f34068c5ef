import type { FixedLimit } from './operation.ts';
import type { RateLimit } from './rate-limit.ts';

/** What is known of one rate limit. Times are on the client's clock, in milliseconds. */
export interface LimitWindow {
  /** Requests per window; infinite: not known. */
  quota: number;
  windowMs: number;
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

const UNKNOWN = Number.POSITIVE_INFINITY;

export function newWindow(limit: FixedLimit | undefined): LimitWindow {
  const quota = limit?.quota ?? UNKNOWN;
  return {
    quota,
    windowMs: (limit?.windowSeconds ?? 0) * 1000,
    remaining: quota,
    resetAt: UNKNOWN,
    told: false,
    inFlight: 0,
    queued: 0,
  };
}

/** Starts the window afresh once it is over. */
export function roll(window: LimitWindow, now: number): LimitWindow {
  if (now >= window.resetAt) {
    window.remaining = window.quota;
    window.resetAt = UNKNOWN;
    window.told = false;
  }
  return window;
}

/** Counts a request that is about to be sent. */
export function reserve(window: LimitWindow, now: number): void {
  window.inFlight += 1;
  if (window.windowMs > 0) window.resetAt = Math.min(window.resetAt, now + window.windowMs);
}

/**
 * When one more request may be sent. 0: now. Undefined: those in flight will tell. Windows that the queue fills before
 * it are counted in.
 */
export function freeAt(window: LimitWindow): number | undefined {
  if (window.remaining - window.inFlight >= 1) return 0;
  if (window.remaining >= 1) return undefined;
  return window.resetAt + Math.floor(window.queued / window.quota) * window.windowMs;
}

/**
 * Takes in what a response told. Answers overtake each other, so within a window the lowest count and the earliest end
 * hold; the server may have written its header at any time between `sentAt` and `now`, in seconds rounded up.
 */
export function learn(window: LimitWindow, told: RateLimit, sentAt: number, now: number): void {
  const latestEnd = now + told.resetSeconds * 1000;
  const earliestEnd = sentAt + (told.resetSeconds - 1) * 1000;
  const same = window.told && earliestEnd <= window.resetAt;
  window.remaining = same ? Math.min(window.remaining, told.remaining) : told.remaining;
  window.resetAt = same ? Math.min(window.resetAt, latestEnd) : latestEnd;
  window.told = true;
  window.quota = told.quota ?? window.quota;
  window.windowMs = told.windowSeconds === undefined ? window.windowMs : told.windowSeconds * 1000;
}
