import type pg from 'pg';
import type { Logger } from 'pino';
import { isOutage } from '../../platform/database/unavailable.ts';
import type { Task } from '../../platform/queue-worker.ts';
import { deleteFailedMails } from './failed-mails.ts';
import {
  monthsBefore,
  partitionedTables,
  purgeTenant,
  type RetentionPeriods,
  type RetentionServices,
} from './purge-tenant.ts';

/** The shortest retention. `jobs.retire_partitions` enforces it too, for every caller. */
export const MIN_RETENTION_MONTHS = 1;

/** Daily at 03:17 UTC. */
export const RETENTION_SCHEDULE = '17 3 * * *';

const PARTITION_MONTHS_AHEAD = 4;

/** Registrations that one statement deletes. */
const REGISTRATIONS_AT_ONCE = 100;

/**
 * Deletes expired data: sessions, tokens, throttles, registrations that nobody confirmed, idempotency records, unfinished uploads, inventories beyond the
 * newest few, indexes of assets that are left of inventories, deliveries of webhooks, failed mails, old scans and audit events, and
 * what is left of former members. Each step is independent and repeatable: after a crash, the next run continues.
 */
export function retentionTask(services: RetentionServices, periods: RetentionPeriods): Task {
  const { pool, log } = services;
  return async (_payload, { isStopping }) => {
    const now = await presentOf(services);
    const failed: unknown[] = [];
    for (const [step, work] of commonSteps(services, periods, { now, isStopping })) {
      if (isStopping()) return;
      try {
        await work();
      } catch (error) {
        if (isOutage(error)) throw error;
        failed.push(error);
        log.error({ err: error, step }, 'Failed to purge expired rows');
      }
    }
    const steps = failed.length;
    const tenants = await pool.query<{ id: string; moved: boolean }>(TENANTS);
    let failedTenants = 0;
    for (const { id, moved } of tenants.rows) {
      // A shutdown must not wait for all tenants; the next run handles the others.
      if (isStopping()) return;
      const errors = await purgeTenant(services, id, { now, periods, isStopping }, moved);
      failed.push(...errors);
      if (errors.length > 0) failedTenants += 1;
    }
    // Fail at the end only, so that other steps and tenants are not delayed; the queue then retries.
    const ofSteps = steps > 0 ? ` and in ${steps} steps for all tenants` : '';
    if (failed.length > 0)
      throw new AggregateError(
        failed,
        `Failed to purge ${failedTenants} of ${tenants.rows.length} tenants${ofSteps}`,
      );
  };
}

const TENANTS = `
  SELECT t.id, false AS moved FROM jobs.tenants() AS t(id)
  UNION ALL SELECT m.id, true FROM jobs.moved_tenants() AS m(id)`;

/** A clock that is ahead of the database's does not count: it would delete data that has not expired. */
async function presentOf({ pool, clock }: RetentionServices): Promise<Date> {
  const { rows } = await pool.query<{ now: Date }>('SELECT jobs.not_after_now($1) AS now', [
    clock.now(),
  ]);
  const [row] = rows;
  if (row === undefined) throw new Error('The database did not return its time');
  return row.now;
}

interface Run {
  readonly now: Date;
  isStopping(): boolean;
}

/** What is done once for all tenants, by its name in the log. */
function commonSteps(
  { pool, log }: RetentionServices,
  periods: RetentionPeriods,
  { now, isStopping }: Run,
): [step: string, work: () => Promise<void>][] {
  return [
    [
      'people and sessions',
      async () => {
        const { rows } = await pool.query<{ what: string; removed: number }>(
          'SELECT what, removed FROM jobs.forget_identity($1)',
          [now],
        );
        log.info({ removed: rows }, 'Deleted expired rows of people and sessions');
      },
    ],
    [
      'unconfirmed registrations',
      async () => {
        let all = 0;
        for (let some = REGISTRATIONS_AT_ONCE; some === REGISTRATIONS_AT_ONCE && !isStopping(); ) {
          some = await forgetRegistrations(pool, now);
          all += some;
        }
        if (all > 0)
          log.info({ registrations: all }, 'Deleted registrations that nobody confirmed');
      },
    ],
    [
      'failed mails',
      async () => {
        const failedMails = await deleteFailedMails(pool, isStopping);
        if (failedMails > 0) log.info({ failedMails }, 'Deleted old mails that could not be sent');
      },
    ],
    [
      'future partitions',
      async () => {
        await unlessBusy(log, 'Creating future partitions', async () => {
          await pool.query('SELECT jobs.ensure_partitions($1, $2)', [now, PARTITION_MONTHS_AHEAD]);
        });
        const { rows } = await pool.query<{ name: string }>(MISSING_PARTITIONS, [
          partitionedTables(periods).map(([parent]) => parent),
          now,
          PARTITION_MONTHS_AHEAD,
        ]);
        if (rows.length > 0)
          log.warn(
            { missing: rows.map(({ name }) => name) },
            'Partitions are missing. Their rows are in the default partition, and are deleted one by one after the retention period',
          );
      },
    ],
    ...partitionedTables(periods).map(([parent, months]): [string, () => Promise<void>] => [
      `partitions of ${parent}`,
      () =>
        unlessBusy(log, `Dropping expired partitions of ${parent}`, async () => {
          const dropped = await pool.query<{ name: string }>(
            'SELECT jobs.retire_partitions($1, $2) AS name',
            [parent, monthsBefore(now, months)],
          );
          if (dropped.rows.length > 0)
            log.info({ dropped: dropped.rows }, 'Dropped expired partitions');
        }),
    ]),
  ];
}

async function forgetRegistrations(pool: pg.Pool, now: Date): Promise<number> {
  const { rows } = await pool.query<{ removed: number }>(
    'SELECT jobs.forget_registrations($1, $2) AS removed',
    [now, REGISTRATIONS_AT_ONCE],
  );
  return rows[0]?.removed ?? 0;
}

/** Of the months from now on. They are created ahead, unless the locks are not available or a month has rows in the default partition. */
const MISSING_PARTITIONS = `
  SELECT wanted.name FROM (
    SELECT parent, parent || to_char(date_trunc('month', $2::timestamptz AT TIME ZONE 'UTC') + make_interval(months => ahead), '_YYYY_MM')
    FROM unnest($1::text[]) AS parent, generate_series(0, $3::int - 1) AS ahead
  ) AS wanted (parent, name)
  WHERE NOT EXISTS (
    SELECT 1 FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = format('public.%I', wanted.parent)::regclass AND c.relname = wanted.name
  )
  ORDER BY 1`;

const LOCK_NOT_AVAILABLE = '55P03';

/** A step that needs an exclusive table lock gives up when readers hold the table, and runs again the next day. */
async function unlessBusy(log: Logger, what: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const isBusy = error instanceof Error && 'code' in error && error.code === LOCK_NOT_AVAILABLE;
    if (!isBusy) throw error;
    log.warn(`${what}: could not acquire the locks; retrying tomorrow`);
  }
}
