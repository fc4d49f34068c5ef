import type { Severity } from '@cspm/scanner';
import type { Statement, TenantConnection } from '../database/tenant-database.ts';
import type { Delta } from '../findings/record.ts';
import { addRuleCounts, totalsOf, type VerdictCounts } from './rule-counts.ts';

interface OfProject {
  readonly scanId: string;
  readonly projectId: string;
}

/** A project's scan that has begun, or goes on: what to evaluate and from where. */
export interface Started {
  readonly profile: string;
  readonly scanAt: Date;
  readonly inventoryId: string;
  /** How many the inventory holds. */
  readonly assets: number;
  readonly assetTypes: readonly { readonly type: string; readonly count: number }[];
  readonly chunksDone: number;
}

/**
 * Begins a project's scan with the inventory that is in force now, or takes up one that was begun before.
 * @returns null when there is nothing to do any more: it has ended, or its project is gone.
 */
export async function begin(
  db: TenantConnection,
  of: OfProject,
  now: Date,
): Promise<Started | null> {
  const [row] = await db.sql<StartedRow>(BEGIN, [db.tenantId, of.scanId, of.projectId]);
  if (row === undefined) return null;
  await db.sql(START_SCAN, [db.tenantId, of.scanId, now]);
  return {
    profile: row.profile,
    scanAt: row.created_at,
    inventoryId: row.inventory_id,
    assets: row.assets,
    assetTypes: row.asset_types,
    chunksDone: row.chunks_done,
  };
}

interface StartedRow {
  profile: string;
  created_at: Date;
  inventory_id: string;
  assets: number;
  asset_types: { type: string; count: number }[];
  chunks_done: number;
}

const BEGIN: Statement = {
  name: 'scan-project-begin',
  text: `
    UPDATE scan_projects sp
    SET status = 'running', inventory_id = COALESCE(sp.inventory_id, p.inventory_id)
    FROM scans s, projects p, inventories i
    WHERE sp.tenant_id = $1 AND sp.scan_id = $2 AND sp.project_id = $3 AND sp.status IN ('queued', 'running')
      AND s.tenant_id = $1 AND s.id = $2
      AND p.tenant_id = $1 AND p.id = $3
      AND i.tenant_id = $1 AND i.id = COALESCE(sp.inventory_id, p.inventory_id)
    RETURNING s.profile, s.created_at, sp.inventory_id, i.assets, i.asset_types, sp.chunks_done`,
};

const START_SCAN: Statement = {
  name: 'scan-start',
  text: `UPDATE scans SET status = 'running', started_at = $3
         WHERE tenant_id = $1 AND id = $2 AND status = 'queued'`,
};

/**
 * Locks the project's scan for this transaction.
 * @param chunksDone how far it should have got.
 * @returns how many assets it has judged so far; null when it is not ours any more: ended, or further than that.
 */
export async function holdRunning(
  db: TenantConnection,
  of: OfProject,
  chunksDone: number,
): Promise<number | null> {
  const values = [db.tenantId, of.scanId, of.projectId, chunksDone];
  const [row] = await db.sql<{ assets: number }>(HOLD_RUNNING, values);
  return row?.assets ?? null;
}

const HOLD_RUNNING: Statement = {
  name: 'scan-project-hold-running',
  text: `SELECT assets FROM scan_projects
         WHERE tenant_id = $1 AND scan_id = $2 AND project_id = $3 AND status = 'running'
           AND chunks_done = $4
         FOR UPDATE`,
};

/** What a step, of a few chunks, adds to the scan of its project. */
export interface Progress {
  readonly assets: number;
  readonly verdicts: VerdictCounts;
  readonly deltas: Readonly<Record<Delta, number>>;
  readonly severities: Readonly<Record<Severity, number>>;
}

/** Notes how far the scan has got by a step, with all that it added. */
export async function advance(
  db: TenantConnection,
  of: OfProject,
  chunksDone: number,
  { assets, verdicts, deltas, severities }: Progress,
): Promise<void> {
  const { pass, fail, na, unknown } = totalsOf(verdicts);
  await addRuleCounts(db, of, verdicts);
  await db.sql(ADVANCE, [
    db.tenantId,
    of.scanId,
    of.projectId,
    chunksDone,
    assets,
    pass + fail + na + unknown,
    pass,
    fail,
    unknown,
    severities.critical,
    severities.high,
    severities.medium,
    severities.low,
    severities.info,
    deltas.new,
    deltas.unchanged,
    deltas.reopened,
  ]);
}

const ADVANCE: Statement = {
  name: 'scan-project-advance',
  text: `
    UPDATE scan_projects SET
      chunks_done = $4, assets = assets + $5, evaluations = evaluations + $6,
      pass = pass + $7, fail = fail + $8, unknown = unknown + $9,
      critical = critical + $10, high = high + $11, medium = medium + $12, low = low + $13, info = info + $14,
      delta_new = delta_new + $15, delta_unchanged = delta_unchanged + $16, delta_reopened = delta_reopened + $17
    WHERE tenant_id = $1 AND scan_id = $2 AND project_id = $3`,
};

/** Ends the scan of a project well, and the scan with it when this was the last of its projects. */
export async function complete(
  db: TenantConnection,
  of: OfProject,
  resolved: number,
  now: Date,
): Promise<void> {
  await db.sql(END_PROJECT, [db.tenantId, of.scanId, of.projectId, 'completed', null, resolved]);
  await endIfDone(db, of.scanId, now);
}

/** Ends the scan of a project badly. What its chunks have found so far stays. */
export async function fail(
  db: TenantConnection,
  of: OfProject,
  error: string,
  now: Date,
): Promise<void> {
  await db.sql(END_PROJECT, [db.tenantId, of.scanId, of.projectId, 'failed', error, 0]);
  await endIfDone(db, of.scanId, now);
}

/** Cancels whatever scans a project is queued or running in, as before it is deleted. */
export async function cancelScansOf(
  db: TenantConnection,
  projectId: string,
  now: Date,
): Promise<void> {
  const cancelled = await db.sql<{ scan_id: string }>(CANCEL_PROJECT, [db.tenantId, projectId]);
  for (const { scan_id: scanId } of cancelled) await endIfDone(db, scanId, now);
}

/**
 * Ends a scan of which no project is queued or running any more. Its row is locked by a statement of its own: of two
 * projects that end at once, the later one then counts what the earlier one has committed.
 */
async function endIfDone(db: TenantConnection, scanId: string, now: Date): Promise<void> {
  await db.sql(LOCK_SCAN, [db.tenantId, scanId]);
  await db.sql(END_SCAN, [db.tenantId, scanId, now]);
}

const END_PROJECT: Statement = {
  name: 'scan-project-end',
  text: `UPDATE scan_projects SET status = $4, error = $5, delta_resolved = $6
         WHERE tenant_id = $1 AND scan_id = $2 AND project_id = $3 AND status IN ('queued', 'running')`,
};

const CANCEL_PROJECT: Statement = {
  name: 'scan-project-cancel',
  text: `UPDATE scan_projects SET status = 'cancelled'
         WHERE tenant_id = $1 AND project_id = $2 AND status IN ('queued', 'running')
         RETURNING scan_id`,
};

const LOCK_SCAN: Statement = {
  name: 'scan-lock',
  text: 'SELECT 1 FROM scans WHERE tenant_id = $1 AND id = $2 FOR UPDATE',
};

const END_SCAN: Statement = {
  name: 'scan-end',
  text: `
    UPDATE scans SET finished_at = $3, status = CASE
      WHEN ended.failed > 0 AND ended.completed > 0 THEN 'partial'
      WHEN ended.failed > 0 THEN 'failed'
      WHEN ended.completed > 0 THEN 'completed'
      ELSE 'cancelled'
    END
    FROM (
      SELECT count(*) FILTER (WHERE status IN ('queued', 'running')) AS open,
             count(*) FILTER (WHERE status = 'completed') AS completed,
             count(*) FILTER (WHERE status = 'failed') AS failed
      FROM scan_projects WHERE tenant_id = $1 AND scan_id = $2
    ) ended
    WHERE scans.tenant_id = $1 AND scans.id = $2 AND scans.finished_at IS NULL AND ended.open = 0`,
};
