import { parseAsset } from '@cspm/scanner';
import { Breather } from '../breather.ts';
import type { TenantDatabase } from '../database/tenant-database.ts';
import { readChunks, unpack } from '../inventories/chunks.ts';
import type { AssetText } from './evaluator-messages.ts';

/** What is fetched at a time, and given out at a time. */
const CHUNKS = 2;
const BATCH = 200;

/** The assets of some types in an inventory, some at a time. The others are not even parsed, nearly always. */
export async function* assetsOfTypes(
  tenants: TenantDatabase,
  tenantId: string,
  inventoryId: string,
  types: readonly string[],
): AsyncGenerator<AssetText[]> {
  const breather = new Breather();
  const quoted = types.map((type) => JSON.stringify(type));
  let batch: AssetText[] = [];
  for (let fromSeq = 0; ; fromSeq += CHUNKS) {
    const chunks = await tenants.read(tenantId, (db) =>
      readChunks(db, inventoryId, { fromSeq, toSeq: fromSeq + CHUNKS }),
    );
    for (const text of await unpack(chunks)) {
      if (breather.isDue) await breather.breathe();
      if (!quoted.some((type) => text.includes(type))) continue;
      const { type } = parseAsset(text);
      if (!types.includes(type)) continue;
      batch.push({ type, text });
      if (batch.length < BATCH) continue;
      yield batch;
      batch = [];
    }
    if (chunks.length < CHUNKS) break;
  }
  if (batch.length > 0) yield batch;
}
