import { describe, expect, it } from 'vitest';
import { retryAfterMs } from './retry-after.ts';
import { nextAttemptAt } from './retry-ladder.ts';

const now = new Date('2026-11-20T08:00:00Z');
const DAY_MS = 86_400_000;

describe('Retry-After', () => {
  it.each([
    ['120', 120_000],
    [' 7 ', 7_000],
    ['0', 0],
    ['9999999999', DAY_MS],
    ['Fri, 20 Nov 2026 08:01:00 GMT', 60_000],
    ['Friday, 20-Nov-26 08:01:00 GMT', 60_000],
    ['Fri Nov 20 08:01:00 2026', 60_000],
    ['Thu, 01 Jan 2026 00:00:00 GMT', 0],
    ['Fri, 31 Dec 9999 23:59:59 GMT', DAY_MS],
  ])('Retry-After: %j asks for %i ms', (header, ms) => {
    expect(retryAfterMs(header, now)).toBe(ms);
  });

  it.each([
    '',
    '-1',
    '1.5',
    '1e9',
    '120 s',
    '99999999999',
    'tomorrow',
    '2026-11-20T09:00:00Z',
    'x'.repeat(10_000),
  ])('Retry-After: %j is ignored', (header) => {
    expect(retryAfterMs(header, now)).toBeNull();
  });
});

describe('the next attempt', () => {
  const pause = (attempts: number, askedMs: number | null, random = 0) =>
    (nextAttemptAt(attempts, now, { askedMs, random })?.getTime() ?? Number.NaN) - now.getTime();

  it('the next attempt is neither before the time that the receiver asks for nor before the backoff', () => {
    expect(pause(1, 3_600_000)).toBe(3_600_000);
    expect(pause(2, 1_000)).toBe(300_000);
    expect(pause(1, null)).toBe(5_000);
  });

  it('the next attempt is up to a fifth later than the backoff, and a receiver can delay it by 24 hours at most', () => {
    expect(pause(1, 100_000, 1)).toBe(120_000);
    expect(pause(1, DAY_MS, 1)).toBe(DAY_MS);
    expect(pause(9, DAY_MS, 1)).toBe(1.2 * DAY_MS);
  });

  it('no attempt follows the last one, even if the receiver sends Retry-After', () => {
    expect(nextAttemptAt(10, now, { askedMs: 1_000, random: 0 })).toBeNull();
  });
});
