import type pg from 'pg';
import type { Logger } from 'pino';
import type { Clock } from '../../platform/clock.ts';
import type {
  Statement,
  TenantConnection,
  TenantDatabase,
} from '../../platform/database/tenant-database.ts';
import { isOutage, isTenantRefused } from '../../platform/database/unavailable.ts';
import { deleteLeftIndexes } from '../inventories/index.ts';
import { eraseFormerMembers } from './former-members.ts';

export interface RetentionPeriods {
  /** Retention of the audit trail, in whole months. */
  readonly auditMonths: number;
  /** Retention of scans and their findings lists, and of mutes after their end. Findings live as long as their project. */
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

/** Unfinished uploads are removed after this time; their server has died. */
const ABANDONED_AFTER_HOURS = 24;
/** Deliveries of webhooks are kept this long, for a person who looks why one failed. */
const DELIVERIES_DAYS = 30;
/** Scans that one statement deletes. Each may have some 10,000 rows: one for each rule and project. */
const SCANS_AT_ONCE = 10;
/** Inventories that one statement deletes. Each has a chunk for each MiB, 10,000 or more if it is large. */
const INVENTORIES_AT_ONCE = 1;
/** Mutes that one statement deletes. */
const MUTES_AT_ONCE = 10_000;
/** Deliveries or events that one statement deletes. */
const DELIVERIES_AT_ONCE = 10_000;
/** Rows of a default partition that one statement deletes. `jobs.retire_default_rows` allows no more. */
const DEFAULT_ROWS_AT_ONCE = 10_000;

interface Run {
  readonly now: Date;
  readonly periods: RetentionPeriods;
  isStopping(): boolean;
}

/**
 * Deletes expired rows of a tenant. A step that fails does not keep the others from running.
 * @param hasMoved whether its rows are in another database, except what operations on identities recorded.
 * @returns the errors of its steps.
 * @throws if the database is unavailable.
 */
export async function purgeTenant(
  { tenants, log }: RetentionServices,
  tenantId: string,
  run: Run,
  hasMoved = false,
): Promise<unknown[]> {
  const errors: unknown[] = [];
  for (const [step, work] of Object.entries(hasMoved ? STEPS_OF_MOVED : STEPS)) {
    if (run.isStopping()) break;
    try {
      await work(tenants, tenantId, run);
    } catch (error) {
      if (isOutage(error)) throw error;
      errors.push(error);
      log.error({ err: error, tenant: tenantId, step }, 'Failed to purge expired rows of a tenant');
      if (isTenantRefused(error)) break;
    }
  }
  return errors;
}

type Step = (tenants: TenantDatabase, tenantId: string, run: Run) => Promise<void>;

/** In the order in which they run, by what they delete. */
const STEPS: Readonly<Record<string, Step>> = {
  'idempotency records': purgeSpentKeys,
  'unfinished uploads': (tenants, tenantId, { now, isStopping }) => {
    const expiry = new Date(now.getTime() - ABANDONED_AFTER_HOURS * 3_600_000);
    const most = INVENTORIES_AT_ONCE;
    return inBatches({ tenants, tenantId, isStopping, most }, (db) =>
      db.sql(ABANDONED_UPLOADS, [tenantId, expiry, most]),
    );
  },
  scans: (tenants, tenantId, { now, periods, isStopping }) => {
    const expiry = monthsBefore(now, periods.scanMonths);
    const most = SCANS_AT_ONCE;
    return inBatches({ tenants, tenantId, isStopping, most }, async (db) => {
      const held = await db.sql<{ id: string }>(HOLD_OLD_SCANS, [tenantId, expiry, most]);
      return db.sql(OLD_SCANS, [tenantId, held.map(({ id }) => id)]);
    });
  },
  'rows without a month': async (tenants, tenantId, run) => {
    for (const table of partitionedTables(run.periods)) {
      await deleteDefaultRows(tenants, tenantId, run, table);
    }
  },
  mutes: (tenants, tenantId, { now, periods, isStopping }) => {
    const expiry = monthsBefore(now, periods.scanMonths);
    const most = MUTES_AT_ONCE;
    return inBatches({ tenants, tenantId, isStopping, most }, (db) =>
      db.sql(OLD_MUTES, [tenantId, expiry, most]),
    );
  },
  deliveries: async (tenants, tenantId, { now, isStopping }) => {
    const expiry = new Date(now.getTime() - DELIVERIES_DAYS * 24 * 3_600_000);
    const most = DELIVERIES_AT_ONCE;
    const of = { tenants, tenantId, isStopping, most };
    await inBatches(of, (db) => db.sql(OLD_DELIVERIES, [tenantId, expiry, most]));
    await inBatches(of, (db) => db.sql(OLD_EVENTS, [tenantId, expiry, most]));
  },
  inventories: (tenants, tenantId, { periods, isStopping }) => {
    const most = INVENTORIES_AT_ONCE;
    return inBatches({ tenants, tenantId, isStopping, most }, async (db) => {
      await db.sql(HOLD_QUEUED_SCANS, [tenantId]);
      return db.sql(OLD_INVENTORIES, [tenantId, periods.inventoriesKept, most]);
    });
  },
  'former members': (tenants, tenantId, { isStopping }) =>
    eraseFormerMembers(tenants, tenantId, isStopping),
  'asset indexes': (tenants, tenantId, { isStopping }) =>
    deleteLeftIndexes(tenants, tenantId, isStopping),
};

/** For the rows of a tenant on a cell that the directory database keeps. */
const STEPS_OF_MOVED: Readonly<Record<string, Step>> = {
  'idempotency records': purgeSpentKeys,
  'audit events without a month': (tenants, tenantId, run) =>
    deleteDefaultRows(tenants, tenantId, run, ['audit_events', run.periods.auditMonths]),
};

async function purgeSpentKeys(
  tenants: TenantDatabase,
  tenantId: string,
  { now }: Run,
): Promise<void> {
  await tenants.write(tenantId, (db) => db.sql(SPENT_KEYS, [tenantId, now]));
}

async function deleteDefaultRows(
  tenants: TenantDatabase,
  tenantId: string,
  { now, isStopping }: Run,
  [parent, months]: readonly [table: string, months: number],
): Promise<void> {
  const values = [parent, monthsBefore(now, months), DEFAULT_ROWS_AT_ONCE];
  for (let removed = DEFAULT_ROWS_AT_ONCE; removed === DEFAULT_ROWS_AT_ONCE; ) {
    if (isStopping()) return;
    const [row] = await tenants.write(tenantId, (db) =>
      db.sql<{ removed: number }>(EXPIRED_DEFAULT_ROWS, values),
    );
    removed = row?.removed ?? 0;
  }
}

interface Batches {
  readonly tenants: TenantDatabase;
  readonly tenantId: string;
  isStopping(): boolean;
  /** Rows that one statement deletes. */
  readonly most: number;
}

/** Deletes rows in short transactions: what has been deleted remains deleted when a later one fails. */
async function inBatches(
  { tenants, tenantId, isStopping, most }: Batches,
  deleteSome: (db: TenantConnection) => Promise<readonly unknown[]>,
): Promise<void> {
  for (;;) {
    const gone = await tenants.write(tenantId, deleteSome);
    if (gone.length < most || isStopping()) return;
  }
}

const SPENT_KEYS: Statement = {
  name: 'retention-idempotency',
  reason: 'set',
  text: 'DELETE FROM idempotency_records WHERE tenant_id = $1 AND expires_at < $2',
};

const ABANDONED_UPLOADS: Statement = {
  name: 'retention-uploads',
  reason: 'set',
  text: `DELETE FROM inventories WHERE tenant_id = $1 AND id IN (
           SELECT id FROM inventories WHERE tenant_id = $1 AND status = 'receiving' AND created_at < $2 LIMIT $3)
         RETURNING 1`,
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
         DELETE FROM inventories WHERE tenant_id = $1 AND id IN (
           SELECT i.id FROM inventories i JOIN ranked r ON r.id = i.id
           WHERE i.tenant_id = $1 AND r.place > $2
             AND NOT EXISTS (SELECT 1 FROM projects p WHERE p.tenant_id = $1 AND p.inventory_id = i.id)
             AND NOT EXISTS (
               SELECT 1 FROM scan_projects s
               WHERE s.tenant_id = $1 AND s.project_id = i.project_id AND s.inventory_id = i.id AND s.status = 'running')
           LIMIT $3)
         RETURNING 1`,
};

/**
 * By the time at which a scan was launched, because the partition with its findings is dropped by that time. Not the last
 * scan of a project: the posture of the tenant reads its verdicts. In the order in which the removal of a member locks scans;
 * a deletion alone locks them in any order.
 */
const HOLD_OLD_SCANS: Statement = {
  name: 'retention-hold-scans',
  reason: 'lock',
  text: `WITH last AS MATERIALIZED (
           SELECT d.scan_id FROM projects p CROSS JOIN LATERAL (
             SELECT t.scan_id FROM posture_days t
             WHERE t.tenant_id = $1 AND t.project_id = p.id ORDER BY t.day DESC LIMIT 1) d
           WHERE p.tenant_id = $1
         )
         SELECT id FROM scans
         WHERE tenant_id = $1 AND created_at < $2 AND finished_at IS NOT NULL AND id NOT IN (SELECT scan_id FROM last)
         ORDER BY id LIMIT $3 FOR UPDATE`,
};

const OLD_SCANS: Statement = {
  name: 'retention-scans',
  reason: 'set',
  text: 'DELETE FROM scans WHERE tenant_id = $1 AND id = ANY ($2::uuid[]) RETURNING 1',
};

/** Rows of months that had no partition when they were written. They are few: the others are dropped with their month. */
const EXPIRED_DEFAULT_ROWS: Statement = {
  name: 'retention-default-rows',
  reason: 'function',
  text: 'SELECT jobs.retire_default_rows($1, $2, $3) AS removed',
};

const OLD_MUTES: Statement = {
  name: 'retention-mutes',
  reason: 'set',
  text: `DELETE FROM mutes WHERE tenant_id = $1 AND id IN (
           SELECT id FROM mutes WHERE tenant_id = $1 AND expires_at < $2 LIMIT $3)
         RETURNING 1`,
};

const OLD_DELIVERIES: Statement = {
  name: 'retention-deliveries',
  reason: 'set',
  text: `DELETE FROM webhook_deliveries WHERE tenant_id = $1 AND id IN (
           SELECT id FROM webhook_deliveries
           WHERE tenant_id = $1 AND created_at < $2 AND status <> 'pending' ORDER BY created_at LIMIT $3)
         RETURNING 1`,
};

const OLD_EVENTS: Statement = {
  name: 'retention-events',
  reason: 'set',
  text: `DELETE FROM webhook_events WHERE tenant_id = $1 AND id IN (
           SELECT e.id FROM webhook_events e WHERE e.tenant_id = $1 AND e.created_at < $2
             AND NOT EXISTS (SELECT 1 FROM webhook_deliveries d WHERE d.tenant_id = $1 AND d.event_id = e.id)
           ORDER BY e.created_at LIMIT $3)
         RETURNING 1`,
};

/** The tables that are partitioned by month, each with the months for which its rows are kept. */
export function partitionedTables(periods: RetentionPeriods): [table: string, months: number][] {
  return [
    ['audit_events', periods.auditMonths],
    ['scan_findings', periods.scanMonths],
  ];
}

/** The start of the month that is this many months ago. Data is kept for whole months. */
export function monthsBefore(now: Date, months: number): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, 1));
}
