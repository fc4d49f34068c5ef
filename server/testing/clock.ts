import type { Clock } from '../clock.ts';

/** A clock that a test moves: nothing has to be waited for. It begins at the real time, as databases have their own. */
export class TestClock implements Clock {
  #offsetMs = 0;

  now(): Date {
    return new Date(Date.now() + this.#offsetMs);
  }

  advance(by: {
    readonly seconds?: number;
    readonly minutes?: number;
    readonly hours?: number;
    readonly days?: number;
  }): void {
    const { seconds = 0, minutes = 0, hours = 0, days = 0 } = by;
    this.#offsetMs += (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000;
  }
}
