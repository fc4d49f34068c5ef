import type { Clock } from './clock.ts';
import { waitAtMost } from './wait-at-most.ts';

export const systemClock: Clock = {
  now: () => performance.now(),
  wallNow: () => Date.now(),
  random: Math.random,
  // Timers may fire up to a millisecond early.
  sleep: (ms, signal) => waitAtMost(new Promise<void>(() => {}), ms + 1, signal).catch(() => {}),
};
