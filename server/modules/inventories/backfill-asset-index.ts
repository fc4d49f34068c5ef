import type pg from 'pg';
import type { Logger } from 'pino';
import type { Statement, TenantDatabase } from '../../platform/database/tenant-database.ts';
import { isOutage } from '../../platform/database/unavailable.ts';
import { EventLoopYielder } from '../../platform/event-loop-yield.ts';
import { AssetIndex, indexedAsset, insertIndex } from './asset-index.ts';
import { readChunks, unpack } from './chunks.ts';

export interface AssetIndexServices {
  readonly pool: pg.Pool;
  readonly tenants: TenantDatabase;
  readonly log: Logger;
}

/**
 * Indexes the assets of active inventories that have no index, because an earlier release stored them; for all tenants.
 * May be stopped or killed at any moment and run again, by several workers at once: a chunk that is indexed already is left
 * as it is.
 */
export async function backfillAssetIndex(
  { pool, tenants, log }: AssetIndexServices,
  isStopping: () => boolean,
): Promise<void> {
  const { rows } = await pool.query<{ id: string }>('SELECT jobs.tenants() AS id');
  for (const { id: tenantId } of rows) {
    if (isStopping()) return;
    try {
      const unindexed = await tenants.read(tenantId, (db) =>
        db.sql<{ id: string }>(UNINDEXED, [tenantId]),
      );
      for (const { id } of unindexed) {
        const assets = await indexInventory(tenants, tenantId, id, isStopping);
        if (isStopping()) return;
        log.info({ tenant: tenantId, inventory: id, assets }, 'Indexed the assets of an inventory');
      }
    } catch (error) {
      if (isOutage(error)) throw error;
      log.error({ err: error, tenant: tenantId }, 'Failed to index the assets of an inventory');
    }
  }
}

async function indexInventory(
  tenants: TenantDatabase,
  tenantId: string,
  id: string,
  isStopping: () => boolean,
): Promise<number> {
  const yielder = new EventLoopYielder();
  let assets = 0;
  for (let seq = 0; !isStopping(); seq += 1) {
    const chunks = await tenants.read(tenantId, (db) =>
      readChunks(db, id, { fromSeq: seq, toSeq: seq + 1 }),
    );
    if (chunks.length === 0) {
      await tenants.write(tenantId, async (db) => {
        await db.sql(LOCK, [tenantId, id]);
        await db.sql(MARK, [tenantId, id]);
      });
      break;
    }
    const index = new AssetIndex();
    for (const text of await unpack(chunks)) {
      if (yielder.isDue) await yielder.yieldNow();
      index.add(indexedAsset(text));
    }
    assets += index.names.length;
    await tenants.write(tenantId, async (db) => {
      const held = await db.sql(HOLD, [tenantId, id]);
      if (held.length > 0) await insertIndex(db, id, seq, index);
    });
  }
  return assets;
}

/** Hand-written: schema.prisma has no relation from a project to its active inventory. */
const UNINDEXED: Statement = {
  name: 'asset-index-missing',
  reason: 'set',
  text: `SELECT i.id FROM projects p
         JOIN inventories i ON i.tenant_id = $1 AND i.id = p.inventory_id
         WHERE p.tenant_id = $1 AND i.indexed_at IS NULL ORDER BY i.id`,
};

/** Keeps the inventory until the transaction ends. What is inserted for one that is not in force is deleted only by the nightly task. */
const HOLD: Statement = {
  name: 'asset-index-hold',
  reason: 'lock',
  text: `SELECT 1 FROM inventories i JOIN projects p ON p.tenant_id = $1 AND p.inventory_id = i.id
         WHERE i.tenant_id = $1 AND i.id = $2 FOR KEY SHARE OF i`,
};

/** `deleteIndexes` takes this lock too, so what is read after it shows whether the index may have been deleted. */
const LOCK: Statement = {
  name: 'asset-index-lock',
  reason: 'lock',
  text: 'SELECT 1 FROM inventories WHERE tenant_id = $1 AND id = $2 FOR NO KEY UPDATE',
};

/** Not of an inventory that was replaced meanwhile: the index of that one is deleted. */
const MARK: Statement = {
  name: 'asset-index-mark',
  reason: 'set',
  text: `UPDATE inventories SET indexed_at = now()
         WHERE tenant_id = $1 AND id = $2
           AND EXISTS (SELECT 1 FROM projects p WHERE p.tenant_id = $1 AND p.inventory_id = $2)`,
};
