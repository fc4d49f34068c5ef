import { parseAsset } from '@cspm/scanner';
import type { TenantDatabase } from '../../platform/database/tenant-database.ts';
import { EventLoopYielder } from '../../platform/event-loop-yield.ts';
import { readChunks, unpack } from '../inventories/index.ts';
import type { AssetText } from './evaluator-messages.ts';

/** Chunks to read at a time. */
const CHUNKS = 2;
const BATCH = 200;

/**
 * Yields an inventory's assets of the given types in batches. Most other assets are skipped without parsing. Batches
 * without assets let the reader end the search for a rare type.
 */
export async function* assetsOfTypes(
  tenants: TenantDatabase,
  tenantId: string,
  inventoryId: string,
  types: readonly string[],
): AsyncGenerator<AssetText[]> {
  const yielder = new EventLoopYielder();
  const quoted = types.map((type) => JSON.stringify(type));
  let batch: AssetText[] = [];
  for (let fromSeq = 0; ; fromSeq += CHUNKS) {
    const chunks = await tenants.read(tenantId, (db) =>
      readChunks(db, inventoryId, { fromSeq, toSeq: fromSeq + CHUNKS }),
    );
    for (const text of await unpack(chunks)) {
      if (yielder.isDue) await yielder.yieldNow();
      if (!quoted.some((type) => text.includes(type))) continue;
      const { type } = parseAsset(text);
      if (!types.includes(type)) continue;
      batch.push({ type, text });
      if (batch.length < BATCH) continue;
      yield batch;
      batch = [];
    }
    yield batch;
    if (chunks.length < CHUNKS) break;
    batch = [];
  }
}
