import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { Stats } from 'node:fs';
import { type FileHandle, open, readlink, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { InputError, UsageError } from './usage-error.ts';

/** Text, or bytes of a binary format. */
type Piece = string | Uint8Array;

interface Destination {
  /** Undefined: the stream. */
  readonly file: string | undefined;
  readonly stream: Writable;
  /** The most permissions that the file gets. Default: those of an older file, or of the process. */
  readonly mode?: number;
  /** Whether to gzip the file. */
  readonly isPacked?: boolean;
}

/**
 * Standard output: as in POSIX.1-2017, 12.2, guideline 13, and by its name as a file, because it may be a pipe that cannot be
 * opened again.
 */
const STANDARD_OUTPUT: readonly (string | undefined)[] = ['-', '/dev/stdout'];

/** Whether two names of `Destination.file` are of one file, or both of the stream. */
export function isSamePlace(one: string | undefined, other: string | undefined): boolean {
  const [a, b] = [one, other].map((file) =>
    file === undefined || STANDARD_OUTPUT.includes(file) ? null : resolve(file),
  );
  return a === b;
}

/** The name of an option and the file that it was given. */
type OptionFile = readonly [option: string, file: string | undefined];

/**
 * Checks that no output replaces a file that the command reads. Links to a file are the file.
 * @throws {UsageError} that names both options
 */
export async function checkOverwritesNone(
  outputs: readonly OptionFile[],
  inputs: readonly OptionFile[],
): Promise<void> {
  for (const [option, output] of outputs) {
    const place = await identityOf(output);
    if (place === null) continue;
    for (const [read, input] of inputs) {
      if ((await identityOf(input)) !== place) continue;
      throw new UsageError(
        `${option} would replace the file that ${read} reads: ${output}. Name another file.`,
      );
    }
  }
}

/** What two names of one regular file share; null for anything else. */
async function identityOf(file: string | undefined): Promise<string | null> {
  if (file === undefined) return null;
  const found = await stat(file, { bigint: true }).catch(() => null);
  return found?.isFile() ? `${found.dev} ${found.ino}` : null;
}

/**
 * Writes pieces to a file or to a stream. The file replaces an older one only when it is complete, and keeps its
 * permissions. Symbolic links are followed. A device or a pipe is written to directly.
 * @throws {InputError} when the file cannot be written; otherwise the error of the source. The older file then stays
 * unchanged
 */
export async function writeOut(pieces: AsyncIterable<Piece>, to: Destination): Promise<void> {
  if (to.file === undefined || STANDARD_OUTPUT.includes(to.file)) {
    for await (const piece of pieces) await write(to.stream, piece);
    return;
  }
  const refuse = cannotWrite(to.file);
  const { path, older } = await targetOf(to.file).catch(refuse);
  const writeTo = async (handle: FileHandle) => {
    const file = handle.createWriteStream();
    if (to.isPacked) await pipeline(pieces, createGzip(), file);
    else await pipeline(pieces, file);
  };
  if (older !== null && !older.isFile()) {
    await writeTo(await open(path, 'w').catch(refuse)).catch((error) => {
      // A reader may close a pipe early, which is not an error, as with standard output.
      if (error.code !== 'EPIPE') refuseFull(error, refuse);
    });
    return;
  }
  // A process id repeats in containers, where a killed process may have left its draft.
  const draft = `${path}.${randomUUID()}.part`;
  const { mode = 0o666 } = to;
  const kept = older === null ? null : older.mode & (to.mode ?? 0o777);
  const handle = await open(draft, 'wx', kept ?? mode).catch(refuse);
  try {
    // The process's umask may have removed permissions that the older file had.
    if (kept !== null) await handle.chmod(kept);
    await writeTo(handle);
    await rename(draft, path).catch(refuse);
  } catch (error) {
    await rm(draft, { force: true });
    refuseFull(error, refuse);
  }
}

/** The file that a name stands for after all symbolic links, also if the last one points to nothing yet. */
async function targetOf(file: string): Promise<{ path: string; older: Stats | null }> {
  const older = await stat(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  // A pipe of another process has a name in /proc that resolves to nothing.
  if (older !== null) return { path: older.isFile() ? await realpath(file) : file, older };
  const link = await readlink(file).catch(() => null);
  if (link === null) return { path: file, older };
  return targetOf(resolve(await realpath(dirname(file)), link));
}

/** Rethrows an error; one of a full disk with what to do. */
function refuseFull(error: unknown, refuse: (error: Error) => never): never {
  if (error instanceof Error && 'code' in error && error.code === 'ENOSPC') refuse(error);
  throw error;
}

/** The message of the system names the draft, which the user does not know. */
function cannotWrite(file: string): (error: NodeJS.ErrnoException) => never {
  return ({ message, code }) => {
    const [reason] = message.split(',');
    const remedy =
      code === 'ENOSPC'
        ? 'Free some space, or name a file on another disk.'
        : 'Name a file in a directory that exists and that you may write to.';
    throw new InputError(`Cannot write ${file}: ${reason}. ${remedy}`);
  };
}

async function write(stream: Writable, piece: Piece): Promise<void> {
  if (!stream.write(piece)) await once(stream, 'drain');
}
