import { type FileHandle, mkdtemp, open, readdir, rm, stat, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ScratchError } from './scratch-error.ts';

const PREFIX = 'cspm-intake-';
/** Disk space that temporary files leave free: 512 MiB, or 5 % of a small disk. */
const FREE_BYTES = 512 * 1024 * 1024;
const FREE_SHARE = 0.05;
/** The folder of a scratch file exists for milliseconds; an older one belongs to a process that died. */
const LEFTOVER_AFTER_MS = 3600 * 1000;

/** A part of the file: its first byte, and the byte after its last. */
export type Run = readonly [start: number, end: number];

/**
 * A private temporary file. It is unlinked as soon as it is open, so nothing remains however the process ends; on
 * systems that cannot unlink open files, it is deleted on close.
 */
export class ScratchFile {
  readonly #folder: string;
  readonly #handle: FileHandle;
  #size = 0;

  private constructor(folder: string, handle: FileHandle) {
    this.#folder = folder;
    this.#handle = handle;
  }

  /** @throws {ScratchError} */
  static async open(): Promise<ScratchFile> {
    const folder = await ScratchError.instead(() => mkdtemp(join(tmpdir(), PREFIX)));
    try {
      const handle = await ScratchError.instead(() => open(join(folder, 'lines'), 'wx+'));
      return new ScratchFile(folder, handle);
    } finally {
      await removeFolder(folder);
    }
  }

  /** In bytes. */
  get size(): number {
    return this.#size;
  }

  /** @throws {ScratchError} when the disk is full or nearly full. */
  async append(bytes: Buffer): Promise<void> {
    await ScratchError.instead(async () => {
      await keepRoom(bytes.length);
      await this.#handle.appendFile(bytes);
    });
    this.#size += bytes.length;
  }

  /** The bytes of all runs, one after the other. @throws {ScratchError} */
  async read(runs: readonly Run[]): Promise<Buffer> {
    const bytes = Buffer.allocUnsafeSlow(runs.reduce((sum, [start, end]) => sum + end - start, 0));
    let at = 0;
    const reads = runs.map(async ([start, end]) => {
      const place = at;
      at += end - start;
      const read = () => this.#handle.read(bytes, place, end - start, start);
      const { bytesRead } = await ScratchError.instead(read);
      if (bytesRead < end - start) throw new Error('A temporary file was truncated');
    });
    await Promise.all(reads);
    return bytes;
  }

  async close(): Promise<void> {
    await this.#handle.close();
    await removeFolder(this.#folder);
  }
}

/**
 * Removes the empty folders that processes left which died while opening a scratch file. Call it once, at the start of
 * a server.
 */
export async function removeLeftoverScratch(now = Date.now()): Promise<void> {
  const names = await readdir(tmpdir()).catch(() => []);
  for (const name of names.filter((found) => found.startsWith(PREFIX))) {
    const folder = join(tmpdir(), name);
    const found = await stat(folder).catch(() => null);
    if (found?.isDirectory() && now - found.mtimeMs > LEFTOVER_AFTER_MS) await removeFolder(folder);
  }
}

/** The database often uses the same disk, and stops when it is full. */
async function keepRoom(bytes: number): Promise<void> {
  const { bavail, blocks, bsize } = await statfs(tmpdir());
  const reserve = Math.min(FREE_BYTES, blocks * bsize * FREE_SHARE);
  if (bavail * bsize < bytes + reserve) throw new NearlyFull();
}

class NearlyFull extends Error {
  readonly code = 'ENOSPC';

  constructor() {
    super('The disk for temporary files is nearly full');
  }
}

/** Files that cannot be deleted now are retried, or left to the system. */
async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true }).catch(() => undefined);
}
