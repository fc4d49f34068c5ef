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
   * @throws the reason of the signal when it is aborted, or what the clock throws instead of sleeping; no call counts then
   */
  async take(signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    const now = this.#clock.now().getTime();
    this.#times = this.#times.filter((time) => time > now - MINUTE_MS);
    const earlier = this.#times.at(-this.#most);
    const start = Math.max(now, earlier === undefined ? now : earlier + MINUTE_MS);
    // After times were given back, a call can begin earlier than others that wait.
    const later = this.#times.findIndex((time) => time > start);
    this.#times.splice(later < 0 ? this.#times.length : later, 0, start);
    if (start === now) return;
    try {
      await this.#clock.sleep(start - now, signal);
    } catch (error) {
      this.#giveBack(start);
      throw error;
    }
  }

  /** Removes the time of a call that is not made, which others would otherwise wait for. */
  #giveBack(start: number): void {
    const at = this.#times.indexOf(start);
    if (at >= 0) this.#times.splice(at, 1);
  }
}
