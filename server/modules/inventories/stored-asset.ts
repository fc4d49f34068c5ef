import type { Statement, TenantConnection } from '../../platform/database/tenant-database.ts';
import { unpack } from './chunks.ts';

/**
 * The record of an asset in an inventory, as JSON. Reads one chunk.
 *
 * @returns null if the inventory has no such asset, or no index
 */
export async function findStoredAsset(
  db: TenantConnection,
  inventoryId: string,
  { name, type }: { readonly name: string; readonly type: string },
): Promise<string | null> {
  const [row] = await db.sql<{ line: number; data: Buffer }>(PLACE, [
    db.tenantId,
    inventoryId,
    name,
    type,
  ]);
  if (row === undefined) return null;
  const texts = await unpack([row]);
  // The chunk is larger than what the statement returned, because that was compressed.
  await db.turn();
  let line = 0;
  for (const text of texts) {
    if (line === row.line) return text;
    line += 1;
  }
  return null;
}

const PLACE: Statement = {
  name: 'inventory-asset-text',
  reason: 'set',
  text: `SELECT a.line, c.data FROM inventory_assets a
         JOIN inventories i ON i.tenant_id = $1 AND i.id = $2 AND i.indexed_at IS NOT NULL
         JOIN inventory_chunks c ON c.tenant_id = $1 AND c.inventory_id = $2 AND c.seq = a.seq
         WHERE a.tenant_id = $1 AND a.inventory_id = $2 AND a.name = $3 AND a.type = $4`,
};
