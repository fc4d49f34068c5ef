import { describe, expect, test } from 'vitest';
import { retryAfterMs, serverWaitMs } from './retry-after.ts';

const NOON = Date.UTC(2026, 10, 20, 12);

function wait(headers: Record<string, string>, now = NOON) {
  return retryAfterMs(new Headers(headers), now);
}

describe('Retry-After', () => {
  test('seconds are taken as they are', () => {
    expect(wait({ 'retry-after': '90' })).toBe(90_000);
    expect(wait({ 'retry-after': '0' })).toBe(0);
  });

  test.each([
    'Fri, 20 Nov 2026 12:00:30 GMT',
    'Friday, 20-Nov-26 12:00:30 GMT',
    'Fri Nov 20 12:00:30 2026',
  ])('the date %s is understood', (date) => {
    expect(wait({ 'retry-after': date })).toBe(30_000);
  });

  test('a date is compared with the Date of the response, whatever the local clock says', () => {
    const headers = {
      'retry-after': 'Fri, 20 Nov 2026 12:00:30 GMT',
      date: 'Fri, 20 Nov 2026 12:00:10 GMT',
    };
    expect(wait(headers, NOON + 3_600_000)).toBe(20_000);
    expect(wait(headers, NOON - 3_600_000)).toBe(20_000);
  });

  test('a date that has passed means now', () => {
    expect(wait({ 'retry-after': 'Fri, 20 Nov 2026 11:00:00 GMT' })).toBe(0);
  });

  test.each(['', '-5', '1.5', 'soon', '2026-11-20T12:00:30Z', '5, 6', 'Infinity'])(
    '%j says nothing',
    (value) => {
      expect(wait({ 'retry-after': value })).toBeUndefined();
    },
  );
});

describe('the wait that a server wants', () => {
  const spent = (resetSeconds: number, remaining = 0) => ({
    name: 'scans',
    remaining,
    resetSeconds,
    quota: undefined,
    windowSeconds: undefined,
  });

  test('Retry-After comes before spent limits', () => {
    expect(serverWaitMs(new Headers({ 'retry-after': '2' }), [spent(40)], NOON)).toBe(2000);
  });

  test('without Retry-After it is the longest of the spent limits', () => {
    expect(serverWaitMs(new Headers(), [spent(12), spent(40), spent(55, 1)], NOON)).toBe(40_000);
  });

  test('limits that have something left say nothing', () => {
    expect(serverWaitMs(new Headers(), [spent(40, 1)], NOON)).toBeUndefined();
  });
});
