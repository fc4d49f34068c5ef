import { expect, test, vi } from 'vitest';
import { endsAtOnce } from '../conformance/at-once.ts';
import { systemClock } from './system-clock.ts';

test('a sleep is never shorter than requested, in real time', async () => {
  for (const ms of [1, 3, 10, 25]) {
    const before = performance.now();
    await systemClock.sleep(ms);
    expect(performance.now() - before).toBeGreaterThanOrEqual(ms);
  }
});

test('an abort ends a sleep before the next timer and clears its timer', async () => {
  // Only timers of this test are counted: the test runner has timers of its own, which end at any moment.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const controller = new AbortController();
    const sleep = systemClock.sleep(60_000, controller.signal);
    await vi.advanceTimersByTimeAsync(5);
    expect(vi.getTimerCount()).toBe(1);
    expect(await endsAtOnce(sleep, () => controller.abort())).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});

test('a sleep longer than timers support does not end immediately', async () => {
  const controller = new AbortController();
  let over = false;
  const sleep = systemClock.sleep(2 ** 32, controller.signal).then(() => {
    over = true;
  });
  await systemClock.sleep(20);
  expect(over).toBe(false);
  controller.abort();
  await sleep;
});
