import { describe, expect, it } from 'vitest';
import { ThreadShares } from './thread-shares.ts';

describe('the shares of the exchange thread', () => {
  it('a tenant with long work gets a fifth of the exchange thread', () => {
    const shares = new ThreadShares();
    const [until, each] = [60_000, 50];
    let now = 0;
    let workedMs = 0;
    while (now < until) {
      now += shares.waitMs('a', now);
      shares.take('a', now, now + each);
      now += each;
      workedMs += each;
    }
    expect(workedMs / until).toBeGreaterThan(0.19);
    expect(workedMs / until).toBeLessThan(0.21);
    expect(shares.waitMs('a', now)).toBeGreaterThan(0);
    expect(shares.waitMs('b', now)).toBe(0);
    expect(shares.waitMs('a', now + 1_000)).toBe(0);
  });

  it('a tenant with ordinary work uses the whole exchange thread', () => {
    const shares = new ThreadShares();
    for (let now = 0; now < 60_000; now += 4) {
      expect(shares.waitMs('a', now)).toBe(0);
      shares.take('a', now, now + 4);
    }
  });

  it('a tenant whose ordinary work waits for the processor uses the whole exchange thread', () => {
    const shares = new ThreadShares();
    for (let now = 0; now < 60_000; now += 90) {
      expect(shares.waitMs('a', now)).toBe(0);
      shares.take('a', now, now + 90, 1);
    }
  });

  it('a tenant with ordinary work uses the whole exchange thread while other threads are busy', () => {
    const shares = new ThreadShares();
    for (let now = 0; now < 60_000; now += 4) {
      expect(shares.waitMs('a', now)).toBe(0);
      // Node 20 and 22 report the processor time of all threads.
      shares.take('a', now, now + 4, 16);
    }
  });

  /** What a tenant gets of a minute when it always has short work, beside others that get this part of the time. */
  function shortWork(others: number): number {
    const shares = new ThreadShares();
    let [now, workedMs, othersMs, othersWaitedMs] = [0, 0, 0, 0];
    while (now < 60_000) {
      if (shares.waitMs('a', now) === 0) {
        shares.take('a', now, now + 4);
        workedMs += 4;
        now += 4;
      }
      while (othersMs < others * now) {
        othersWaitedMs += shares.waitMs('b', now) + shares.waitMs('c', now);
        shares.take(othersMs % 2 === 0 ? 'b' : 'c', now, now + 1);
        othersMs += 1;
        now += 1;
      }
      now += 1 / 16;
    }
    expect(othersWaitedMs).toBe(0);
    return workedMs / now;
  }

  it('a tenant with short work cannot fill the exchange thread while others use it', () => {
    // About a fifth remains free, so that their work begins at once.
    expect(shortWork(0.1)).toBeLessThan(0.75);
    expect(shortWork(0.1)).toBeGreaterThan(0.65);
    expect(shortWork(0.3)).toBeLessThan(0.55);
  });

  it('a tenant with short work keeps a fifth of the exchange thread when others want more', () => {
    const shares = new ThreadShares();
    let workedMs = 0;
    for (let now = 0; now < 60_000; now += 5) {
      if (shares.waitMs('a', now) === 0) {
        shares.take('a', now, now + 2);
        workedMs += 2;
      }
      shares.take('b', now, now + 4);
    }
    expect(workedMs / 60_000).toBeGreaterThan(0.19);
  });

  it('a tenant with short work waits for at most 50 ms before it asks again', () => {
    const shares = new ThreadShares();
    shares.take('b', 0, 1);
    for (let n = 0; n < 10_000; n += 1) shares.take('a', 0, 4);
    expect(shares.waitMs('a', 4)).toBe(50);
    expect(shares.waitMs('b', 4)).toBe(0);
  });
});
