import { useSyncExternalStore } from 'react';

const EVERY_MS = 30_000;

let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (timer === undefined) {
    // Nobody has kept the time up to date.
    now = Date.now();
    timer = setInterval(tick, EVERY_MS);
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

function tick(): void {
  now = Date.now();
  for (const listener of listeners) listener();
}

/** The time in milliseconds, which changes every 30 s. One timer for the whole page. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => now);
}
