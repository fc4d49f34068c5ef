import type { Clock } from './clock.ts';
import type { Leave, Pacing, Prepared } from './core.ts';
import { RateLimitError } from './errors.ts';
import { freeAt, type LimitWindow, learn, newWindow, reserve, roll } from './limit-window.ts';
import type { FixedLimit } from './operation.ts';
import { shared } from './process-registry.ts';
import { readRateLimits } from './rate-limit.ts';

/** Poll interval in milliseconds while waiting for the response of a request in flight. */
const LOOK_MS = 20;

/**
 * Delays requests to avoid a 429, by the limits of the contract and of earlier responses. All clients of an origin
 * share this state, because the server counts by address.
 */
export function createPacing(origin: string, clock: Clock): Pacing {
  function windowOf(limit: FixedLimit): LimitWindow {
    const window = shared(`${limit[0]} ${origin}`, () => newWindow(limit));
    return roll(window, clock.now());
  }

  /** Counts a request that is being sent. The returned function processes its outcome. */
  function count(windows: readonly LimitWindow[]): Leave {
    const sentAt = clock.now();
    for (const window of windows) reserve(window, sentAt);
    return (outcome) => {
      const { response, fault, unsent } = outcome ?? {};
      const isKnown = windows.every(({ told }) => told);
      const told = response ? readRateLimits(response.headers, isKnown) : [];
      for (const window of windows) {
        window.inFlight -= 1;
        // The server may have counted it before the connection broke.
        if (fault && !unsent) window.remaining -= 1;
        const limit = told.find(({ name }) => name === window.name);
        if (limit) learn(window, limit, sentAt, clock.now());
      }
    };
  }

  /** Waits until the exhausted limits may allow a request. */
  async function turn(full: readonly LimitWindow[], { deadline, signal }: Prepared): Promise<void> {
    const now = clock.now();
    const until = Math.max(...full.map((window) => freeAt(window) ?? now));
    if (until >= deadline) {
      const names = full.map(({ name }) => name);
      throw new RateLimitError({
        message: `The rate limit ${names} is spent`,
        code: 'RATE_LIMITED',
        retryAfterMs: Math.ceil(until - now),
      });
    }
    for (const window of full) window.queued += 1;
    await clock.sleep(Math.max(until - now, LOOK_MS), signal);
    for (const window of full) window.queued -= 1;
  }

  return function enter(call, hold): Leave | Promise<Leave> {
    const windows = call.operation.counters.map(windowOf);
    const isHeld = hold && !call.signal?.aborted;
    const full = windows.filter((window) => isHeld && freeAt(window) !== 0);
    return full.length ? turn(full, call).then(() => enter(call, hold)) : count(windows);
  };
}
