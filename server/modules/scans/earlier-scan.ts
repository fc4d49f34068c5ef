import type { Statement, TenantConnection } from '../../platform/database/tenant-database.ts';
import { hasOtherOpenFindings, type ScanOfProject } from '../findings/index.ts';

/** The last completed scan of a project, which had the same assets and rules as the present one. */
export interface EarlierScan {
  readonly scanId: string;
  /** The scan that wrote its findings: itself, or one whose findings it has repeated without writing them. */
  readonly writtenBy: string;
}

/** An earlier scan, after a look for findings of the project that it cannot repeat. */
export interface CheckedScan extends EarlierScan {
  /**
   * Whether findings are open that neither scan has seen. Where a rule gave no result, such a finding must be marked,
   * which takes the evaluation of the chunk.
   */
  readonly hasOtherOpenFindings: boolean;
}

/** @returns null when no results can be repeated. */
export async function findCheckedScan(
  db: TenantConnection,
  scan: ScanOfProject,
): Promise<CheckedScan | null> {
  const earlier = await findEarlierScan(db, scan);
  if (earlier === null) return null;
  const { scanId, writtenBy } = earlier;
  const hasOthers = await hasOtherOpenFindings(db, scan, [scanId, writtenBy]);
  return { ...earlier, hasOtherOpenFindings: hasOthers };
}

/** @returns null when no results can be repeated. */
export async function findEarlierScan(
  db: TenantConnection,
  scan: Pick<ScanOfProject, 'scanId' | 'projectId'>,
): Promise<EarlierScan | null> {
  const values = [db.tenantId, scan.scanId, scan.projectId];
  const [row] = await db.sql<{ scan_id: string; written_by: string }>(EARLIER, values);
  return row === undefined ? null : { scanId: row.scan_id, writtenBy: row.written_by };
}

const EARLIER: Statement = {
  name: 'repeat-earlier-scan',
  reason: 'set',
  text: `
    SELECT e.scan_id, COALESCE(r.written_scan_id, e.scan_id) AS written_by
    FROM scan_projects sp
    JOIN scans s ON s.tenant_id = $1 AND s.id = sp.scan_id
    CROSS JOIN LATERAL (
      SELECT scan_id, inventory_id, content_digest FROM scan_projects
      WHERE tenant_id = $1 AND project_id = $3 AND status = 'completed'
      ORDER BY scan_id DESC LIMIT 1
    ) e
    JOIN scans es ON es.tenant_id = $1 AND es.id = e.scan_id
    LEFT JOIN finding_repeats r ON r.tenant_id = $1 AND r.project_id = $3 AND r.scan_id = e.scan_id
    WHERE sp.tenant_id = $1 AND sp.scan_id = $2 AND sp.project_id = $3
      AND (e.inventory_id = sp.inventory_id OR e.content_digest = sp.content_digest) AND es.profile_digest = s.profile_digest
      AND es.started_at <= s.started_at`,
};

/** The findings of the chunks have changed since the earlier scan. Nothing may be repeated then. */
export class NotRepeatable extends Error {}
