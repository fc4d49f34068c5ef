import type { Clock } from './clock.ts';
import type { Outcome, Pacing, Prepared } from './core.ts';
import { type Attempt, RateLimitError } from './errors.ts';
import { freeAt, type LimitWindow, learn, newWindow, reserve, roll } from './limit-window.ts';
import type { FixedLimit } from './operation.ts';
import { readRateLimits } from './rate-limit.ts';

/** The general limit, which counts besides every tighter one. Its quota is the operator's, so it is never assumed. */
const GENERAL = 'default';

/** How often to look whether a request in flight has told what is left, in milliseconds. */
const LOOK_MS = 20;

/** By name. All clients of an origin share them: the server counts by address, so a process draws on the same limits. */
export type LimitWindows = Map<string, LimitWindow>;

/** Keeps requests back before a 429: by the limits that the contract fixes, and by what responses tell. */
export function createPacing(
  shared: () => LimitWindows,
  limits: Readonly<Record<string, FixedLimit>>,
  clock: Clock,
): Pacing {
  const windowOf = (name: string): LimitWindow => {
    const windows = shared();
    const window = windows.get(name) ?? newWindow(limits[name]);
    windows.set(name, window);
    return roll(window, clock.now());
  };

  async function enter(
    call: Prepared,
    hold: boolean,
    attempts: readonly Attempt[],
  ): Promise<(outcome: Outcome | undefined) => void> {
    const { limit = GENERAL } = call.operation;
    const names = limit === 'none' ? [] : [...new Set([GENERAL, limit])];
    while (hold && !call.signal?.aborted) {
      const full = names.filter((name) => freeAt(windowOf(name)) !== 0);
      if (full.length === 0) break;
      await turn(full, call, attempts);
    }
    const sentAt = clock.now();
    const counted = names.map(windowOf);
    for (const window of counted) reserve(window, sentAt);
    return (outcome) => {
      for (const window of counted) {
        window.inFlight -= 1;
        // It may have been counted before the connection broke.
        if (outcome?.fault && !outcome.unsent) window.remaining -= 1;
      }
      for (const told of outcome?.response ? readRateLimits(outcome.response) : []) {
        learn(windowOf(told.name), told, sentAt, clock.now());
      }
    };
  }

  /** Waits until it is worth looking again. */
  async function turn(
    names: readonly string[],
    { deadline, signal }: Prepared,
    attempts: readonly Attempt[],
  ): Promise<void> {
    const now = clock.now();
    const full = names.map(windowOf);
    const until = Math.max(...full.map((window) => freeAt(window) ?? now));
    if (until >= deadline || now >= deadline) {
      const message = `Not sent: the rate limit ${names} is spent until past the deadline`;
      const retryAfterMs = Math.ceil(until - now);
      throw new RateLimitError({ message, code: 'RATE_LIMITED', attempts, retryAfterMs });
    }
    if (until === now) return clock.sleep(LOOK_MS, signal);
    for (const window of full) window.queued += 1;
    await clock.sleep(until - now, signal);
    for (const window of full) window.queued -= 1;
  }

  return {
    enter,
    paceMs() {
      const { told, resetAt, remaining, inFlight } = windowOf(GENERAL);
      return told ? Math.max(0, resetAt - clock.now()) / Math.max(1, remaining - inFlight) : 0;
    },
  };
}
