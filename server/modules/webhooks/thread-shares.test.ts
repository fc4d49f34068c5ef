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
});
