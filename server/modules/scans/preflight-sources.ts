import type { Statement, TenantConnection } from '../../platform/database/tenant-database.ts';
import type { InventoryContents } from '../inventories/index.ts';
import { settingsFrom } from '../tenants/index.ts';

/** A project with its active inventory and earlier scans. */
export interface Source {
  readonly id: string;
  readonly inventory: Inventory | null;
  /** Queued or running scans of this project. */
  readonly openScans: number;
  /** The project's latest completed scan. */
  readonly last: { readonly profile: string; readonly digest: string } | null;
}

/** The active inventory. */
export interface Inventory {
  readonly assets: number;
  readonly types: ReadonlyMap<string, number>;
  /** Null for inventories of releases that did not record it. */
  readonly contents: InventoryContents | null;
  /** Number of stored warnings, at most 100. */
  readonly warnings: number;
  readonly createdAt: Date;
  /** Age from which the tenant considers an inventory outdated. */
  readonly maxAgeHours: number;
}

/** Finds projects by name. Unknown names are missing from the result. */
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
  contents: InventoryContents | null;
  warnings: number | null;
  taken_at: Date | null;
  settings: unknown;
  open_scans: number;
  last_profile: string | null;
  last_digest: string | null;
}

const SOURCES: Statement = {
  name: 'preflight-sources',
  reason: 'function',
  text: `
    SELECT p.id, p.name, i.assets, i.asset_types, i.contents, jsonb_array_length(i.warnings) AS warnings,
           i.created_at AS taken_at, a.open_scans, l.profile AS last_profile, l.profile_digest AS last_digest,
           (SELECT t.settings FROM identity.this_tenant() t) AS settings
    FROM projects p
    LEFT JOIN inventories i ON i.tenant_id = p.tenant_id AND i.id = p.inventory_id
    CROSS JOIN LATERAL (
      SELECT count(*)::int AS open_scans FROM scan_projects sp
      WHERE sp.tenant_id = p.tenant_id AND sp.project_id = p.id AND sp.status IN ('queued', 'running')
    ) a
    LEFT JOIN LATERAL (
      SELECT s.profile, s.profile_digest FROM scan_projects sp
      JOIN scans s ON s.tenant_id = sp.tenant_id AND s.id = sp.scan_id
      WHERE sp.tenant_id = p.tenant_id AND sp.project_id = p.id AND sp.status = 'completed'
      ORDER BY sp.scan_id DESC LIMIT 1
    ) l ON true
    WHERE p.tenant_id = $1 AND p.name = ANY($2::text[])`,
};

function sourceFrom(row: SourceRow): Source {
  const { last_profile: profile, last_digest: digest } = row;
  return {
    id: row.id,
    inventory: inventoryFrom(row),
    openScans: row.open_scans,
    last: profile === null || digest === null ? null : { profile, digest },
  };
}

function inventoryFrom(row: SourceRow): Inventory | null {
  const { assets, taken_at: createdAt } = row;
  if (assets === null || createdAt === null) return null;
  return {
    assets,
    types: new Map((row.asset_types ?? []).map(({ type, count }) => [type, count])),
    contents: row.contents,
    warnings: row.warnings ?? 0,
    createdAt,
    maxAgeHours: settingsFrom(row.settings).inventoryMaxAgeHours,
  };
}

/** Number of the tenant's queued and running scans, counted up to a limit. */
export async function countOpenScans(db: TenantConnection): Promise<number> {
  const [row] = await db.sql<{ open: number }>(OPEN, [db.tenantId]);
  return row?.open ?? 0;
}

const OPEN: Statement = {
  name: 'scans-count-open',
  reason: 'set',
  text: `SELECT count(*)::int AS open FROM (
           SELECT 1 FROM scans WHERE tenant_id = $1 AND status IN ('queued', 'running') LIMIT 1000
         ) first`,
};
