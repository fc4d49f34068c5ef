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

/**
 * Marks by way of ON CONFLICT, which looks each finding up by its fingerprint. For a join Postgres expects few findings
 * of a tenant until it has statistics, and then compares every fingerprint with every finding. A row is inserted only for
 * a missing finding; it is not counted, so its transaction is rolled back.
 */
const REPEAT: Statement = {
  name: 'findings-repeat',
  reason: 'set',
  text: `
    WITH written AS (
      INSERT INTO findings AS f (
        tenant_id, id, project_id, fingerprint, rule_id, severity, title, asset_name, asset_type, subject,
        message, evidence, status, delta, first_seen_at, last_seen_at, last_scan_id)
      SELECT $1, gen_random_uuid(), $2, seen.fingerprint, '', '', '', '', '', '', '', '[]', 'resolved', 'new', $5, $5,
             $3
      FROM unnest($6::bytea[]) AS seen(fingerprint)
      ON CONFLICT (tenant_id, fingerprint) DO UPDATE SET
        delta = 'unchanged', last_seen_at = EXCLUDED.last_seen_at, last_scan_id = EXCLUDED.last_scan_id
      WHERE f.project_id = $2 AND f.status = 'open' AND f.last_scan_id = $7
      RETURNING f.id, f.delta, f.severity
    ), noted AS (
      INSERT INTO scan_findings (tenant_id, scan_id, finding_id, delta, scan_at)
      SELECT $1, $3, id, delta, $4 FROM written
    )
    SELECT delta, severity, count(*)::int AS count FROM written WHERE delta = 'unchanged' GROUP BY delta, severity`,
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
