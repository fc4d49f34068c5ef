import type { Attempt } from './errors.ts';
import { stopped } from './failure.ts';
import { timeLimit } from './time-limit.ts';

/**
 * Waits for a promise, which goes on for others, until the time is over or the caller aborts.
 * @throws {TimeoutError} when the time is over.
 * @throws {AbortError} when the caller aborts.
 */
export async function waitAtMost<T>(
  promise: Promise<T>,
  ms: number,
  caller: AbortSignal | undefined,
  attempts: readonly Attempt[],
): Promise<T> {
  const { signal, end } = timeLimit(ms, caller);
  const stop = new Promise<never>((_, reject) => {
    const onStop = () => reject(stopped(signal.reason, attempts));
    if (signal.aborted) onStop();
    signal.addEventListener('abort', onStop);
  });
  return Promise.race([promise, stop]).finally(end);
}
