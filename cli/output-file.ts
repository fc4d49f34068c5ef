import { open, rename, rm } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { InputError } from './usage-error.ts';

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
 * @throws {InputError} when the file cannot be written; otherwise the error of the source. The older file then stays
 * unchanged
 */
export async function writeOut(pieces: AsyncIterable<Piece>, to: Destination): Promise<void> {
  if (to.file === undefined) {
    for await (const piece of pieces) await write(to.stream, piece);
    return;
  }
  const draft = `${to.file}.${process.pid}.part`;
  const { mode = 0o666 } = to;
  const refuse = cannotWrite(to.file);
  const file = (await open(draft, 'wx', mode).catch(refuse)).createWriteStream();
  try {
    if (to.isPacked) await pipeline(pieces, createGzip(), file);
    else await pipeline(pieces, file);
    await rename(draft, to.file).catch(refuse);
  } catch (error) {
    await rm(draft, { force: true });
    if (error instanceof Error && 'code' in error && error.code === 'ENOSPC') refuse(error);
    throw error;
  }
}

/** The message of the system names the draft, which the user does not know. */
function cannotWrite(file: string): (error: Error) => never {
  return ({ message }) => {
    const [reason] = message.split(',');
    throw new InputError(
      `Cannot write ${file}: ${reason}. Name a file in a directory that exists and that you may write to.`,
    );
  };
}

async function write(stream: Writable, piece: Piece): Promise<void> {
  if (stream.write(piece)) return;
  await new Promise<void>((resolve, reject) => {
    stream.once('drain', resolve);
    stream.once('error', reject);
  });
}
