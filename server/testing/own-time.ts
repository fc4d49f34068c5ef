const TICK_MS = 10;

/**
 * How long something takes, in the time that this process had: what a busy machine gives to other processes meanwhile does
 * not count. What waits, as for an answer that does not come, is seen as it is.
 */
export async function inOwnTime<T>(work: Promise<T>): Promise<{ result: T; tookMs: number }> {
  let ticks = 0;
  // A timer that is late fires once, however late it is.
  const timer = setInterval(() => {
    ticks += 1;
  }, TICK_MS);
  try {
    return { result: await work, tookMs: ticks * TICK_MS };
  } finally {
    clearInterval(timer);
  }
}
