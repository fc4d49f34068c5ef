import { parseAsset } from '@cspm/scanner';
import { TurnYielder } from '../../platform/database/large-results.ts';
import type { TenantDatabase } from '../../platform/database/tenant-database.ts';
import { readChunks, unpack } from '../inventories/index.ts';
import type { AssetText } from './evaluator-messages.ts';

export interface NamedAsset extends AssetText {
  readonly name: string;
}

export interface AssetBatch {
  readonly assets: readonly NamedAsset[];
  /** False from the first asset on that was left out for its size. */
  readonly complete: boolean;
}

/** Chunks to read at a time. */
const CHUNKS = 2;
const BATCH = 200;
/** Parsing a larger asset, of up to 4 MiB, would hold up other requests for more than 50 ms. */
const CHARACTERS_MAX = 256 * 1024;

/**
 * Yields an inventory's assets of the given types in batches, without those that are too large to parse here. Most other
 * assets are skipped without parsing. Batches without assets let the reader end the search for a rare type.
 */
export async function* assetsOfTypes(
  tenants: TenantDatabase,
  tenantId: string,
  inventoryId: string,
  types: readonly string[],
): AsyncGenerator<AssetBatch> {
  const yielder = new TurnYielder(tenantId);
  // Without the slashes, which some programs escape.
  const parts = types.map((type) => type.split('/'));
  let assets: NamedAsset[] = [];
  let complete = true;
  for (let fromSeq = 0; ; fromSeq += CHUNKS) {
    const chunks = await tenants.read(tenantId, (db) =>
      readChunks(db, inventoryId, { fromSeq, toSeq: fromSeq + CHUNKS }),
    );
    for (const text of await unpack(chunks)) {
      if (yielder.isDue) await yielder.yieldNow();
      if (!parts.some((type) => type.every((part) => text.includes(part)))) continue;
      if (text.length > CHARACTERS_MAX) {
        complete = false;
        continue;
      }
      const { name, type } = parseAsset(text);
      if (!types.includes(type)) continue;
      assets.push({ name, type, text });
      if (assets.length < BATCH) continue;
      yield { assets, complete };
      assets = [];
    }
    yield { assets, complete };
    if (chunks.length < CHUNKS) break;
    assets = [];
  }
}
