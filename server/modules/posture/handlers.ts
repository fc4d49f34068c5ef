import { POSTURE_MOST_DAYS } from '@cspm/contract';
import type { TenantConnection } from '../../platform/database/tenant-database.ts';
import type { HandlersOf } from '../../platform/handler.ts';
import { notFound, ProblemError } from '../../platform/problem.ts';
import { dayOf } from './record.ts';
import { summarise } from './summary.ts';
import { addDays, daysBetween, mondayOf, trendPoints } from './trend.ts';
import { type DayRange, findProjectId, postureRows } from './trend-queries.ts';

/** The range of a trend that names no first day. */
const DEFAULT_DAYS = 90;

export const posture: HandlersOf<'posture', object> = {
  async summary({ input: { query }, db, origin }) {
    return { status: 200, body: await summarise(db, query.limit, origin.at) };
  },

  async trend({ input: { query }, db, origin }) {
    const today = dayOf(origin.at);
    const range = rangeOf(query, today);
    const projectId = query.project === undefined ? null : await find(db, query.project);
    const isWeekly = query.interval === 'week';
    const counted = {
      from: isWeekly ? mondayOf(range.from) : range.from,
      to: range.to < today ? range.to : today,
    };
    const rows = await postureRows(db, projectId, counted);
    return {
      status: 200,
      body: {
        project: query.project ?? null,
        ...range,
        interval: query.interval,
        points: trendPoints(rows, counted, isWeekly ? 7 : 1),
      },
    };
  },
};

/** Before the product; years that Postgres or JavaScript write differently are refused with it. */
const EARLIEST = '2000-01-01';

/** @throws {ProblemError} VALIDATION_FAILED for a range that ends before it begins, is too early or too long. */
function rangeOf(query: { from?: string | undefined; to?: string | undefined }, today: string) {
  const to = query.to ?? today;
  if (to < EARLIEST) throw invalid('to', `must not be before ${EARLIEST}`);
  const range: DayRange = { from: query.from ?? addDays(to, 1 - DEFAULT_DAYS), to };
  const days = daysBetween(range.from, range.to) + 1;
  if (range.from < EARLIEST) throw invalid('from', `must not be before ${EARLIEST}`);
  if (days < 1) throw invalid('from', 'must not be after `to`');
  if (days > POSTURE_MOST_DAYS)
    throw invalid('from', `must be at most ${POSTURE_MOST_DAYS - 1} days before \`to\``);
  return range;
}

function invalid(parameter: 'from' | 'to', message: string): ProblemError {
  const path = `query.${parameter}`;
  const errors = [{ path, message }];
  return new ProblemError('VALIDATION_FAILED', `${path} ${message}.`, { members: { errors } });
}

async function find(db: TenantConnection, name: string): Promise<string> {
  const id = await findProjectId(db, name);
  if (id === null) throw notFound();
  return id;
}
