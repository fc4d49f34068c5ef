import type { Clock } from './clock.ts';
import type { Pacing, Prepared } from './core.ts';
import { RateLimitError } from './errors.ts';
import { freeAt, type LimitWindow, learn, newWindow, reserve, roll } from './limit-window.ts';
import type { FixedLimit } from './operation.ts';
import { readRateLimits } from './rate-limit.ts';
import { shared } from './shared.ts';

/** How often to look whether a request in flight has told what is left, in milliseconds. */
const LOOK_MS = 20;

/**
 * Keeps requests back before a 429: by the limits that the contract fixes, and by what responses tell. All clients of an
 * origin share what is known: the server counts by address, so a process draws on the same limits.
 */
export function createPacing(origin: string, clock: Clock): Pacing {
  function windowOf(limit: FixedLimit): LimitWindow {
    const window = shared(`${limit[0]} ${origin}`, () => newWindow(limit));
    return roll(window, clock.now());
  }

  /** Waits until it is worth looking again. */
  async function turn(full: readonly LimitWindow[], { deadline, signal }: Prepared): Promise<void> {
    const now = clock.now();
    const until = Math.max(...full.map((window) => freeAt(window) ?? now));
    if (until >= deadline) {
      const names = full.map(({ name }) => name);
      const message = `Not sent: the rate limit ${names} is spent`;
      const retryAfterMs = Math.ceil(until - now);
      throw new RateLimitError({ message, code: 'RATE_LIMITED', retryAfterMs });
    }
    for (const window of full) window.queued += 1;
    await clock.sleep(Math.max(until - now, LOOK_MS), signal);
    for (const window of full) window.queued -= 1;
  }

  return {
    async enter(call, hold) {
      let windows = call.operation.limits.map(windowOf);
      while (hold && !call.signal?.aborted) {
        const full = windows.filter((window) => freeAt(window) !== 0);
        if (!full.length) break;
        await turn(full, call);
        windows = call.operation.limits.map(windowOf);
      }
      const sentAt = clock.now();
      for (const window of windows) reserve(window, sentAt);
      return (outcome) => {
        const { response, fault, unsent } = outcome ?? {};
        const told = response ? readRateLimits(response.headers) : [];
        for (const window of windows) {
          window.inFlight -= 1;
          // It may have been counted before the connection broke.
          if (fault && !unsent) window.remaining -= 1;
          const limit = told.find(({ name }) => name === window.name);
          if (limit) learn(window, limit, sentAt, clock.now());
        }
      };
    },
  };
}
