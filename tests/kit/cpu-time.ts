const TICK_MS = 10;

/**
 * Measures a duration without the time that a busy machine gives to other processes. Waiting, such as for a missing
 * response, counts in full.
 */
export async function inOwnTime<T>(work: Promise<T>): Promise<{ result: T; tookMs: number }> {
  let ticks = 0;
  // A delayed timer fires only once.
  const timer = setInterval(() => {
    ticks += 1;
  }, TICK_MS);
  try {
    return { result: await work, tookMs: ticks * TICK_MS };
  } finally {
    clearInterval(timer);
  }
}
