import { INVENTORY_TYPES_SHOWN } from '@cspm/contract';
import { INVENTORY_LIMITS, type IntakeSummary } from '@cspm/scanner';
import type { Statement, TenantConnection } from '../../platform/database/tenant-database.ts';

export interface InventoryRow {
  id: string;
  assets: number;
  bytes: string;
  /** Types with the most assets first, limited to the number shown. */
  types: { type: string; count: number }[];
  type_count: number;
  /** Null for inventories of releases that did not count locations. */
  locations: { location: string; count: number }[] | null;
  warnings: { line: number; message: string }[];
  /** Null for inventories of releases that did not count warnings. */
  warning_count: number | null;
  created_at: Date;
}

/** Lists the stored inventories of a project, newest first. Unfinished uploads are not included. */
export async function listInventories(
  db: TenantConnection,
  projectId: string,
  { before, limit }: { readonly before: string | null; readonly limit: number },
): Promise<InventoryRow[]> {
  return db.sql<InventoryRow>(LIST, [db.tenantId, projectId, before, limit, INVENTORY_TYPES_SHOWN]);
}

/**
 * Hand-written: it reads only the first asset types, because earlier releases stored any number of them, ordered by
 * name.
 */
const LIST: Statement = {
  name: 'inventories-list',
  reason: 'set',
  text: `
    SELECT i.id, i.assets, i.bytes, i.warnings, i.created_at,
           jsonb_array_length(i.asset_types) AS type_count,
           (i.contents ->> 'warnings')::int AS warning_count, i.contents -> 'locations' AS locations,
           (SELECT COALESCE(jsonb_agg(shown.entry ORDER BY shown.place), '[]')
            FROM (SELECT t.entry, row_number() OVER (
                           ORDER BY (t.entry ->> 'count')::int DESC, t.entry ->> 'type' COLLATE "C") AS place
                  FROM jsonb_array_elements(i.asset_types) AS t(entry)
                  ORDER BY place LIMIT $5) shown) AS types
    FROM inventories i
    WHERE i.tenant_id = $1 AND i.project_id = $2 AND i.status = 'ready' AND ($3::uuid IS NULL OR i.id < $3)
    ORDER BY i.id DESC LIMIT $4`,
};

/** Maps an inventory to its contract type. */
export function inventoryView(row: InventoryRow) {
  return {
    id: row.id,
    assets: row.assets,
    assetTypes: row.types,
    locations: row.locations ?? [],
    bytes: Number(row.bytes),
    warnings: warningsOf(row),
    truncated: row.type_count > row.types.length || (row.warning_count ?? 0) > row.warnings.length,
    createdAt: row.created_at.toISOString(),
  };
}

/** The part of an intake summary that responses show. */
export function shownOf(summary: IntakeSummary) {
  const { assets, assetTypes, warnings, warningCount } = summary;
  return {
    assets,
    assetTypes: assetTypes.slice(0, INVENTORY_TYPES_SHOWN).map((type) => ({ ...type })),
    warnings: warningsOf(summary),
    truncated: assetTypes.length > INVENTORY_TYPES_SHOWN || warningCount > warnings.length,
  };
}

const NO_ASSETS = {
  line: 1,
  message: 'The inventory has no assets, so a scan of it says nothing about the project.',
};

/** The stored warnings are about records, and preflight counts them as such; an inventory without assets may have none. */
function warningsOf({ assets, warnings }: Pick<IntakeSummary, 'assets' | 'warnings'>) {
  const shown = assets === 0 ? [NO_ASSETS, ...warnings] : warnings;
  return shown.slice(0, INVENTORY_LIMITS.warnings).map((warning) => ({ ...warning }));
}
