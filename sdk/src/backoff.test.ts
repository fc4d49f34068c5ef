import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { backoffMs, spreadMs } from './backoff.ts';

const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

test('a backoff lies between zero and the doubling bound, which is limited', () => {
  fc.assert(
    fc.property(fc.nat(60), chance, (retry, u) => {
      const ms = backoffMs(retry, 100, 20_000, () => u);
      expect(ms).toBeGreaterThanOrEqual(0);
      expect(ms).toBeLessThanOrEqual(Math.min(20_000, 100 * 2 ** retry));
    }),
  );
});

test('the jitter is full: waits are uniform over the whole range', () => {
  const draws = Array.from({ length: 4000 }, () => backoffMs(0, 1000, 20_000, Math.random));
  for (const quarter of [0, 250, 500, 750]) {
    const share = draws.filter((ms) => ms >= quarter && ms < quarter + 250).length / draws.length;
    expect(share).toBeGreaterThan(0.2);
    expect(share).toBeLessThan(0.3);
  }
});

test('a wait requested by the server is never shortened, and extended by at most a fifth', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1e9, noNaN: true }), chance, (told, u) => {
      const ms = spreadMs(told, () => u);
      expect(ms).toBeGreaterThanOrEqual(told);
      expect(ms).toBeLessThanOrEqual(told * 1.2);
    }),
  );
});
