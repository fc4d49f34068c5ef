import { isObject, type JsonValue, locationOf, parseAsset } from '@cspm/scanner';
import type { Statement, TenantConnection } from '../../platform/database/tenant-database.ts';

/** What lists of assets are read from. */
interface IndexedAsset {
  readonly name: string;
  readonly type: string;
  readonly location: string | null;
}

/** The assets of one chunk, in the order of its lines. */
export interface IndexedAssets {
  readonly names: readonly string[];
  readonly types: readonly string[];
  readonly locations: readonly (string | null)[];
}

/** Collects the assets of a chunk. */
export class AssetIndex implements IndexedAssets {
  readonly names: string[] = [];
  readonly types: string[] = [];
  readonly locations: (string | null)[] = [];

  add({ name, type, location }: IndexedAsset): void {
    this.names.push(name);
    this.types.push(type);
    this.locations.push(location);
  }
}

/** What the index has of an asset, from its JSON. */
export function indexedAsset(json: string): IndexedAsset {
  const record: JsonValue = JSON.parse(json);
  const { name, type } = parseAsset(json);
  return { name, type, location: isObject(record) ? locationOf(record) : null };
}

/** Indexes a chunk. Assets that are indexed already are left as they are. */
export async function insertIndex(
  db: TenantConnection,
  inventoryId: string,
  seq: number,
  { names, types, locations }: IndexedAssets,
): Promise<void> {
  await db.sql(INSERT, [db.tenantId, inventoryId, seq, names, types, locations]);
}

/** Set-based: one statement for the thousands of assets of a chunk. */
const INSERT: Statement = {
  name: 'asset-index-insert',
  reason: 'set',
  text: `INSERT INTO inventory_assets (tenant_id, inventory_id, name, type, location, seq, line)
         SELECT $1, $2, a.name, a.type, a.location, $3, a.place - 1
         FROM unnest($4::text[], $5::text[], $6::text[]) WITH ORDINALITY AS a(name, type, location, place)
         ON CONFLICT DO NOTHING`,
};

/**
 * Keeps the index of an inventory until the transaction ends.
 * @returns false when it has none: an earlier release stored it, or the index was dropped.
 */
export async function holdIndex(db: TenantConnection, inventoryId: string): Promise<boolean> {
  return (await db.sql(HOLD_INDEX, [db.tenantId, inventoryId])).length > 0;
}

const HOLD_INDEX: Statement = {
  name: 'asset-index-hold-whole',
  reason: 'lock',
  text: `SELECT 1 FROM inventories WHERE tenant_id = $1 AND id = $2 AND indexed_at IS NOT NULL
         FOR SHARE`,
};

/**
 * Marks the indexes of a project's inventories that no list and no look-up needs: all but the given one, the one that the last
 * completed scan read, and those that a scan is reading. A marked index is never read and never used again; `deleteIndexes`
 * deletes its rows after the transaction.
 * @returns the inventories
 */
export async function dropUnusedIndexes(
  db: TenantConnection,
  projectId: string,
  inventoryId: string,
): Promise<string[]> {
  const dropped = await db.sql<{ id: string }>(DROP_UNUSED, [db.tenantId, projectId, inventoryId]);
  return dropped.map(({ id }) => id);
}

const DROP_UNUSED: Statement = {
  name: 'asset-index-drop-unused',
  reason: 'set',
  text: `UPDATE inventories SET indexed_at = NULL
         WHERE tenant_id = $1 AND project_id = $2 AND id <> $3 AND indexed_at IS NOT NULL
           AND id NOT IN (
             SELECT inventory_id FROM scan_projects
             WHERE tenant_id = $1 AND project_id = $2 AND status = 'running' AND inventory_id IS NOT NULL)
           AND id IS DISTINCT FROM (
             SELECT inventory_id FROM scan_projects
             WHERE tenant_id = $1 AND project_id = $2 AND status = 'completed' ORDER BY scan_id DESC LIMIT 1)
         RETURNING id`,
};
