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

/**
 * Iterates until the user interrupts the command, also while it waits for the next item. It then leaves the wait to itself:
 * nothing can end the read of a pipe whose writer is silent.
 */
export async function* interruptibleWait<T>(
  items: AsyncIterable<T>,
  interrupted: AbortSignal,
): AsyncGenerator<T> {
  const iterator = items[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await nextOrInterruption(iterator, interrupted);
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    const closing = iterator.return?.();
    // It would wait for the read.
    if (interrupted.aborted) closing?.catch(() => undefined);
    else await closing;
  }
}

function nextOrInterruption<T>(
  iterator: AsyncIterator<T>,
  interrupted: AbortSignal,
): Promise<IteratorResult<T>> {
  return new Promise((resolve, reject) => {
    interrupted.throwIfAborted();
    const stop = () => reject(interrupted.reason);
    interrupted.addEventListener('abort', stop, { once: true });
    iterator
      .next()
      .then(resolve, reject)
      .finally(() => interrupted.removeEventListener('abort', stop));
  });
}
