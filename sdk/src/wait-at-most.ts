import { stopped } from './failure.ts';
import { timeLimit } from './time-limit.ts';

/**
 * Waits for a promise with a time limit. The promise itself continues, because others may wait for it.
 * @throws {TimeoutError} when the time is over.
 * @throws {AbortError} when the caller aborts.
 */
export function waitAtMost<T>(
  promise: Promise<T>,
  ms: number,
  signal: AbortSignal | undefined,
): Promise<T> {
  let end = () => {};
  return new Promise<T>((resolve, reject) => {
    end = timeLimit(ms, signal, (reason) => reject(stopped(reason)));
    promise.then(resolve, reject);
  }).finally(end);
}
