import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { linesIn, type MergedAsset } from '@cspm/scanner';
import { ahead } from '../ahead.ts';
import { Breather } from '../breather.ts';
import type { Statement, TenantConnection } from '../database/tenant-database.ts';

/** A piece of an inventory; one step of a scan takes on a few. */
export interface Chunk {
  readonly assets: number;
  /** One asset a line, gzip (RFC 1952). */
  readonly data: Buffer;
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
  for await (const lines of ahead(batchesOf(assets))) yield await pack(lines);
}

async function* batchesOf(assets: AsyncIterable<MergedAsset>): AsyncGenerator<string[]> {
  const breather = new Breather();
  let lines: string[] = [];
  let characters = 0;
  for await (const { text } of assets) {
    if (breather.isDue) await breather.breathe();
    lines.push(text);
    characters += text.length;
    if (characters >= CHUNK_CHARACTERS) {
      yield lines;
      lines = [];
      characters = 0;
    }
  }
  if (lines.length > 0) yield lines;
}

async function pack(lines: readonly string[]): Promise<Chunk> {
  const data = await compress(lines.join('\n'), { level: COMPRESSION_LEVEL });
  return { assets: lines.length, data };
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
  const values = [db.tenantId, inventoryId, seq, chunk.assets, chunk.data];
  return (await db.sql(INSERT, values)).length > 0;
}

/** The next few chunks of an inventory, in their order; empty after the last one. */
export async function readChunks(
  db: TenantConnection,
  inventoryId: string,
  fromSeq: number,
  most: number,
): Promise<{ seq: number; data: Buffer }[]> {
  return db.sql(READ, [db.tenantId, inventoryId, fromSeq, most]);
}

const INSERT: Statement = {
  name: 'chunk-insert',
  text: `INSERT INTO inventory_chunks (tenant_id, inventory_id, seq, assets, data)
         SELECT tenant_id, id, $3, $4, $5 FROM inventories WHERE tenant_id = $1 AND id = $2
         FOR KEY SHARE
         RETURNING seq`,
};

const READ: Statement = {
  name: 'chunks-read',
  text: `SELECT seq, data FROM inventory_chunks
         WHERE tenant_id = $1 AND inventory_id = $2 AND seq >= $3 ORDER BY seq LIMIT $4`,
};
