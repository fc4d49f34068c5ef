import type { JsonObject } from '@cspm/scanner';
import type { Statement, TenantConnection } from '../../platform/database/tenant-database.ts';
import { SEEN_FINDINGS } from './seen-findings.ts';

/** Where the asset of a finding is stored, and how its rule was evaluated. */
export interface FixSource {
  /** The inventory that the finding's last scan read; the newest one if that is gone. Null if there is none. */
  inventory_id: string | null;
  /** The parameters of the rule in that scan. Null if they are no longer known. */
  parameters: JsonObject | null;
}

export async function findFixSource(
  db: TenantConnection,
  findingId: string,
): Promise<FixSource | null> {
  const [row] = await db.sql<FixSource>(SOURCE, [db.tenantId, findingId]);
  return row ?? null;
}

/** Hand-written: it reads one member of the stored rules, which are large. */
const SOURCE: Statement = {
  name: 'finding-fix-source',
  reason: 'set',
  text: `
    SELECT (SELECT i.id FROM inventories i
            WHERE i.tenant_id = $1 AND i.project_id = f.project_id AND i.status = 'ready'
            ORDER BY i.id IS NOT DISTINCT FROM sp.inventory_id DESC, i.created_at DESC LIMIT 1) AS inventory_id,
           (SELECT rule -> 'parameters'
            FROM scans s
            JOIN rulesets r ON r.tenant_id = $1 AND r.digest = s.profile_digest
            CROSS JOIN jsonb_array_elements(r.rules) AS rule
            WHERE s.tenant_id = $1 AND s.id = f.last_scan_id AND rule ->> 'id' = f.rule_id LIMIT 1) AS parameters
    FROM ${SEEN_FINDINGS} f
    LEFT JOIN scan_projects sp
      ON sp.tenant_id = $1 AND sp.scan_id = f.last_scan_id AND sp.project_id = f.project_id
    WHERE f.tenant_id = $1 AND f.id = $2`,
};
