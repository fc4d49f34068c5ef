import { AssertionError } from 'node:assert';
import type { Received } from './server.ts';
import type { Outcome, Stage } from './stage.ts';
import type { CallName } from './subject.ts';

/** A timer may fire a millisecond early by another clock. */
const GRAIN_MS = 2;

/** @throws {AssertionError} with what was seen, unless it holds. */
export function check(holds: boolean, seen: string): asserts holds {
  if (!holds) throw new AssertionError({ message: seen });
}

/** The call came through. */
export function succeeded({ ok, error }: Outcome): void {
  check(ok, `the call failed: ${error instanceof Error ? error.message : error}`);
}

/** The call failed, with this status where one is given. */
export function failed({ ok, failure }: Outcome, status?: number): void {
  check(!ok, 'the call succeeded');
  if (status !== undefined) check(failure.status === status, `the error says ${failure.status}`);
}

/** The server was sent so many requests of a call. */
export function sentTimes(stage: Stage, call: CallName, times: number): readonly Received[] {
  const sent = stage.sent(call);
  check(sent.length === times, `${sent.length} requests`);
  return sent;
}

/** How long after each request the next one came, in milliseconds of the stage's clock. */
export function gaps(received: readonly Received[]): number[] {
  return received.slice(1).map(({ at }, before) => at - (received[before]?.at ?? 0));
}

/** The second request of a call came so long after the first. */
export function cameAfter(stage: Stage, call: CallName, leastMs: number, mostMs: number): void {
  const [gap] = gaps(stage.sent(call));
  check(gap !== undefined, 'no second request');
  within(gap, leastMs, mostMs + stage.slackMs, 'the second request came after');
}

export function within(ms: number, leastMs: number, mostMs: number, what: string): void {
  check(ms >= leastMs - GRAIN_MS && ms <= mostMs + GRAIN_MS, `${what} ${Math.round(ms)} ms`);
}

/** All carry the same Idempotency-Key, and one at all. */
export function oneKey(received: readonly Received[]): void {
  const keys = new Set(received.map(({ headers }) => headers['idempotency-key']));
  check(!keys.has(undefined), 'no Idempotency-Key');
  check(keys.size === 1, `${keys.size} different keys`);
}

export function same(actual: unknown, expected: unknown, what: string): void {
  const [seen, wanted] = [JSON.stringify(actual), JSON.stringify(expected)];
  check(seen === wanted, `${what}: ${seen}, not ${wanted}`);
}

/** Waits in real time: for what has no end that could be waited for. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Waits until the server has what it must have; a case that waits in vain is stopped by its limit. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await pause(5);
}
