import type pg from 'pg';
import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import type { Statement, TenantDatabase } from '../database/tenant-database.ts';
import { isDatabaseUnavailable } from '../database/unavailable.ts';
import type { Task } from '../jobs/queue-worker.ts';

export interface RetentionPeriods {
  /** How long the audit trail is kept, in whole months. */
  readonly auditMonths: number;
  /** How long scans are kept, and what each saw. Findings live as long as their project. */
  readonly scanMonths: number;
  /** How many inventories of each project are kept, the newest; uploads see to it too. */
  readonly inventoriesKept: number;
}

export interface RetentionServices {
  readonly pool: pg.Pool;
  readonly tenants: TenantDatabase;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Every day, in the small hours of UTC. */
export const RETENTION_SCHEDULE = '17 3 * * *';

/** Uploads that were never finished, because a server died, are removed after so long. */
const ABANDONED_AFTER_HOURS = 24;
const PARTITION_MONTHS_AHEAD = 4;

/**
 * Clears away what is over: sessions, tokens and throttles, idempotency records, uploads that were never finished,
 * inventories beyond the newest few, scans and audit events beyond their time. Each step stands for itself and may be repeated, so that a worker that dies in the
 * middle leaves nothing wrong behind, only something for the next day.
 */
export function retentionTask(services: RetentionServices, periods: RetentionPeriods): Task {
  const { pool, log, clock } = services;
  return async (_payload, { isStopping }) => {
    const now = clock.now();
    const { rows } = await pool.query('SELECT what, removed FROM jobs.forget_identity($1)', [now]);
    log.info({ removed: rows }, 'Cleared away what is over of people and sessions');
    await unlessBusy(log, 'The months ahead', async () => {
      await pool.query('SELECT jobs.ensure_partitions($1, $2)', [now, PARTITION_MONTHS_AHEAD]);
    });
    for (const [parent, months] of [
      ['audit_events', periods.auditMonths],
      ['scan_findings', periods.scanMonths],
    ] as const) {
      await unlessBusy(log, `Old months of ${parent}`, async () => {
        const dropped = await pool.query('SELECT jobs.retire_partitions($1, $2) AS name', [
          parent,
          monthsBefore(now, months),
        ]);
        if (dropped.rows.length > 0) log.info({ dropped: dropped.rows }, 'Dropped old months');
      });
    }
    const tenants = await pool.query<{ id: string }>('SELECT jobs.tenants() AS id');
    const failed: unknown[] = [];
    for (const { id } of tenants.rows) {
      // A stop does not wait for a thousand tenants; the others come tomorrow.
      if (isStopping()) return;
      try {
        await clearTenant(services, id, now, periods);
      } catch (error) {
        if (isDatabaseUnavailable(error)) throw error;
        failed.push(error);
        log.error({ err: error, tenant: id }, 'What is over of a tenant was not cleared away');
      }
    }
    // The queue tries again; the other tenants did not have to wait for that.
    if (failed.length > 0)
      throw new AggregateError(
        failed,
        `Of ${tenants.rows.length} tenants ${failed.length} were left out`,
      );
  };
}

const LOCK_NOT_AVAILABLE = '55P03';

/** What wants a table for itself gives way to those who read it for long, and has its time again tomorrow. */
async function unlessBusy(log: Logger, what: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const isBusy = error instanceof Error && 'code' in error && error.code === LOCK_NOT_AVAILABLE;
    if (!isBusy) throw error;
    log.warn(`${what} found no gap between other transactions; left for tomorrow`);
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
  });
  await tenants.write(tenantId, async (db) => {
    await db.sql(HOLD_QUEUED_SCANS, [tenantId]);
    await db.sql(OLD_INVENTORIES, [tenantId, inventoriesKept]);
  });
}

const SPENT_KEYS: Statement = {
  name: 'retention-idempotency',
  text: 'DELETE FROM idempotency_records WHERE tenant_id = $1 AND expires_at < $2',
};

const ABANDONED_UPLOADS: Statement = {
  name: 'retention-uploads',
  text: `DELETE FROM inventories WHERE tenant_id = $1 AND status = 'receiving' AND created_at < $2`,
};

/** A scan that is beginning at this moment has noted which inventory it reads when this has been answered. */
const HOLD_QUEUED_SCANS: Statement = {
  name: 'retention-hold-queued-scans',
  text: `SELECT 1 FROM scan_projects WHERE tenant_id = $1 AND status = 'queued'
         ORDER BY scan_id, project_id FOR NO KEY UPDATE`,
};

/** What no upload has retired since: a scan was reading it, or the number to keep was lowered. */
const OLD_INVENTORIES: Statement = {
  name: 'retention-inventories',
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
  text: 'DELETE FROM scans WHERE tenant_id = $1 AND finished_at < $2',
};

/** The first moment of the month so many months back: what is kept, is kept for whole months. */
function monthsBefore(now: Date, months: number): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, 1));
}
