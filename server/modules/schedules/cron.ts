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
  if (parse(timing) === null) {
    return { member: 'cron', message: 'is not a valid cron expression' };
  }
  if (nextRunAfter(timing, now) === null) {
    return {
      member: 'cron',
      message: 'never runs; no date has its day of month, month and day of week',
    };
  }
  return null;
}

/** The longest time between two dates that match is 40 years: 29 February on a given day of the week, around 2100. */
const SEARCHED_YEARS = 41;

/**
 * The first run after a moment. Daylight saving time is handled as croner does: a fixed time that does not exist runs
 * after the gap, unless the gap lasts until midnight, and one that occurs twice runs at its first occurrence. croner
 * would search for 400 years, day by day, so the search is limited to the years in which a run can be.
 * @returns null when there is none.
 */
export function nextRunAfter(timing: Timing, moment: Date): Date | null {
  const { cron, timezone } = timing;
  if (parse(timing) === null) throw new Error(`A stored cron expression is invalid: ${cron}`);
  if (!hasDate(cron)) return null;
  const year = moment.getUTCFullYear();
  // The year of the moment in the time zone can be another than in UTC.
  const years = `${year - 1}-${year + SEARCHED_YEARS}`;
  const options = { timezone, mode: '7-part', paused: true } as const;
  return new Cron(`0 ${cron} ${years}`, options).nextRun(moment);
}

/**
 * Whether any date has the day of month, month and day of week of a valid expression. Months that have the same length
 * and begin on the same day of the week are alike, so at most one of each kind is searched.
 */
function hasDate(cron: string): boolean {
  const [, , day, month, weekday] = cron.split(' ');
  // An offset instead of a time zone: croner then calculates without Intl.
  const options = { utcOffset: 0, mode: '5-part', paused: true } as const;
  const months = new Cron(`0 0 * ${month} *`, options);
  const dates = new Cron(`0 0 ${day} * ${weekday}`, options);
  const searched = new Set<string>();
  // The calendar repeats after 28 years.
  for (let at = 0; at < 28 * 12; at += 1) {
    const first = new Date(Date.UTC(2001, at, 1));
    const days = new Date(Date.UTC(2001, at + 1, 0)).getUTCDate();
    const kind = `${days} ${first.getUTCDay()}`;
    if (searched.has(kind) || !months.match(first)) continue;
    searched.add(kind);
    for (let date = 1; date <= days; date += 1) {
      if (dates.match(new Date(Date.UTC(2001, at, date)))) return true;
    }
  }
  return false;
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
