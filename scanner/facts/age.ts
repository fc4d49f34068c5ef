import { instantOf } from '../inventory/instant.ts';
import type { JsonObject } from '../json.ts';
import type { RuleTime } from '../rule-time.ts';

const NANOSECONDS_PER_DAY = 86_400_000_000_000n;

/**
 * Whether more than the given number of days have passed since a time; exactly that many is false.
 * @param time RFC 3339
 * @param days an integer
 * @returns null if the time cannot be parsed
 */
export function isOlderThan(time: string | null, days: number, now: RuleTime): boolean | null {
  const instant = instantOf(time);
  if (instant === null) return null;
  return now.isAfter(instant + BigInt(days) * NANOSECONDS_PER_DAY);
}

const DEFAULT_DAYS = 90;

/** The parameter of a rule with an age limit, in days. */
export const NINETY_DAYS: JsonObject = { days: DEFAULT_DAYS };

export function daysIn(parameters: JsonObject): number {
  const { days } = parameters;
  return typeof days === 'number' && Number.isInteger(days) ? days : DEFAULT_DAYS;
}
