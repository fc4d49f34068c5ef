import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { isLandmarkType, landmarkOf, linesIn, type MergedAsset, parseAsset } from '@cspm/scanner';
import { ahead } from '../ahead.ts';
import { Breather } from '../breather.ts';
import type { Statement, TenantConnection } from '../database/tenant-database.ts';

/** A piece of an inventory; one step of a scan takes on a few. */
export interface Chunk {
  readonly assets: number;
  /** One asset a line, gzip (RFC 1952). */
  readonly data: Buffer;
  /** Of these assets, those that rules on others look up, as far as they do; packed the same way. */
  readonly landmarks: Buffer | null;
}

const CHUNK_CHARACTERS = 1024 * 1024;
/** The data is written once and read a few times: the fastest level is the right one. */
const COMPRESSION_LEVEL = 1;

/** Room for a whole chunk and the line that took it over the limit, so that most are inflated in one go. */
const INFLATED_BYTES = CHUNK_CHARACTERS + 64 * 1024;

const compress = promisify(gzip);
const decompress = promisify(gunzip);

/** Packs assets into chunks of about 1 MiB of text. While one is compressed, the assets of the next are got together. */
export async function* chunksOf(assets: AsyncIterable<MergedAsset>): AsyncGenerator<Chunk> {
  for await (const batch of ahead(batchesOf(assets))) yield await chunkOf(batch);
}

interface Batch {
  readonly lines: string[];
  readonly landmarks: string[];
}

async function* batchesOf(assets: AsyncIterable<MergedAsset>): AsyncGenerator<Batch> {
  const breather = new Breather();
  let batch: Batch = { lines: [], landmarks: [] };
  let characters = 0;
  for await (const { type, text } of assets) {
    if (breather.isDue) await breather.breathe();
    batch.lines.push(text);
    const landmark = isLandmarkType(type) ? landmarkOf(parseAsset(text)) : null;
    if (landmark !== null) batch.landmarks.push(landmark);
    characters += text.length;
    if (characters >= CHUNK_CHARACTERS) {
      yield batch;
      batch = { lines: [], landmarks: [] };
      characters = 0;
    }
  }
  if (batch.lines.length > 0) yield batch;
}

async function chunkOf({ lines, landmarks }: Batch): Promise<Chunk> {
  return {
    assets: lines.length,
    data: await pack(lines),
    landmarks: landmarks.length === 0 ? null : await pack(landmarks),
  };
}

async function pack(lines: readonly string[]): Promise<Buffer> {
  return compress(lines.join('\n'), { level: COMPRESSION_LEVEL });
}

/** The assets of some chunks, each as JSON; to be gone through once. */
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

/** @returns false when the inventory is there no more: its project was deleted meanwhile. */
export async function insertChunk(
  db: TenantConnection,
  inventoryId: string,
  seq: number,
  chunk: Chunk,
): Promise<boolean> {
  const values = [db.tenantId, inventoryId, seq, chunk.assets, chunk.data, chunk.landmarks];
  return (await db.sql(INSERT, values)).length > 0;
}

/** Some chunks of an inventory, in their order: from the first to before the other, as far as they are there. */
export async function readChunks(
  db: TenantConnection,
  inventoryId: string,
  { fromSeq, toSeq }: { readonly fromSeq: number; readonly toSeq: number },
): Promise<{ data: Buffer }[]> {
  return db.sql(READ, [db.tenantId, inventoryId, fromSeq, toSeq]);
}

/** So many are fetched at a time. */
const LANDMARKS_A_READ = 64;

/** The landmarks of an inventory, each as JSON. They are few, whatever its size. */
export async function readLandmarks(db: TenantConnection, inventoryId: string): Promise<string[]> {
  const landmarks: string[] = [];
  for (let after = -1; ; ) {
    const values = [db.tenantId, inventoryId, after, LANDMARKS_A_READ];
    const rows = await db.sql<{ seq: number; data: Buffer }>(READ_LANDMARKS, values);
    for (const text of await unpack(rows)) landmarks.push(text);
    const last = rows.at(-1);
    if (last === undefined || rows.length < LANDMARKS_A_READ) return landmarks;
    after = last.seq;
  }
}

const INSERT: Statement = {
  name: 'chunk-insert',
  text: `INSERT INTO inventory_chunks (tenant_id, inventory_id, seq, assets, data, landmarks)
         SELECT tenant_id, id, $3, $4, $5, $6 FROM inventories WHERE tenant_id = $1 AND id = $2
         FOR KEY SHARE
         RETURNING seq`,
};

const READ: Statement = {
  name: 'chunks-read',
  text: `SELECT data FROM inventory_chunks
         WHERE tenant_id = $1 AND inventory_id = $2 AND seq >= $3 AND seq < $4 ORDER BY seq`,
};

const READ_LANDMARKS: Statement = {
  name: 'landmarks-read',
  text: `SELECT seq, landmarks AS data FROM inventory_chunks
         WHERE tenant_id = $1 AND inventory_id = $2 AND seq > $3 AND landmarks IS NOT NULL
         ORDER BY seq LIMIT $4`,
};
