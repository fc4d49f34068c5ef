import { AssertionError } from 'node:assert';
import type { Received } from './server.ts';
import type { Outcome, Stage } from './stage.ts';
import type { CallName } from './subject.ts';

/** A timer may fire one millisecond early as measured by another clock. */
const GRAIN_MS = 2;

/** @throws {AssertionError} with what was observed, when the condition does not hold. */
export function check(holds: boolean, seen: string): asserts holds {
  if (!holds) throw new AssertionError({ message: seen });
}

/** Checks that the call succeeded. */
export function succeeded({ ok, error }: Outcome): void {
  check(ok, `the call failed: ${error instanceof Error ? error.message : error}`);
}

/** Checks that the call failed, with this status if one is given. */
export function failed({ ok, failure }: Outcome, status?: number): void {
  check(!ok, 'the call succeeded');
  if (status !== undefined) check(failure.status === status, `the error says ${failure.status}`);
}

/** Checks how many requests of a call the server received. */
export function sentTimes(stage: Stage, call: CallName, times: number): readonly Received[] {
  const sent = stage.sent(call);
  check(sent.length === times, `${sent.length} requests`);
  return sent;
}

/** Milliseconds between consecutive requests on the stage's clock. */
export function gaps(received: readonly Received[]): number[] {
  return received.slice(1).map(({ at }, before) => at - (received[before]?.at ?? 0));
}

/** Checks the time between the first and the second request of a call. */
export function cameAfter(stage: Stage, call: CallName, leastMs: number, maxMs: number): void {
  const [gap] = gaps(stage.sent(call));
  check(gap !== undefined, 'no second request');
  within(gap, leastMs, maxMs + stage.slackMs, 'the second request came after');
}

export function within(ms: number, leastMs: number, maxMs: number, what: string): void {
  check(ms >= leastMs - GRAIN_MS && ms <= maxMs + GRAIN_MS, `${what} ${Math.round(ms)} ms`);
}

/** Checks that all requests carry the same Idempotency-Key. */
export function oneKey(received: readonly Received[]): void {
  const keys = new Set(received.map(({ headers }) => headers['idempotency-key']));
  check(!keys.has(undefined), 'no Idempotency-Key');
  check(keys.size === 1, `${keys.size} different keys`);
}

export function same(actual: unknown, expected: unknown, what: string): void {
  const [seen, wanted] = [JSON.stringify(actual), JSON.stringify(expected)];
  check(seen === wanted, `${what}: ${seen}, not ${wanted}`);
}

/** Waits in real time, where there is no condition to wait for. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Waits for a condition on the server; the time limit of the case ends the wait. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await pause(5);
}
