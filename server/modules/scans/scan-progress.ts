import type { Severity } from '@cspm/scanner';
import type { Statement, TenantConnection } from '../../platform/database/tenant-database.ts';
import type { Delta, RecordedCount } from '../findings/index.ts';
import { Ended } from './leases.ts';
import type { ScanOf } from './scan-lock.ts';
import type { VerdictCounts } from './verdict-counts.ts';

/** What a step adds to its project's scan. */
export interface Progress {
  readonly chunks: number;
  readonly assets: number;
  readonly verdictCounts: VerdictCounts;
  readonly recorded: readonly RecordedCount[];
}

/**
 * Adds a step to the scan's progress, last in its transaction, because steps of other workers wait here until it ends.
 * @throws {Ended} when the scan has ended meanwhile; the step must not be written then.
 */
export async function advance(
  db: TenantConnection,
  of: ScanOf,
  { chunks, assets, verdictCounts, recorded }: Progress,
): Promise<void> {
  const { pass, fail, na, unknown } = verdictCounts.totals;
  const deltas: Record<Delta, number> = { new: 0, unchanged: 0, reopened: 0, resolved: 0 };
  const severities: Record<Severity, number> = { critical: 0, high: 0, medium: 0, low: 0, info: 0 };
  for (const { delta, severity, count } of recorded) {
    deltas[delta] += count;
    severities[severity] += count;
  }
  const advanced = await db.sql(ADVANCE, [
    db.tenantId,
    of.scanId,
    of.projectId,
    chunks,
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
  if (advanced.length === 0) throw new Ended();
  await verdictCounts.write(db, of);
}

const ADVANCE: Statement = {
  name: 'scan-project-advance',
  reason: 'hot path',
  text: `
    UPDATE scan_projects SET
      chunks_done = chunks_done + $4, assets = assets + $5, evaluations = evaluations + $6,
      pass = pass + $7, fail = fail + $8, unknown = unknown + $9,
      critical = critical + $10, high = high + $11, medium = medium + $12, low = low + $13, info = info + $14,
      delta_new = delta_new + $15, delta_unchanged = delta_unchanged + $16, delta_reopened = delta_reopened + $17
    WHERE tenant_id = $1 AND scan_id = $2 AND project_id = $3 AND status = 'running'
    RETURNING chunks_done`,
};

/** The findings that the scan has seen so far in the project, by severity. */
export async function seenFindings(
  db: TenantConnection,
  of: ScanOf,
): Promise<Record<Severity, number>> {
  const values = [db.tenantId, of.scanId, of.projectId];
  const [seen] = await db.sql<Record<Severity, number>>(SEEN, values);
  if (seen === undefined) throw new Ended();
  return seen;
}

const SEEN: Statement = {
  name: 'scan-project-seen',
  reason: 'hot path',
  text: `SELECT critical, high, medium, low, info FROM scan_projects
         WHERE tenant_id = $1 AND scan_id = $2 AND project_id = $3`,
};

/** Whether all chunks are done, without a lock. The worker of the last step always sees it. */
export async function isDone(db: TenantConnection, of: ScanOf): Promise<boolean> {
  return (await db.sql(DONE, [db.tenantId, of.scanId, of.projectId])).length > 0;
}

const DONE: Statement = {
  name: 'scan-project-done',
  reason: 'hot path',
  text: `SELECT 1 FROM scan_projects
         WHERE tenant_id = $1 AND scan_id = $2 AND project_id = $3 AND status = 'running'
           AND chunks_done = chunks`,
};

/**
 * Locks the project's scan when all its chunks are done, so that it is ended once.
 * @returns the number of evaluated assets; null when chunks are still running or the scan has ended.
 */
export async function holdDone(db: TenantConnection, of: ScanOf): Promise<number | null> {
  const values = [db.tenantId, of.scanId, of.projectId];
  const [row] = await db.sql<{ assets: number }>(HOLD_DONE, values);
  return row?.assets ?? null;
}

const HOLD_DONE: Statement = {
  name: 'scan-project-hold-done',
  reason: 'lock',
  text: `SELECT assets FROM scan_projects
         WHERE tenant_id = $1 AND scan_id = $2 AND project_id = $3 AND status = 'running'
           AND chunks_done = chunks
         FOR NO KEY UPDATE`,
};
