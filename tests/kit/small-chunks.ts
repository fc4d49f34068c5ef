import { gzipSync } from 'node:zlib';
import { parseAsset, referenceAssetOf } from '@cspm/scanner';
import { AssetIndex, indexedAsset } from '../../server/modules/inventories/asset-index.ts';
import { insertChunk, readChunks, unpack } from '../../server/modules/inventories/chunks.ts';
import type { TenantDatabase } from '../../server/platform/database/tenant-database.ts';
import type { Analyst } from './analyst.ts';

/** Splits the active inventory into chunks of a few assets, so a scan takes many steps but little time. */
export async function cutSmall(
  tenants: TenantDatabase,
  analyst: Analyst,
  project: string,
  assetsAChunk: number,
): Promise<void> {
  const { inventory } = await analyst.ask(200, `/projects/${project}`);
  await tenants.write(analyst.tenantId, async (db) => {
    const chunks = await readChunks(db, inventory.id, { fromSeq: 0, toSeq: 1_000 });
    const texts = [...(await unpack(chunks))];
    await db.prisma.inventoryChunk.deleteMany({
      where: { tenantId: db.tenantId, inventoryId: inventory.id },
    });
    await db.prisma.inventoryAsset.deleteMany({
      where: { tenantId: db.tenantId, inventoryId: inventory.id },
    });
    for (let seq = 0; seq * assetsAChunk < texts.length; seq += 1) {
      const some = texts.slice(seq * assetsAChunk, (seq + 1) * assetsAChunk);
      const data = gzipSync(some.join('\n'));
      const referenceAssets = some.flatMap((text) => referenceAssetOf(parseAsset(text)) ?? []);
      const index = new AssetIndex();
      for (const text of some) index.add(indexedAsset(text));
      await insertChunk(db, inventory.id, seq, {
        assets: some.length,
        data,
        referenceAssets: referenceAssets.length === 0 ? null : gzipSync(referenceAssets.join('\n')),
        index,
      });
    }
  });
}
