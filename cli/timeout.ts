import { UsageError } from './usage-error.ts';

const UNITS_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000 };
const LONGEST_MS = 24 * 3_600_000;

/**
 * The value of `--timeout`, such as `30m`, in milliseconds.
 * @throws {UsageError} for anything but a number of seconds, minutes or hours, up to 24 hours
 */
export function millisecondsOf(timeout: string): number {
  const [, number, unit = ''] = /^([1-9]\d{0,5})([smh])$/.exec(timeout) ?? [];
  const ms = Number(number) * (UNITS_MS[unit] ?? Number.NaN);
  if (ms <= LONGEST_MS) return ms;
  throw new UsageError(
    `--timeout does not accept "${timeout}". It needs a number of seconds, minutes or hours up to 24h, such as 90s, 30m or 2h.`,
  );
}
