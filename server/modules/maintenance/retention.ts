import type pg from 'pg';
import type { Logger } from 'pino';
import type { Clock } from '../../platform/clock.ts';
import type { Statement, TenantDatabase } from '../../platform/database/tenant-database.ts';
import { isOutage } from '../../platform/database/unavailable.ts';
import type { Task } from '../../platform/queue-worker.ts';
import { deleteLeftIndexes } from '../inventories/index.ts';
import { deleteFailedMails } from './failed-mails.ts';
import { eraseFormerMembers } from './former-members.ts';

export interface RetentionPeriods {
  /** Retention of the audit trail, in whole months. */
  readonly auditMonths: number;
  /** Retention of scans and their findings lists. Findings themselves live as long as their project. */
  readonly scanMonths: number;
  /** Number of newest inventories kept per project. Uploads enforce it too. */
  readonly inventoriesKept: number;
}

export interface RetentionServices {
  readonly pool: pg.Pool;
  readonly tenants: TenantDatabase;
  readonly clock: Clock;
  readonly log: Logger;
}

/** The shortest retention. `jobs.retire_partitions` enforces it too, for every caller. */
export const MIN_RETENTION_MONTHS = 1;

/** Daily at 03:17 UTC. */
export const RETENTION_SCHEDULE = '17 3 * * *';

/** Unfinished uploads are removed after this time; their server has died. */
const ABANDONED_AFTER_HOURS = 24;
/** Deliveries of webhooks are kept this long, for a person who looks why one failed. */
const DELIVERIES_DAYS = 30;
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
    const failed: unknown[] = [];
    for (const { id } of tenants.rows) {
      // A shutdown must not wait for all tenants; the next run handles the others.
      if (isStopping()) return;
      try {
        await clearTenant(services, id, now, periods);
        await eraseFormerMembers(services.tenants, id, isStopping);
        await deleteLeftIndexes(services.tenants, id, isStopping);
      } catch (error) {
        if (isOutage(error)) throw error;
        failed.push(error);
        log.error({ err: error, tenant: id }, 'Failed to purge expired rows of a tenant');
      }
    }
    // Fail at the end only, so that other tenants are not delayed; the queue then retries.
    if (failed.length > 0)
      throw new AggregateError(
        failed,
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

async function clearTenant(
  { tenants }: RetentionServices,
  tenantId: string,
  now: Date,
  { scanMonths, inventoriesKept }: RetentionPeriods,
): Promise<void> {
  const abandoned = new Date(now.getTime() - ABANDONED_AFTER_HOURS * 3_600_000);
  await tenants.write(tenantId, async (db) => {
    await db.sql(SPENT_KEYS, [tenantId, now]);
    await db.sql(ABANDONED_UPLOADS, [tenantId, abandoned]);
    await db.sql(OLD_SCANS, [tenantId, monthsBefore(now, scanMonths)]);
    const deliveredBefore = new Date(now.getTime() - DELIVERIES_DAYS * 24 * 3_600_000);
    await db.sql(OLD_DELIVERIES, [tenantId, deliveredBefore]);
    await db.sql(OLD_EVENTS, [tenantId, deliveredBefore]);
  });
  await tenants.write(tenantId, async (db) => {
    await db.sql(HOLD_QUEUED_SCANS, [tenantId]);
    await db.sql(OLD_INVENTORIES, [tenantId, inventoriesKept]);
  });
}

const SPENT_KEYS: Statement = {
  name: 'retention-idempotency',
  reason: 'set',
  text: 'DELETE FROM idempotency_records WHERE tenant_id = $1 AND expires_at < $2',
};

const ABANDONED_UPLOADS: Statement = {
  name: 'retention-uploads',
  reason: 'set',
  text: `DELETE FROM inventories WHERE tenant_id = $1 AND status = 'receiving' AND created_at < $2`,
};

/** Waits for scans that are starting now; afterwards they have recorded which inventory they read. */
const HOLD_QUEUED_SCANS: Statement = {
  name: 'retention-hold-queued-scans',
  reason: 'lock',
  text: `SELECT 1 FROM scan_projects WHERE tenant_id = $1 AND status = 'queued'
         ORDER BY scan_id, project_id FOR NO KEY UPDATE`,
};

/** Inventories that uploads have not removed, because a scan was reading them or the number to keep was lowered. */
const OLD_INVENTORIES: Statement = {
  name: 'retention-inventories',
  reason: 'set',
  text: `WITH ranked AS (
           SELECT id, row_number() OVER (PARTITION BY project_id ORDER BY created_at DESC, id DESC) AS place
           FROM inventories WHERE tenant_id = $1 AND status = 'ready'
         )
         DELETE FROM inventories i USING ranked r
         WHERE i.tenant_id = $1 AND i.id = r.id AND r.place > $2
           AND NOT EXISTS (SELECT 1 FROM projects p WHERE p.tenant_id = $1 AND p.inventory_id = i.id)
           AND NOT EXISTS (
             SELECT 1 FROM scan_projects s
             WHERE s.tenant_id = $1 AND s.project_id = i.project_id AND s.inventory_id = i.id AND s.status = 'running')`,
};

const OLD_SCANS: Statement = {
  name: 'retention-scans',
  reason: 'set',
  text: 'DELETE FROM scans WHERE tenant_id = $1 AND finished_at < $2',
};

const OLD_DELIVERIES: Statement = {
  name: 'retention-deliveries',
  reason: 'set',
  text: `DELETE FROM webhook_deliveries WHERE tenant_id = $1 AND created_at < $2 AND status <> 'pending'`,
};

const OLD_EVENTS: Statement = {
  name: 'retention-events',
  reason: 'set',
  text: `DELETE FROM webhook_events e WHERE e.tenant_id = $1 AND e.created_at < $2
           AND NOT EXISTS (SELECT 1 FROM webhook_deliveries d WHERE d.tenant_id = $1 AND d.event_id = e.id)`,
};

/** The start of the month that is this many months ago. Data is kept for whole months. */
function monthsBefore(now: Date, months: number): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, 1));
}
