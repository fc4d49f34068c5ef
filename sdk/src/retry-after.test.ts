import { describe, expect, test } from 'vitest';
import { retryAfterMs, serverWaitMs } from './retry-after.ts';

const NOON = Date.UTC(2026, 10, 20, 12);

function wait(headers: Record<string, string>, now = NOON) {
  return retryAfterMs(new Headers(headers), now);
}

describe('Retry-After', () => {
  test('Retry-After is read as seconds', () => {
    expect(wait({ 'retry-after': '90' })).toBe(90_000);
    expect(wait({ 'retry-after': '0' })).toBe(0);
  });

  test.each([
    'Fri, 20 Nov 2026 12:00:30 GMT',
    'Friday, 20-Nov-26 12:00:30 GMT',
    'Fri Nov 20 12:00:30 2026',
  ])('Retry-After is read as the date %s', (date) => {
    expect(wait({ 'retry-after': date })).toBe(30_000);
  });

  test('Retry-After is compared as a date with the Date of the response, regardless of the local clock', () => {
    const headers = {
      'retry-after': 'Fri, 20 Nov 2026 12:00:30 GMT',
      date: 'Fri, 20 Nov 2026 12:00:10 GMT',
    };
    expect(wait(headers, NOON + 3_600_000)).toBe(20_000);
    expect(wait(headers, NOON - 3_600_000)).toBe(20_000);
  });

  test('Retry-After means now when its date is past', () => {
    expect(wait({ 'retry-after': 'Fri, 20 Nov 2026 11:00:00 GMT' })).toBe(0);
  });

  test.each(['', '-5', '1.5', 'soon', '2026-11-20T12:00:30Z', '5, 6', 'Infinity'])(
    'Retry-After is ignored when it is %j',
    (value) => {
      expect(wait({ 'retry-after': value })).toBeUndefined();
    },
  );
});

describe('the wait that a server asks for', () => {
  const spent = (resetSeconds: number, remaining = 0) => ({
    name: 'scans',
    remaining,
    resetSeconds,
    quota: undefined,
    windowSeconds: undefined,
  });

  test('the wait before a retry follows Retry-After rather than exhausted limits', () => {
    expect(serverWaitMs(new Headers({ 'retry-after': '2' }), [spent(40)], NOON)).toBe(2000);
  });

  test('the wait before a retry follows the longest of the exhausted limits without Retry-After', () => {
    expect(serverWaitMs(new Headers(), [spent(12), spent(40), spent(55, 1)], NOON)).toBe(40_000);
  });

  test('the wait before a retry does not depend on limits with requests left', () => {
    expect(serverWaitMs(new Headers(), [spent(40, 1)], NOON)).toBeUndefined();
  });
});
