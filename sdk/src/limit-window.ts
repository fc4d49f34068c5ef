import type { FixedLimit } from './operation.ts';
import type { RateLimit } from './rate-limit.ts';

/** The state of one rate limit. Times are on the client's clock, in milliseconds. */
export interface LimitWindow {
  /** `default` for the general limit. */
  readonly name: string;
  /** Requests per window; Infinity when unknown. */
  quota: number;
  windowSeconds: number;
  /** Remaining requests, before those in flight are subtracted. */
  remaining: number;
  /** The earliest time at which the window ends; Infinity when none has started. */
  resetAt: number;
  /** Whether a response has reported this window. Otherwise its values come from the contract. */
  told: boolean;
  /** Sent requests whose responses have not arrived yet. */
  inFlight: number;
  /** Requests waiting for the end of the window. */
  queued: number;
}

export function newWindow([name, quota, windowSeconds]: FixedLimit): LimitWindow {
  const count = { remaining: quota, resetAt: Infinity, told: false, inFlight: 0, queued: 0 };
  return { name, quota, windowSeconds, ...count };
}

/** Starts a new window when the current one has ended. */
export function roll(window: LimitWindow, now: number): LimitWindow {
  if (now >= window.resetAt) {
    Object.assign(window, { remaining: window.quota, resetAt: Infinity, told: false });
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
 * When another request may be sent: 0 means now, undefined means after a response of a request in flight. Takes queued
 * requests into account.
 */
export function freeAt(window: LimitWindow): number | undefined {
  if (window.remaining > window.inFlight) return 0;
  if (window.remaining >= 1) return undefined;
  const windowsAhead = Math.floor(window.queued / window.quota);
  return window.resetAt + windowsAhead * window.windowSeconds * 1000;
}

/**
 * Applies a rate limit from a response. Responses may arrive out of order, so the lowest count and the earliest end of
 * a window apply. The server wrote the header at some time between `sentAt` and `now`, in seconds rounded up.
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
