import { type Clock, SYSTEM_CLOCK } from './clock.ts';

const MINUTE_MS = 60_000;

/** Google's quota of ListAssets calls per minute and consumer project. */
const CALLS_PER_MINUTE = 100;

/**
 * Lets at most so many calls begin in any minute. Pulls that are charged to the same consumer project share one pacer.
 */
export class Pacer {
  readonly #most: number;
  readonly #clock: Clock;
  /** The times of the last calls, oldest first, those of waiting calls in the future. */
  #times: number[] = [];

  constructor(callsPerMinute = CALLS_PER_MINUTE, clock: Clock = SYSTEM_CLOCK) {
    this.#most = callsPerMinute;
    this.#clock = clock;
  }

  /**
   * Waits until a call may begin.
   * @throws the reason of the signal when it is aborted
   */
  async take(signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    const now = this.#clock.now().getTime();
    this.#times = this.#times.filter((time) => time > now - MINUTE_MS);
    const earlier = this.#times.at(-this.#most);
    const start = Math.max(now, earlier === undefined ? now : earlier + MINUTE_MS);
    this.#times.push(start);
    if (start > now) await this.#clock.sleep(start - now, signal);
  }
}
