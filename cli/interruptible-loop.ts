import { setImmediate } from 'node:timers/promises';

/** How long a loop may delay the handling of a signal, in milliseconds. */
const STRETCH_MS = 20;

/**
 * Iterates until the user interrupts the command, and then throws the reason. It returns to the event loop regularly,
 * because a signal cannot arrive during a long loop.
 */
export async function* interruptibleLoop<T>(
  items: Iterable<T> | AsyncIterable<T>,
  interrupted: AbortSignal,
): AsyncGenerator<T> {
  let dueAt = performance.now() + STRETCH_MS;
  for await (const item of items) {
    if (performance.now() >= dueAt) {
      await setImmediate();
      dueAt = performance.now() + STRETCH_MS;
    }
    interrupted.throwIfAborted();
    yield item;
  }
}
