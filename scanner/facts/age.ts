import { instantOf } from '../inventory/instant.ts';
import type { JsonObject } from '../json.ts';

const NANOSECONDS_PER_MILLISECOND = 1_000_000n;
const NANOSECONDS_PER_DAY = 86_400_000_000_000n;

/**
 * Whether more than so many days have passed since a time; exactly as many have not.
 *
 * @param time RFC 3339
 * @param days a whole number
 * @returns null where the time cannot be read
 */
export function isOlderThan(time: string | null, days: number, now: Date): boolean | null {
  const instant = instantOf(time);
  if (instant === null) return null;
  const age = BigInt(now.getTime()) * NANOSECONDS_PER_MILLISECOND - instant;
  return age > BigInt(days) * NANOSECONDS_PER_DAY;
}

const DEFAULT_DAYS = 90;

/** The parameters of a rule that counts days: how many it allows. */
export const NINETY_DAYS: JsonObject = { days: DEFAULT_DAYS };

export function daysIn(parameters: JsonObject): number {
  const { days } = parameters;
  return typeof days === 'number' && Number.isInteger(days) ? days : DEFAULT_DAYS;
}
