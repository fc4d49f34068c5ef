import type { Statement, TenantConnection } from '../../platform/database/tenant-database.ts';
import { findingsById } from './findings-by-id.ts';
import type { ScanOfProject } from './record.ts';

/** Which findings `findUnseen` looks for. */
export interface UnseenOn {
  readonly inventoryId: string;
  readonly ruleId: string;
  readonly assetTypes: readonly string[];
  /** The scan whose findings `repeatAllFindings` has repeated, which are seen. */
  readonly repeatedScanId: string | null;
  /** The only findings that may be unseen; null: all of the project. */
  readonly among: readonly string[] | null;
}

/** Open findings on the assets of a chunk that a scan has neither seen nor marked. */
export interface UnseenOfChunk {
  readonly seq: number;
  /** The line of the asset in the chunk, by the id of the finding. */
  readonly lines: Readonly<Record<string, number>>;
}

/** The unseen findings of a rule on assets that the inventory has, by chunk: there may be a million of them. */
export async function findUnseen(
  db: TenantConnection,
  { projectId, scanId }: ScanOfProject,
  { inventoryId, ruleId, assetTypes, repeatedScanId, among }: UnseenOn,
): Promise<UnseenOfChunk[]> {
  const values = [db.tenantId, projectId, scanId, ruleId, repeatedScanId, assetTypes, inventoryId];
  return among === null
    ? await db.sql<UnseenOfChunk>(UNSEEN, values)
    : await db.sql<UnseenOfChunk>(UNSEEN_AMONG, [...values, among]);
}

/** Reads the index entries of the project, or of the rule in the tenant, whichever Postgres expects to be fewer. */
const unseen = (findings: string) => `
  WITH unseen AS MATERIALIZED (
    SELECT id, asset_name, asset_type FROM ${findings}
    WHERE tenant_id = $1 AND project_id = $2 AND rule_id = $4 AND status = 'open'
      AND last_scan_id <> $3 AND (last_scan_id = $5::uuid) IS NOT TRUE
      AND observed_scan_id IS DISTINCT FROM $3 AND asset_type = ANY ($6::text[])
  )
  SELECT a.seq, json_object_agg(unseen.id, a.line) AS lines
  FROM unseen
  CROSS JOIN LATERAL (
    SELECT a.seq, a.line FROM inventory_assets a
    WHERE a.tenant_id = $1 AND a.inventory_id = $7
      AND a.name = unseen.asset_name COLLATE "C" AND a.type = unseen.asset_type COLLATE "C"
    OFFSET 0
  ) a
  GROUP BY a.seq`;

const UNSEEN: Statement = {
  name: 'findings-unseen',
  reason: 'set',
  text: unseen('findings'),
};

const UNSEEN_AMONG: Statement = {
  name: 'findings-unseen-among',
  reason: 'set',
  text: unseen(findingsById('$8')),
};

/** Marks findings that a scan cannot decide. They stay open. */
export async function leaveOpen(
  db: TenantConnection,
  { scanId }: ScanOfProject,
  ids: readonly string[],
): Promise<void> {
  if (ids.length > 0) await db.sql(LEAVE_OPEN, [db.tenantId, scanId, ids]);
}

const LEAVE_OPEN: Statement = {
  name: 'findings-leave-open',
  reason: 'set',
  text: `UPDATE findings SET observed_scan_id = $2, observed_decided = false
         WHERE tenant_id = $1 AND id = ANY ($3::uuid[])`,
};
