import { describe, expect, it } from 'vitest';
import { bytesOfSeed, type HashSeed, randomSeed, seededHash, seedFrom } from './seeded-hash.ts';

const NAMES = Array.from(
  { length: 20_000 },
  (_, index) => `storage.googleapis.com/Bucket\0//b/${index}`,
);

function fill(names: readonly string[], seed: HashSeed): number[] {
  const hash = seededHash(seed);
  const filled = new Array<number>(64).fill(0);
  for (const name of names) filled[hash(name) % 64] = (filled[hash(name) % 64] ?? 0) + 1;
  return filled;
}

describe('the seeded hash', () => {
  it('a seed that was stored as bytes is the same when it is read', () => {
    const seed = randomSeed();
    expect(seedFrom(bytesOfSeed(seed))).toEqual(seed);
  });

  it('the seeded hash distributes names evenly', () => {
    const filled = fill(NAMES, [1, 2]);
    // 312 on average, with a standard deviation of 18.
    expect(Math.min(...filled)).toBeGreaterThan(200);
    expect(Math.max(...filled)).toBeLessThan(425);
  });

  it('the seeded hash gives the same number for the same seed and text', () => {
    const [one, other] = [seededHash([3, 4]), seededHash([3, 4])];
    expect(NAMES.map(one)).toEqual(NAMES.map(other));
  });

  it('the seeded hash distributes names that collide under one seed evenly under another', () => {
    const hash = seededHash([1, 2]);
    const together = NAMES.filter((name) => hash(name) % 64 === 0);
    expect(together.length).toBeGreaterThan(200);
    expect(Math.max(...fill(together, [1, 3]))).toBeLessThan(together.length / 4);
    expect(Math.max(...fill(together, randomSeed()))).toBeLessThan(together.length / 4);
  });

  it.each([
    ['text', 'text\0'],
    ['a', 'aa'],
    ['ab', 'ba'],
    ['', '\0'],
    ['', '\0\0'],
    ['\u0100', '\u0001'],
  ])('the seeded hash distinguishes %j from %j', (one, other) => {
    const hash = seededHash([5, 6]);
    expect(hash(one)).not.toBe(hash(other));
  });
});
