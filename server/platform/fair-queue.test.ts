import { describe, expect, it } from 'vitest';
import { FairQueue } from './fair-queue.ts';

const OPTIONS = { concurrency: 1, capacity: 64, capacityPerClient: 16, maxWaitMs: 60_000 };
const BUSY = {
  code: 'SERVICE_UNAVAILABLE',
  headers: { 'Retry-After': expect.stringMatching(/^[1-9]\d*$/) },
};

/** A queue with one task that runs until `release` is called, so all others wait. */
function blockedQueue(options: Partial<typeof OPTIONS> = {}) {
  const queue = new FairQueue({ ...OPTIONS, ...options });
  const order: string[] = [];
  let release = () => {};
  const blocker = queue.run(
    'blocker',
    () =>
      new Promise<void>((resolve) => {
        release = resolve;
      }),
  );
  const add = (client: string | null, name: string) =>
    queue.run(client, async () => {
      order.push(name);
    });
  return { queue, order, add, blocker, release: () => release() };
}

describe('a fair queue', () => {
  it('a fair queue serves clients in turn, so that a client with one task waits for one task of each other client', async () => {
    const { add, order, release } = blockedQueue();
    const all = ['a1', 'a2', 'a3', 'a4'].map((name) => add('a', name));
    all.push(add('b', 'b1'), add('c', 'c1'), add('c', 'c2'));
    release();
    await Promise.all(all);
    expect(order).toEqual(['a1', 'b1', 'c1', 'a2', 'c2', 'a3', 'a4']);
  });

  it('a fair queue refuses a client whose own tasks fill its share, and still accepts others', async () => {
    const { add, release, queue } = blockedQueue({ capacityPerClient: 2 });
    const kept = [add('a', 'a1'), add('a', 'a2')];
    await expect(add('a', 'a3')).rejects.toMatchObject(BUSY);
    kept.push(add('b', 'b1'));
    expect(queue.waiting).toBe(3);
    release();
    await Promise.all(kept);
  });

  it('a fair queue drops the newest task of the busiest client when it is full and a quieter client comes', async () => {
    const { add, order, release } = blockedQueue({ capacity: 3 });
    const kept = [add('a', 'a1'), add('a', 'a2')];
    const dropped = expect(add('a', 'a3')).rejects.toMatchObject(BUSY);
    kept.push(add('b', 'b1'));
    await dropped;
    await expect(add('b', 'b2')).rejects.toMatchObject(BUSY);
    release();
    await Promise.all(kept);
    expect(order).toEqual(['a1', 'b1', 'a2']);
  });

  it('a fair queue refuses a task that has waited too long, and does not run it later', async () => {
    const { add, order, release, blocker, queue } = blockedQueue({ maxWaitMs: 5 });
    await expect(add('a', 'a1')).rejects.toMatchObject(BUSY);
    expect(queue.waiting).toBe(0);
    release();
    await blocker;
    expect(order).toEqual([]);
  });

  it('a fair queue continues after a task that failed', async () => {
    const queue = new FairQueue(OPTIONS);
    await expect(queue.run('a', () => Promise.reject(new Error('broken')))).rejects.toThrow();
    expect(await queue.run('a', async () => 'done')).toBe('done');
  });

  it('a fair queue refuses waiting and later tasks once it is closed', async () => {
    const { add, queue, release, blocker } = blockedQueue();
    const waiting = expect(add('a', 'a1')).rejects.toMatchObject(BUSY);
    queue.close();
    await waiting;
    await expect(add('a', 'a2')).rejects.toMatchObject(BUSY);
    release();
    await blocker;
  });
});
