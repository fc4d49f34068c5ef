import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';

/** Text, or bytes of a binary format. */
type Piece = string | Uint8Array;

interface Destination {
  /** Undefined: the stream. */
  readonly file: string | undefined;
  readonly stream: Writable;
  /** The permissions of the file. Default: those of the process. */
  readonly mode?: number;
  /** Whether to gzip the file. */
  readonly isPacked?: boolean;
}

/**
 * Writes pieces to a file or to a stream. The file replaces an older one only when it is complete.
 * @throws the error of the source; the older file then stays unchanged
 */
export async function writeOut(pieces: AsyncIterable<Piece>, to: Destination): Promise<void> {
  if (to.file === undefined) {
    for await (const piece of pieces) await write(to.stream, piece);
    return;
  }
  const draft = `${to.file}.${process.pid}.part`;
  const { mode = 0o666 } = to;
  const file = createWriteStream(draft, { flags: 'wx', mode });
  try {
    if (to.isPacked) await pipeline(pieces, createGzip(), file);
    else await pipeline(pieces, file);
    await rename(draft, to.file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

async function write(stream: Writable, piece: Piece): Promise<void> {
  if (stream.write(piece)) return;
  await new Promise<void>((resolve, reject) => {
    stream.once('drain', resolve);
    stream.once('error', reject);
  });
}
