import { type Coverage, coverageOf, scoreOf } from './score.ts';
import type { DayRange, PostureRow } from './trend-queries.ts';

export interface TrendPoint {
  readonly date: string;
  readonly open: {
    readonly critical: number;
    readonly high: number;
    readonly medium: number;
    readonly low: number;
    readonly info: number;
  };
  readonly opened: number;
  readonly resolved: number;
  readonly score: number | null;
  readonly coverage: Coverage;
}

const DAY_MS = 86_400_000;

/** The day that lies so many days after another. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
}

/** How many days lie between two days; negative when the second comes first. */
export function daysBetween(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / DAY_MS;
}

/** The Monday of the day's week (ISO 8601). */
export function mondayOf(day: string): string {
  return addDays(day, -((new Date(day).getUTCDay() + 6) % 7));
}

/**
 * One point per day or week of a range, from the first that has a row.
 * @param rows oldest first; one may lie before the range, and its values hold until the next.
 * @param days the length of an interval; the range begins with one
 */
export function trendPoints(
  rows: readonly PostureRow[],
  { from, to }: DayRange,
  days: 1 | 7,
): TrendPoint[] {
  const points: TrendPoint[] = [];
  let next = 0;
  let last: PostureRow | null = null;
  // Days of this form are in the order of their text.
  for (let date = from; date <= to; date = addDays(date, days)) {
    const after = addDays(date, days);
    let opened = 0;
    let resolved = 0;
    for (let row = rows[next]; row !== undefined && row.day < after; row = rows[next]) {
      if (row.day >= date) {
        opened += row.opened;
        resolved += row.resolved;
      }
      last = row;
      next += 1;
    }
    if (last !== null) points.push({ date, ...standingOf(last), opened, resolved });
  }
  return points;
}

/** What a row says of the end of its day. */
export function standingOf(row: Omit<PostureRow, 'day' | 'opened' | 'resolved'>) {
  const { critical, high, medium, low, info } = row;
  return {
    open: { critical, high, medium, low, info },
    score: scoreOf(row.passed_weight, row.decided_weight),
    coverage: coverageOf(row.decided, row.unknown),
  };
}
