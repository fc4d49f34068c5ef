/**
 * Passes items on, and has the next one made while the consumer is still busy with the last: two stages of work then
 * take the time of the slower one. One item is held. A consumer that stops early waits for the item in the making.
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

/** A failure is thrown where the item is asked for, which may be later or never. */
function begin<T>(items: AsyncIterator<T>): Promise<IteratorResult<T>> {
  const next = items.next();
  next.catch(() => undefined);
  return next;
}
