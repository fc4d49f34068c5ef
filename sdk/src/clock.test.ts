import { expect, test } from 'vitest';
import { systemClock } from './clock.ts';

/** A machine that is busy with other tests may be late once. */
const BUSY = { retry: 2 };

test('a sleep is never shorter than asked, in real time', async () => {
  for (const ms of [1, 3, 10, 25]) {
    const before = performance.now();
    await systemClock.sleep(ms);
    expect(performance.now() - before).toBeGreaterThanOrEqual(ms);
  }
});

test('abort ends a sleep within 10 ms and takes the timer with it', BUSY, async () => {
  const controller = new AbortController();
  const timersBefore = timers();
  const sleep = systemClock.sleep(60_000, controller.signal);
  await systemClock.sleep(5);
  const before = performance.now();
  controller.abort();
  await sleep;
  expect(performance.now() - before).toBeLessThan(10);
  expect(timers()).toBe(timersBefore);
});

function timers() {
  return process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length;
}

test('a sleep that is longer than timers can hold does not end at once', async () => {
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
