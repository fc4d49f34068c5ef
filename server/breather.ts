import { setImmediate } from 'node:timers/promises';

/** How long one piece of work keeps the event loop to itself. A request takes a few turns of it to be answered. */
const STRETCH_MS = 3;

/** Keeps long work from holding up whatever else the process does: asked between its steps, it says when to let go. */
export class Breather {
  #dueAt = performance.now() + STRETCH_MS;

  get isDue(): boolean {
    return performance.now() >= this.#dueAt;
  }

  /** Lets everything that waits have its turn. */
  async breathe(): Promise<void> {
    await setImmediate();
    this.#dueAt = performance.now() + STRETCH_MS;
  }
}
