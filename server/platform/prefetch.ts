/**
 * Yields items and prepares the next one while the consumer still processes the last, so two stages take the time of
 * the slower one. Buffers one item. A consumer that stops early waits for the item in preparation.
 */
export async function* ahead<T>(source: AsyncIterable<T>): AsyncGenerator<T, void, undefined> {
  const items = source[Symbol.asyncIterator]();
  let next = begin(items);
  try {
    for (let item = await next; item.done !== true; item = await next) {
      next = begin(items);
      yield item.value;
    }
  } finally {
    await next.catch(() => undefined);
    await items.return?.();
  }
}

/** An error is thrown when the item is requested, which may be later or never. */
function begin<T>(items: AsyncIterator<T>): Promise<IteratorResult<T>> {
  const next = items.next();
  next.catch(() => undefined);
  return next;
}

/**
 * Processes the items of a source, at most `most` at the same time. After the first failure no other item is begun.
 * @throws the first failure, or that of the source, once every item that was begun has ended.
 */
export async function eachOf<T>(
  source: AsyncIterable<T>,
  most: number,
  process: (item: T) => Promise<void>,
): Promise<void> {
  const running = new Set<Promise<unknown>>();
  const failures: unknown[] = [];
  try {
    for await (const item of source) {
      if (failures.length > 0) break;
      const one: Promise<unknown> = process(item)
        .catch((error: unknown) => failures.push(error))
        .finally(() => running.delete(one));
      running.add(one);
      if (running.size >= most) await Promise.race(running);
    }
  } finally {
    await Promise.all(running);
  }
  if (failures.length > 0) throw failures[0];
}
