import type { Statement, TenantConnection } from '../../platform/database/tenant-database.ts';
import { type RecordedCount, repeatFindings, type ScanOfProject } from '../findings/index.ts';
import { type CheckedScan, type EarlierScan, NotRepeatable } from './earlier-scan.ts';
import type { Claim } from './leases.ts';
import type { Started } from './scan-begin.ts';
import { VerdictCounts } from './verdict-counts.ts';
import { countVerdicts } from './verdict-packer.ts';

/*
 * Rules give the same results for the same inventory, until a time that the evaluation of each chunk tells. So a scan
 * writes again what an earlier one wrote for a chunk, without evaluating it. Whatever depends on findings besides those
 * of the chunk is checked: see decisions 0069 and 0074.
 */

/** Chunks whose results are repeated. */
export interface RepeatedChunks {
  readonly assets: number;
  readonly verdictCounts: VerdictCounts;
  /** Of each chunk. */
  readonly fingerprints: readonly Uint8Array[];
}

/**
 * @param evaluatedBy the digest of the programs, which another release may have changed.
 * @returns null when the results of some chunk cannot be repeated, or the inventory has lost it.
 */
export async function readRepeatable(
  db: TenantConnection,
  { projectId }: ScanOfProject,
  earlier: CheckedScan,
  { fromSeq, toSeq }: Claim,
  { startedAt, inventoryId }: Started,
  evaluatedBy: string,
): Promise<RepeatedChunks | null> {
  const rows = await db.sql<{ data: Buffer; fingerprints: Buffer | null }>(REPEATABLE, [
    db.tenantId,
    projectId,
    earlier.scanId,
    fromSeq,
    toSeq,
    evaluatedBy,
    startedAt,
    earlier.hasOtherOpenFindings,
    inventoryId,
  ]);
  if (rows.length < toSeq - fromSeq) return null;
  const verdictCounts = new VerdictCounts();
  let assets = 0;
  for (const { data } of rows) {
    assets += await countVerdicts(data, (verdict, times) => verdictCounts.add(verdict, times));
  }
  const fingerprints = rows.flatMap((row) => (row.fingerprints === null ? [] : [row.fingerprints]));
  return { assets, verdictCounts, fingerprints };
}

/**
 * The stored results `v` of the chunks from $4 up to but excluding $5 that can be repeated, in order: tenant, project,
 * earlier scan, digest of the programs ($6), start of the scan, whether there are other open findings, inventory.
 */
export const REPEATABLE_RESULTS = `
  FROM scan_verdicts v
  JOIN inventory_chunks c ON c.tenant_id = $1 AND c.inventory_id = $9 AND c.seq = v.seq
  WHERE v.tenant_id = $1 AND v.project_id = $2 AND v.scan_id = $3 AND v.seq >= $4 AND v.seq < $5
    AND v.fingerprints IS NOT NULL AND v.evaluated_by = $6
    AND (v.same_until IS NULL OR v.same_until >= $7) AND NOT (v.undecided AND $8)
  ORDER BY v.seq`;

const REPEATABLE: Statement = {
  name: 'repeat-chunks-read',
  reason: 'set',
  text: `SELECT v.data, v.fingerprints ${REPEATABLE_RESULTS}`,
};

/**
 * Writes the results of the chunks again.
 * @throws {NotRepeatable} the transaction must be rolled back, and the chunks evaluated.
 */
export async function repeatChunks(
  db: TenantConnection,
  scan: ScanOfProject,
  { scanId: earlierScanId, writtenBy }: EarlierScan,
  { fromSeq, toSeq }: Claim,
  { fingerprints }: RepeatedChunks,
): Promise<RecordedCount[]> {
  const recorded: RecordedCount[] = [];
  for (const of of fingerprints) {
    const counts = await repeatFindings(db, scan, writtenBy, of);
    if (counts === null) throw new NotRepeatable();
    recorded.push(...counts);
  }
  const { projectId, scanId } = scan;
  await db.sql(COPY, [db.tenantId, projectId, earlierScanId, scanId, fromSeq, toSeq]);
  return recorded;
}

const COPY: Statement = {
  name: 'repeat-chunks-copy',
  reason: 'set',
  text: `
    INSERT INTO scan_verdicts (
      tenant_id, scan_id, project_id, seq, data, fingerprints, undecided, same_until, evaluated_by)
    SELECT tenant_id, $4, project_id, seq, data, fingerprints, undecided, same_until, evaluated_by
    FROM scan_verdicts
    WHERE tenant_id = $1 AND project_id = $2 AND scan_id = $3 AND seq >= $5 AND seq < $6
    ON CONFLICT DO NOTHING`,
};
