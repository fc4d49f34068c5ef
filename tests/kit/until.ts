import { setTimeout as delay } from 'node:timers/promises';

const DEFAULT_DEADLINE_MS = 150_000;
const POLL_MS = 15;

/**
 * Polls until the answer is neither null, undefined nor false.
 * @throws {Error} that names the missing condition, after the deadline.
 */
export async function until<T>(
  what: string,
  ask: () => Promise<T | null | undefined | false>,
  withinMs = DEFAULT_DEADLINE_MS,
): Promise<T> {
  for (
    const deadline = performance.now() + withinMs;
    performance.now() < deadline;
    await delay(POLL_MS)
  ) {
    const answer = await ask();
    if (answer !== null && answer !== undefined && answer !== false) return answer;
  }
  throw new Error(`not within ${withinMs} ms: ${what}`);
}
