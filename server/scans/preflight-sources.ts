import type { TenantConnection } from '../database/tenant-database.ts';
import { settingsFrom } from '../identity/tenant-settings.ts';

/** A project and the inventory that a scan would look at. */
export interface Source {
  readonly id: string;
  readonly inventory: {
    readonly assets: number;
    readonly types: ReadonlyMap<string, number>;
    readonly createdAt: Date;
    /** As old as that, the tenant takes it for stale. */
    readonly maxAgeHours: number;
  } | null;
  readonly activeScans: number;
}

/** The projects of these names, by name; one that is missing there is unknown to the tenant. */
export async function findSources(
  db: TenantConnection,
  names: readonly string[],
): Promise<ReadonlyMap<string, Source>> {
  const rows = await db.sql<SourceRow>(SOURCES, [db.tenantId, names]);
  return new Map(rows.map((row) => [row.name, sourceFrom(row)]));
}

interface SourceRow {
  id: string;
  name: string;
  assets: number | null;
  asset_types: { type: string; count: number }[] | null;
  taken_at: Date | null;
  settings: unknown;
  active_scans: number;
}

const SOURCES = {
  name: 'preflight-sources',
  text: `
    SELECT p.id, p.name, i.assets, i.asset_types, i.created_at AS taken_at, a.active_scans,
           (SELECT t.settings FROM identity.this_tenant() t) AS settings
    FROM projects p
    LEFT JOIN inventories i ON i.tenant_id = p.tenant_id AND i.id = p.inventory_id
    CROSS JOIN LATERAL (
      SELECT count(*)::int AS active_scans FROM scan_projects sp
      WHERE sp.tenant_id = p.tenant_id AND sp.project_id = p.id AND sp.status IN ('queued', 'running')
    ) a
    WHERE p.tenant_id = $1 AND p.name = ANY($2::text[])`,
};

function sourceFrom(row: SourceRow): Source {
  const { assets, taken_at: createdAt } = row;
  const types = new Map((row.asset_types ?? []).map(({ type, count }) => [type, count]));
  const { inventoryMaxAgeHours: maxAgeHours } = settingsFrom(row.settings);
  return {
    id: row.id,
    inventory:
      assets === null || createdAt === null ? null : { assets, types, createdAt, maxAgeHours },
    activeScans: row.active_scans,
  };
}
