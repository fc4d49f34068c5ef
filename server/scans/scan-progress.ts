import type { Severity } from '@cspm/scanner';
import type { Statement, TenantConnection } from '../database/tenant-database.ts';
import type { Delta, RecordedCount } from '../findings/record.ts';
import type { ScanOf } from './scan-write.ts';
import { Ended } from './slots.ts';
import type { Tally } from './tally.ts';

/** What a step adds to the scan of its project. */
export interface Progress {
  readonly chunks: number;
  readonly assets: number;
  readonly tally: Tally;
  readonly recorded: readonly RecordedCount[];
}

/**
 * Adds a step to what is known of the scan, as the last thing in its transaction: until that ends, other workers' steps
 * wait here.
 * @throws {Ended} when the scan has ended meanwhile: then the step is not to be written.
 */
export async function advance(
  db: TenantConnection,
  of: ScanOf,
  { chunks, assets, tally, recorded }: Progress,
): Promise<void> {
  const { pass, fail, na, unknown } = tally.totals;
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
  await tally.write(db, of);
}

const ADVANCE: Statement = {
  name: 'scan-project-advance',
  text: `
    UPDATE scan_projects SET
      chunks_done = chunks_done + $4, assets = assets + $5, evaluations = evaluations + $6,
      pass = pass + $7, fail = fail + $8, unknown = unknown + $9,
      critical = critical + $10, high = high + $11, medium = medium + $12, low = low + $13, info = info + $14,
      delta_new = delta_new + $15, delta_unchanged = delta_unchanged + $16, delta_reopened = delta_reopened + $17
    WHERE tenant_id = $1 AND scan_id = $2 AND project_id = $3 AND status = 'running'
    RETURNING chunks_done`,
};

/**
 * Locks the project's scan when all of its chunks are done, so that it is ended once.
 * @returns how many assets were judged; null when chunks are still under way, or it has ended.
 */
export async function holdDone(db: TenantConnection, of: ScanOf): Promise<number | null> {
  const values = [db.tenantId, of.scanId, of.projectId];
  const [row] = await db.sql<{ assets: number }>(HOLD_DONE, values);
  return row?.assets ?? null;
}

const HOLD_DONE: Statement = {
  name: 'scan-project-hold-done',
  text: `SELECT assets FROM scan_projects
         WHERE tenant_id = $1 AND scan_id = $2 AND project_id = $3 AND status = 'running'
           AND chunks_done = chunks
         FOR NO KEY UPDATE`,
};
