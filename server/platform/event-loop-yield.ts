import { setImmediate } from 'node:timers/promises';

/** How long one piece of work may occupy the event loop. A request takes several turns of it. */
const STRETCH_MS = 1;

/** Keeps long work from blocking the event loop: call it between steps, and it says when to yield. */
export class EventLoopYielder {
  #dueAt = performance.now() + STRETCH_MS;

  get isDue(): boolean {
    return performance.now() >= this.#dueAt;
  }

  /** Yields to everything else that waits for the event loop. */
  async yieldNow(): Promise<void> {
    await setImmediate();
    this.#dueAt = performance.now() + STRETCH_MS;
  }
}

/**
 * Lets the event loop handle all that has arrived. One immediate is not enough in a callback of I/O: it runs before the
 * loop polls again.
 */
export async function pollEventLoop(): Promise<void> {
  await setImmediate();
  await setImmediate();
}
