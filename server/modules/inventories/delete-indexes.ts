import { BY_INDEX } from '../../platform/database/by-index.ts';
import type {
  Statement,
  TenantConnection,
  TenantDatabase,
} from '../../platform/database/tenant-database.ts';

/**
 * Rows of one transaction. One that deleted the millions of a large inventory would exceed its time limit. A trigger deletes as
 * many together with an inventory.
 */
const ROWS_AT_ONCE = 10_000;

/**
 * Deletes the indexes of inventories that were deleted, or whose indexes were dropped, in short transactions. What is left is
 * deleted by the nightly task.
 */
export async function deleteIndexes(
  tenants: TenantDatabase,
  tenantId: string,
  inventoryIds: readonly string[],
  isStopping: () => boolean,
): Promise<void> {
  let inBackground = false;
  for (const id of inventoryIds) {
    let from: Place | null = { name: '', type: '' };
    while (from !== null) {
      if (isStopping()) return;
      const first: Place = from;
      // Another connection is worth its cost only for a large index.
      from = await tenants.write(tenantId, (db) => deleteSome(db, id, first), { inBackground });
      inBackground = true;
    }
  }
}

/** @returns the first row that is left; null: none. The next transaction does not read those before it again. */
async function deleteSome(
  db: TenantConnection,
  inventoryId: string,
  first: Place,
): Promise<Place | null> {
  const [held] = await db.sql<{ isIndexed: boolean }>(LOCK, [db.tenantId, inventoryId]);
  if (held?.isIndexed === true) return null;
  await db.sql(BY_INDEX);
  const values = [db.tenantId, inventoryId, first.name, first.type];
  const [next = null] = await db.sql<Place>(NEXT, [...values, ROWS_AT_ONCE]);
  if (next === null) await db.sql(DELETE_REST, values);
  else await db.sql(DELETE_UNTIL, [...values, next.name, next.type]);
  return next;
}

/** Deletes the indexes of a tenant that no transaction has deleted together with their inventories. */
export async function deleteLeftIndexes(
  tenants: TenantDatabase,
  tenantId: string,
  isStopping: () => boolean,
): Promise<void> {
  const left = await tenants.read(tenantId, (db) => db.sql<{ id: string }>(LEFT, [tenantId]));
  const ids = left.map(({ id }) => id);
  await deleteIndexes(tenants, tenantId, ids, isStopping);
}

interface Place {
  name: string;
  type: string;
}

/** The inventory, if it exists. `backfillAssetIndex` takes this lock before it marks an index as whole. */
const LOCK: Statement = {
  name: 'asset-index-delete-lock',
  reason: 'lock',
  text: `SELECT indexed_at IS NOT NULL AS "isIndexed" FROM inventories
         WHERE tenant_id = $1 AND id = $2 FOR NO KEY UPDATE`,
};

const FROM_PLACE = 'tenant_id = $1 AND inventory_id = $2 AND (name, type) >= ($3, $4)';

const NEXT: Statement = {
  name: 'asset-index-delete-next',
  reason: 'set',
  text: `SELECT name, type FROM inventory_assets WHERE ${FROM_PLACE} ORDER BY name, type OFFSET $5 LIMIT 1`,
};

const DELETE_UNTIL: Statement = {
  name: 'asset-index-delete-until',
  reason: 'set',
  text: `DELETE FROM inventory_assets WHERE ${FROM_PLACE} AND (name, type) < ($5, $6)`,
};

const DELETE_REST: Statement = {
  name: 'asset-index-delete-rest',
  reason: 'set',
  text: `DELETE FROM inventory_assets WHERE ${FROM_PLACE}`,
};

/**
 * Looks up one inventory after the other, because each has many rows. An inventory that is being received has rows before it is
 * indexed, and so has one in force while it is indexed later.
 */
const LEFT: Statement = {
  name: 'asset-index-left',
  reason: 'set',
  text: `WITH RECURSIVE indexed AS (
           (SELECT inventory_id AS id FROM inventory_assets WHERE tenant_id = $1 ORDER BY inventory_id LIMIT 1)
           UNION ALL
           SELECT (SELECT a.inventory_id FROM inventory_assets a
                   WHERE a.tenant_id = $1 AND a.inventory_id > indexed.id ORDER BY a.inventory_id LIMIT 1)
           FROM indexed WHERE indexed.id IS NOT NULL
         )
         SELECT x.id FROM indexed x LEFT JOIN inventories i ON i.tenant_id = $1 AND i.id = x.id
         WHERE x.id IS NOT NULL AND (i.id IS NULL OR (
           i.status = 'ready' AND i.indexed_at IS NULL
           AND NOT EXISTS (SELECT 1 FROM projects p WHERE p.tenant_id = $1 AND p.inventory_id = i.id)))`,
};
