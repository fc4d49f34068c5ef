import { describe, expect, test } from 'vitest';
import { freeAt, learn, newWindow, reserve, roll } from './limit-window.ts';
import type { FixedLimit } from './operation.ts';

const limit: FixedLimit = ['scans', 10, 60];

function told(remaining: number, resetSeconds: number) {
  return { name: 'scans', remaining, resetSeconds, quota: 10, windowSeconds: 60 };
}

describe('a rate-limit window', () => {
  test('a rate-limit window starts with its first request and lasts as long as the contract says', () => {
    const window = newWindow(limit);
    reserve(window, 5000);
    expect(window.resetAt).toBe(65_000);
  });

  test("a rate-limit window does not end before the server's time, which is rounded up to whole seconds", () => {
    const window = newWindow(limit);
    learn(window, told(3, 42), 1000, 1200);
    expect(window.resetAt).toBe(1200 + 42_000);
  });

  test('a rate-limit window does not delay requests while its limit is unknown', () => {
    const window = newWindow(['default', Infinity, 0]);
    for (let request = 0; request < 100; request += 1) reserve(window, 0);
    expect(freeAt(window)).toBe(0);
  });

  test('a rate-limit window keeps the lowest count when responses arrive out of order', () => {
    const window = newWindow(limit);
    learn(window, told(4, 42), 0, 100);
    learn(window, told(6, 42), 0, 300);
    expect(window.remaining).toBe(4);
    expect(window.resetAt).toBe(42_100);
  });

  test('a rate-limit window is replaced by a later window that the server reports', () => {
    const window = newWindow(limit);
    learn(window, told(0, 2), 0, 0);
    learn(window, told(9, 60), 2500, 2600);
    expect(window).toMatchObject({ remaining: 9, resetAt: 62_600 });
  });

  test('a rate-limit window is not replaced when a response is merely slow', () => {
    const window = newWindow(limit);
    learn(window, told(2, 40), 0, 100);
    learn(window, told(5, 41), 50, 30_000);
    expect(window).toMatchObject({ remaining: 2, resetAt: 40_100 });
  });

  test('a rate-limit window restarts after its end', () => {
    const window = newWindow(limit);
    learn(window, told(0, 5), 0, 0);
    expect(freeAt(window)).toBe(5000);
    expect(freeAt(roll(window, 5000))).toBe(0);
  });

  test('a rate-limit window waits for responses when requests in flight use all that is left', () => {
    const window = newWindow(limit);
    for (let request = 0; request < 10; request += 1) reserve(window, 0);
    expect(freeAt(window)).toBeUndefined();
  });

  test('a rate-limit window counts whole windows for queued requests', () => {
    const window = newWindow(limit);
    learn(window, told(0, 5), 0, 0);
    window.queued = 9;
    expect(freeAt(window)).toBe(5000);
    window.queued = 10;
    expect(freeAt(window)).toBe(65_000);
  });
});
