import type { Clock } from '../../server/platform/clock.ts';

/**
 * A clock that a test moves, so no test has to wait. It starts at the real time, because databases have their own
 * clock.
 */
export class TestClock implements Clock {
  #offsetMs = 0;

  #frozenAt: number | null = null;

  now(): Date {
    return new Date(this.#frozenAt ?? Date.now() + this.#offsetMs);
  }

  /** Stops at the current time, however long the test takes. */
  freezeAt(moment: Date): void {
    this.#frozenAt = moment.getTime();
  }

  advance(by: {
    readonly seconds?: number;
    readonly minutes?: number;
    readonly hours?: number;
    readonly days?: number;
  }): void {
    const { seconds = 0, minutes = 0, hours = 0, days = 0 } = by;
    const ms = (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000;
    this.#offsetMs += ms;
    if (this.#frozenAt !== null) this.#frozenAt += ms;
  }
}
