import { describe, expect, it } from 'vitest';
import { forEachConcurrently } from './for-each-concurrently.ts';

async function* numbers(count: number): AsyncGenerator<number> {
  for (let number = 0; number < count; number += 1) yield number;
}

/** A process for items that the test ends one by one. */
class Hold {
  readonly begun: number[] = [];
  readonly #ends = new Map<number, (failure?: Error) => void>();

  readonly process = (item: number): Promise<void> => {
    this.begun.push(item);
    return new Promise((resolve, reject) => {
      this.#ends.set(item, (failure) => (failure === undefined ? resolve() : reject(failure)));
    });
  };

  end(item: number, failure?: Error): void {
    this.#ends.get(item)?.(failure);
  }
}

describe('forEachConcurrently', () => {
  it('forEachConcurrently processes two items at the same time, and begins the next when either ends', async () => {
    const hold = new Hold();
    const all = forEachConcurrently(numbers(4), 2, hold.process);
    await expect.poll(() => hold.begun).toEqual([0, 1]);
    hold.end(1);
    await expect.poll(() => hold.begun).toEqual([0, 1, 2]);
    hold.end(0);
    await expect.poll(() => hold.begun).toEqual([0, 1, 2, 3]);
    hold.end(2);
    hold.end(3);
    await all;
  });

  it('forEachConcurrently begins no item after a failure, and throws it once all others have ended', async () => {
    const hold = new Hold();
    let isOver = false;
    const all = forEachConcurrently(numbers(4), 2, hold.process).finally(() => {
      isOver = true;
    });
    const refusal = expect(all).rejects.toThrow('first');
    await expect.poll(() => hold.begun).toEqual([0, 1]);
    hold.end(1, new Error('first'));
    await new Promise((resolve) => setImmediate(resolve));
    expect(isOver).toBe(false);
    hold.end(0, new Error('second'));
    await refusal;
    expect(hold.begun).toEqual([0, 1]);
  });

  it('forEachConcurrently throws the failure of its source after the items that were begun have ended', async () => {
    const hold = new Hold();
    async function* broken(): AsyncGenerator<number> {
      yield 0;
      throw new Error('source');
    }
    let isOver = false;
    const all = forEachConcurrently(broken(), 2, hold.process).finally(() => {
      isOver = true;
    });
    const refusal = expect(all).rejects.toThrow('source');
    await expect.poll(() => hold.begun).toEqual([0]);
    await new Promise((resolve) => setImmediate(resolve));
    expect(isOver).toBe(false);
    hold.end(0);
    await refusal;
  });
});
