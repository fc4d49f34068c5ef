import { binaryArrayOfSlices } from '../../platform/database/binary-array.ts';
import type { Statement, TenantConnection } from '../../platform/database/tenant-database.ts';
import type { RecordedCount, ScanOfProject } from './record.ts';

/** A SHA-256 digest. */
const FINGERPRINT_BYTES = 32;

/**
 * Marks findings that an earlier scan wrote last as seen again, with the same content. It writes the same as
 * `recordFindings` of the same findings.
 * @param fingerprints one after the other, each once.
 * @returns null when the earlier scan is not the last that wrote all of them, or one is resolved. Some may be marked
 * then, so the transaction must be rolled back.
 */
export async function repeatFindings(
  db: TenantConnection,
  scan: ScanOfProject,
  earlierScanId: string,
  fingerprints: Uint8Array,
): Promise<RecordedCount[] | null> {
  if (fingerprints.length === 0) return [];
  const counts = await db.sql<RecordedCount>(REPEAT, [
    db.tenantId,
    scan.projectId,
    scan.scanId,
    scan.scanAt,
    scan.now,
    binaryArrayOfSlices(fingerprints, FINGERPRINT_BYTES),
    earlierScanId,
  ]);
  const written = counts.reduce((sum, { count }) => sum + count, 0);
  return written * FINGERPRINT_BYTES === fingerprints.length ? counts : null;
}

/** `IS TRUE` keeps conditions out of index searches, so that each finding is found by its fingerprint. */
const REPEAT: Statement = {
  name: 'findings-repeat',
  reason: 'set',
  text: `
    WITH written AS (
      UPDATE findings f SET delta = 'unchanged', last_seen_at = $5, last_scan_id = $3
      FROM unnest($6::bytea[]) AS seen(fingerprint)
      WHERE f.tenant_id = $1 AND f.fingerprint = seen.fingerprint
        AND (f.project_id = $2) IS TRUE AND (f.status = 'open') IS TRUE AND (f.last_scan_id = $7) IS TRUE
      RETURNING f.id, f.delta, f.severity
    ), noted AS (
      INSERT INTO scan_findings (tenant_id, scan_id, finding_id, delta, scan_at)
      SELECT $1, $3, id, delta, $4 FROM written
    )
    SELECT delta, severity, count(*)::int AS count FROM written GROUP BY delta, severity`,
};

/** Whether the project has open findings that neither this scan nor an earlier one has seen last. */
export async function hasOtherOpenFindings(
  db: TenantConnection,
  scan: ScanOfProject,
  earlierScanId: string,
): Promise<boolean> {
  const values = [db.tenantId, scan.projectId, scan.scanId, earlierScanId];
  return (await db.sql(ANY_OTHER_OPEN, values)).length > 0;
}

const ANY_OTHER_OPEN: Statement = {
  name: 'findings-any-other-open',
  reason: 'hot path',
  text: `SELECT 1 FROM findings
         WHERE tenant_id = $1 AND project_id = $2 AND status = 'open' AND last_scan_id NOT IN ($3, $4) LIMIT 1`,
};
