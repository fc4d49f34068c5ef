import { Cron } from 'croner';

/** The times at which a schedule runs. */
export interface Timing {
  readonly cron: string;
  readonly timezone: string;
}

/** Why a schedule cannot have these times: the member at fault and the remedy. */
interface TimingFault {
  readonly member: keyof Timing;
  readonly message: string;
}

/** The fields of an expression in their order, with what they take. */
const FIELDS = [
  'minute field (0-59)',
  'hour field (0-23)',
  'day of month field (1-31)',
  'month field (1-12 or JAN-DEC)',
  'day of week field (0-7 or SUN-SAT)',
] as const;

/** With one value for the minute, two runs of a clock without changes are at least an hour apart. */
const ONE_MINUTE = /^[0-5]?\d$/;

/**
 * Checks an expression without enumerating its runs.
 * @returns null when a schedule can run at these times.
 */
export function timingFault(timing: Timing, now: Date): TimingFault | null {
  const { cron, timezone } = timing;
  if (!isTimeZone(timezone)) {
    return { member: 'timezone', message: 'is not an IANA time zone; use one like Europe/Berlin' };
  }
  const fields = cron.split(' ');
  const invalid = FIELDS.find((_, place) => {
    const alone = fields.map((field, at) => (at === place ? field : '*')).join(' ');
    return parse({ cron: alone, timezone }) === null;
  });
  if (invalid !== undefined) {
    return {
      member: 'cron',
      message: `has an invalid ${invalid}; a field takes *, numbers, lists (1,3), ranges (1-5) and steps (*/2)`,
    };
  }
  if (!ONE_MINUTE.test(fields[0] ?? '')) {
    return {
      member: 'cron',
      message:
        'runs more often than once an hour; the minute field must be one number from 0 to 59, as in 0 * * * *',
    };
  }
  const parsed = parse(timing);
  if (parsed === null) return { member: 'cron', message: 'is not a valid cron expression' };
  if (parsed.nextRun(now) === null) {
    return {
      member: 'cron',
      message: 'never runs; no date has its day of month, month and day of week',
    };
  }
  return null;
}

/**
 * The first run after a moment. Daylight saving time is handled as croner does: a fixed time that does not exist runs
 * after the gap, and one that occurs twice runs at its first occurrence.
 * @returns null when there is none.
 */
export function nextRunAfter(timing: Timing, moment: Date): Date | null {
  const parsed = parse(timing);
  if (parsed === null) throw new Error(`A stored cron expression is invalid: ${timing.cron}`);
  return parsed.nextRun(moment);
}

function parse({ cron, timezone }: Timing): Cron | null {
  try {
    return new Cron(cron, { timezone, mode: '5-part', paused: true });
  } catch {
    return null;
  }
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
