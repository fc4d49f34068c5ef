import { setImmediate } from 'node:timers/promises';

/** Maximum time that one piece of work blocks the event loop, in milliseconds. */
const STRETCH_MS = 1;
/** Reading the clock costs about as much as a short step, so it is read only once per this many steps. */
const STEPS_A_LOOK = 16;

/** Lets other work of the process run during a long loop. */
export class EventLoopYield {
  #dueAt = performance.now() + STRETCH_MS;
  #steps = 0;

  /** Call it once per step, and await `now` if it returns true. */
  get isDue(): boolean {
    this.#steps += 1;
    return this.#steps % STEPS_A_LOOK === 0 && performance.now() >= this.#dueAt;
  }

  async now(): Promise<void> {
    await setImmediate();
    this.#dueAt = performance.now() + STRETCH_MS;
  }
}
