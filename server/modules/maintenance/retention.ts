import type { Logger } from 'pino';
import type { Task } from '../../platform/queue-worker.ts';
import { deleteFailedMails } from './failed-mails.ts';
import {
  monthsBefore,
  purgeTenant,
  type RetentionPeriods,
  type RetentionServices,
} from './purge-tenant.ts';

/** The shortest retention. `jobs.retire_partitions` enforces it too, for every caller. */
export const MIN_RETENTION_MONTHS = 1;

/** Daily at 03:17 UTC. */
export const RETENTION_SCHEDULE = '17 3 * * *';

const PARTITION_MONTHS_AHEAD = 4;

/**
 * Deletes expired data: sessions, tokens, throttles, idempotency records, unfinished uploads, inventories beyond the
 * newest few, indexes of assets that are left of inventories, deliveries of webhooks, failed mails, old scans and audit events, and
 * what is left of former members. Each step is independent and repeatable: after a crash, the next run continues.
 */
export function retentionTask(services: RetentionServices, periods: RetentionPeriods): Task {
  const { pool, log, clock } = services;
  return async (_payload, { isStopping }) => {
    const now = clock.now();
    const { rows } = await pool.query<{ what: string; removed: number }>(
      'SELECT what, removed FROM jobs.forget_identity($1)',
      [now],
    );
    log.info({ removed: rows }, 'Deleted expired rows of people and sessions');
    const failedMails = await deleteFailedMails(pool, isStopping);
    if (failedMails > 0) log.info({ failedMails }, 'Deleted old mails that could not be sent');
    await unlessBusy(log, 'Creating future partitions', async () => {
      await pool.query('SELECT jobs.ensure_partitions($1, $2)', [now, PARTITION_MONTHS_AHEAD]);
    });
    for (const [parent, months] of [
      ['audit_events', periods.auditMonths],
      ['scan_findings', periods.scanMonths],
    ] as const) {
      await unlessBusy(log, `Dropping expired partitions of ${parent}`, async () => {
        const dropped = await pool.query<{ name: string }>(
          'SELECT jobs.retire_partitions($1, $2) AS name',
          [parent, monthsBefore(now, months)],
        );
        if (dropped.rows.length > 0)
          log.info({ dropped: dropped.rows }, 'Dropped expired partitions');
      });
    }
    const tenants = await pool.query<{ id: string }>('SELECT jobs.tenants() AS id');
    const failed: unknown[][] = [];
    for (const { id } of tenants.rows) {
      // A shutdown must not wait for all tenants; the next run handles the others.
      if (isStopping()) return;
      const errors = await purgeTenant(services, id, { now, periods, isStopping });
      if (errors.length > 0) failed.push(errors);
    }
    // Fail at the end only, so that other tenants are not delayed; the queue then retries.
    if (failed.length > 0)
      throw new AggregateError(
        failed.flat(),
        `Failed to purge ${failed.length} of ${tenants.rows.length} tenants`,
      );
  };
}

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
