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
