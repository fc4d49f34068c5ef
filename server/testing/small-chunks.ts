import { gzipSync } from 'node:zlib';
import { landmarkOf, parseAsset } from '@cspm/scanner';
import type { TenantDatabase } from '../database/tenant-database.ts';
import { insertChunk, readChunks, unpack } from '../inventories/chunks.ts';
import type { Analyst } from './analyst.ts';

/**
 * Cuts the inventory in force into chunks of a few assets each, as if it were a large one: so that a scan of it takes many
 * steps, and yet no time.
 */
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
    for (let seq = 0; seq * assetsAChunk < texts.length; seq += 1) {
      const some = texts.slice(seq * assetsAChunk, (seq + 1) * assetsAChunk);
      const data = gzipSync(some.join('\n'));
      const landmarks = some.flatMap((text) => landmarkOf(parseAsset(text)) ?? []);
      await insertChunk(db, inventory.id, seq, {
        assets: some.length,
        data,
        landmarks: landmarks.length === 0 ? null : gzipSync(landmarks.join('\n')),
      });
    }
  });
}
