/**
 * Processes the items of a source, at most `most` at the same time. After the first failure no other item is begun.
 * @throws the first failure, or that of the source, once every item that was begun has ended.
 */
export async function forEachConcurrently<T>(
  source: AsyncIterable<T> | Iterable<T>,
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
