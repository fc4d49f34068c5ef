import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { linesIn, type MergedAsset, type ReferenceSelection } from '@cspm/scanner';
import type {
  Statement,
  TenantConnection,
  TenantDatabase,
} from '../../platform/database/tenant-database.ts';
import { EventLoopYielder } from '../../platform/event-loop-yield.ts';
import { ahead } from '../../platform/prefetch.ts';
import { AssetIndex, type IndexedAssets, insertIndex } from './asset-index.ts';
import { ReferenceBudget } from './reference-budget.ts';

/** A part of an inventory. One step of a scan reads a few chunks. */
export interface Chunk {
  readonly assets: number;
  /** One asset per line, compressed with gzip (RFC 1952). */
  readonly data: Buffer;
  /** The reference data of those assets that rules on other assets look up, in the same format. */
  readonly referenceAssets: Buffer | null;
  /** The same assets, in the same order. */
  readonly index: IndexedAssets;
}

const CHUNK_BYTES = 1024 * 1024;
/** Chunks are written once and read few times, so the fastest compression level is best. */
const COMPRESSION_LEVEL = 1;

/** Fits a whole chunk plus the last line that exceeded the limit, so most chunks need one buffer. */
const INFLATED_BYTES = CHUNK_BYTES + 64 * 1024;

const LINE_FEED = 0x0a;

const compress = promisify(gzip);
const decompress = promisify(gunzip);

/**
 * Packs assets into chunks of about 1 MiB of JSON. The next chunk is collected while one is being compressed.
 * @param references all records of the inventory were noted
 * @throws {TooManyReferences}
 */
export async function* chunksOf(
  assets: AsyncIterable<MergedAsset>,
  references: ReferenceSelection,
): AsyncGenerator<Chunk> {
  const plain = new PlainText();
  for await (const { lines, referenceAssets, index } of ahead(batchesOf(assets, references))) {
    yield {
      assets: lines.length,
      data: await compress(plain.join(lines), { level: COMPRESSION_LEVEL }),
      referenceAssets:
        referenceAssets.length === 0
          ? null
          : await compress(referenceAssets.join('\n'), { level: COMPRESSION_LEVEL }),
      index,
    };
  }
}

interface Batch {
  readonly lines: readonly Buffer[];
  readonly referenceAssets: readonly string[];
  readonly index: IndexedAssets;
}

async function* batchesOf(
  assets: AsyncIterable<MergedAsset>,
  references: ReferenceSelection,
): AsyncGenerator<Batch> {
  const yielder = new EventLoopYielder();
  const budget = new ReferenceBudget();
  let lines: Buffer[] = [];
  let referenceAssets: string[] = [];
  let index = new AssetIndex();
  let size = 0;
  for await (const asset of assets) {
    if (yielder.isDue) await yielder.yieldNow();
    lines.push(asset.bytes);
    index.add(asset);
    const referenceAsset = references.referenceAssetOf(asset);
    if (referenceAsset !== null) {
      budget.spend(asset.type, referenceAsset);
      referenceAssets.push(referenceAsset);
    }
    size += asset.bytes.length;
    if (size >= CHUNK_BYTES) {
      yield { lines, referenceAssets, index };
      lines = [];
      referenceAssets = [];
      index = new AssetIndex();
      size = 0;
    }
  }
  if (lines.length > 0) yield { lines, referenceAssets, index };
}

/** A reusable buffer for the text of one chunk, because released buffers are not freed immediately. */
class PlainText {
  #room = Buffer.alloc(0);

  /** Joins lines with line feeds, without one at the end. The result is valid until the next call. */
  join(lines: readonly Buffer[]): Buffer {
    const size = lines.reduce((sum, line) => sum + line.length + 1, -1);
    if (size > this.#room.length) {
      this.#room = Buffer.allocUnsafeSlow(Math.max(size, INFLATED_BYTES));
    }
    let at = 0;
    for (const line of lines) {
      if (at > 0) {
        this.#room[at] = LINE_FEED;
        at += 1;
      }
      at += line.copy(this.#room, at);
    }
    return this.#room.subarray(0, size);
  }
}

/** Yields the assets of some chunks as JSON. Iterate once only. */
export async function unpack(
  chunks: readonly { readonly data: Uint8Array }[],
): Promise<Iterable<string>> {
  return assetsIn(
    await Promise.all(chunks.map(({ data }) => decompress(data, { chunkSize: INFLATED_BYTES }))),
  );
}

function* assetsIn(inflated: readonly Buffer[]): Generator<string> {
  for (const bytes of inflated) yield* linesIn(bytes);
}

/**
 * Inserts a chunk and the index of its assets.
 * @returns false when the inventory was deleted with its project meanwhile.
 */
export async function insertChunk(
  db: TenantConnection,
  inventoryId: string,
  seq: number,
  chunk: Chunk,
): Promise<boolean> {
  const values = [db.tenantId, inventoryId, seq, chunk.assets, chunk.data, chunk.referenceAssets];
  if ((await db.sql(INSERT, values)).length === 0) return false;
  await insertIndex(db, inventoryId, seq, chunk.index);
  return true;
}

/** Reads chunks in order, from the first index up to but excluding the second, as far as they exist. */
export async function readChunks(
  db: TenantConnection,
  inventoryId: string,
  { fromSeq, toSeq }: { readonly fromSeq: number; readonly toSeq: number },
): Promise<{ data: Buffer }[]> {
  return db.sql<{ data: Buffer }>(READ, [db.tenantId, inventoryId, fromSeq, toSeq]);
}

/** Number of chunks per read. */
const LANDMARKS_A_READ = 64;

/** Yields the stored reference data of an inventory, still compressed, in batches. */
export async function* readReferenceAssets(
  tenants: TenantDatabase,
  tenantId: string,
  inventoryId: string,
): AsyncGenerator<Buffer[]> {
  for (let after = -1; ; ) {
    const rows = await tenants.read(tenantId, (db) =>
      db.sql<{ seq: number; data: Buffer }>(READ_LANDMARKS, [
        tenantId,
        inventoryId,
        after,
        LANDMARKS_A_READ,
      ]),
    );
    if (rows.length > 0) yield rows.map(({ data }) => data);
    const last = rows.at(-1);
    if (last === undefined || rows.length < LANDMARKS_A_READ) return;
    after = last.seq;
  }
}

const INSERT: Statement = {
  name: 'chunk-insert',
  reason: 'lock',
  text: `INSERT INTO inventory_chunks (tenant_id, inventory_id, seq, assets, data, landmarks)
         SELECT tenant_id, id, $3, $4, $5, $6 FROM inventories WHERE tenant_id = $1 AND id = $2
         FOR KEY SHARE
         RETURNING seq`,
};

const READ: Statement = {
  name: 'chunks-read',
  reason: 'hot path',
  text: `SELECT data FROM inventory_chunks
         WHERE tenant_id = $1 AND inventory_id = $2 AND seq >= $3 AND seq < $4 ORDER BY seq`,
};

const READ_LANDMARKS: Statement = {
  name: 'reference-assets-read',
  reason: 'hot path',
  text: `SELECT seq, landmarks AS data FROM inventory_chunks
         WHERE tenant_id = $1 AND inventory_id = $2 AND seq > $3 AND landmarks IS NOT NULL
         ORDER BY seq LIMIT $4`,
};
