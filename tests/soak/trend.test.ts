import { describe, expect, it } from 'vitest';
import { type Point, trendOf } from './trend.ts';

const EVERY_MS = 10_000;
const BOUND = { absolute: 20, relative: 0.15 };

/** Half an hour of samples. */
function series(valueAt: (minute: number, index: number) => number): Point[] {
  return Array.from({ length: 180 }, (_, index) => ({
    atMs: index * EVERY_MS,
    value: valueAt((index * EVERY_MS) / 60_000, index),
  }));
}

describe('a series of a soak', () => {
  it('a series of a soak test grows when it leaks three MiB a minute under a garbage collector', () => {
    const leak = series((minute, index) => 100 + 3 * minute + (index % 7) * 5);
    expect(trendOf(leak, BOUND)).toMatchObject({ grows: true });
    expect(trendOf(leak, BOUND).gain).toBeCloseTo(45, 0);
  });

  it.each<[string, readonly Point[]]>([
    ['is flat', series(() => 100)],
    ['is a sawtooth', series((_, index) => 100 + (index % 9) * 10)],
    [
      'grows in the first half and then levels off',
      series((minute) => 100 + Math.min(15, minute) * 10),
    ],
    [
      'has outliers late in the run',
      series((minute, index) => (minute > 20 && index % 5 === 0 ? 900 : 100)),
    ],
    ['grows by less than the absolute bound', series((minute) => 10 + 0.5 * minute)],
    ['grows by less than the relative bound', series((minute) => 1_000 + 3 * minute)],
    ['shrinks', series((minute) => 500 - 5 * minute)],
  ])('a series of a soak test does not grow when it %s', (_how, points) => {
    expect(trendOf(points, BOUND).grows).toBe(false);
  });

  it('a series of a soak test has no trend with fewer than ten samples in the second half', () => {
    const short = series((minute) => 100 + 100 * minute).slice(0, 18);
    expect(trendOf(short, BOUND)).toMatchObject({ gain: null, grows: false });
  });
});
