import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { linesIn } from './lines-in.ts';
import { ScratchError } from './scratch-error.ts';

const FIRST_BLOCK_BYTES = 64 * 1024;

/** Where lines of one partition lie, in the block or in the file. */
interface Range {
  readonly start: number;
  readonly end: number;
}

/**
 * Lines of text, dealt out to partitions: in memory up to a bound, beyond it in a temporary file. They are held as bytes
 * in one block: as strings, the garbage collector would carry each of them from place to place.
 */
export class Spill {
  readonly #heldCharacters: number;
  readonly #held: Range[][];
  readonly #written: Range[][];
  #block = Buffer.allocUnsafe(FIRST_BLOCK_BYTES);
  /** Room to bring the lines of a block into the order of their partitions. */
  #sorted = Buffer.alloc(0);
  #used = 0;
  #characters = 0;
  #file: TemporaryFile | null = null;

  constructor(options: { readonly partitions: number; readonly heldCharacters: number }) {
    this.#heldCharacters = options.heldCharacters;
    this.#held = Array.from({ length: options.partitions }, () => []);
    this.#written = Array.from({ length: options.partitions }, () => []);
  }

  /** @param line without a line feed */
  async add(partition: number, line: string): Promise<void> {
    const start = this.#used;
    this.#reserve(Buffer.byteLength(line) + 1);
    this.#used += this.#block.write(line, start);
    this.#block.write('\n', this.#used);
    this.#used += 1;
    this.#held[partition]?.push({ start, end: this.#used });
    this.#characters += line.length;
    if (this.#characters >= this.#heldCharacters) await this.#write();
  }

  /** The lines of one partition, in the order in which they were added. */
  async read(partition: number): Promise<string[]> {
    const pieces =
      this.#file === null ? [] : [await this.#file.read(this.#written[partition] ?? [])];
    for (const { start, end } of this.#held[partition] ?? []) {
      pieces.push(this.#block.subarray(start, end));
    }
    return pieces.flatMap((piece) => [...linesIn(piece)]);
  }

  /** Removes what waits on disk. */
  async close(): Promise<void> {
    await this.#file?.remove();
  }

  #reserve(bytes: number): void {
    const needed = this.#used + bytes;
    if (needed <= this.#block.length) return;
    const larger = Buffer.allocUnsafe(Math.max(needed, this.#block.length * 2));
    this.#block.copy(larger, 0, 0, this.#used);
    this.#block = larger;
  }

  /** Writes the block out, partition by partition, and begins a new one in its place. */
  async #write(): Promise<void> {
    this.#file ??= await TemporaryFile.open();
    if (this.#sorted.length < this.#used) this.#sorted = Buffer.allocUnsafe(this.#block.length);
    let sorted = 0;
    for (const [partition, held] of this.#held.entries()) {
      const start = sorted;
      for (const line of held) {
        sorted += this.#block.copy(this.#sorted, sorted, line.start, line.end);
      }
      held.length = 0;
      if (sorted === start) continue;
      const position = this.#file.size;
      this.#written[partition]?.push({ start: position + start, end: position + sorted });
    }
    await this.#file.append(this.#sorted.subarray(0, sorted));
    this.#used = 0;
    this.#characters = 0;
  }
}

/**
 * A file that nobody else can look into. Its name is taken away as soon as it is open, so that nothing is left of it however
 * the process ends; where the system does not let that be done to open files, it goes when it is closed.
 */
class TemporaryFile {
  readonly #folder: string;
  readonly #handle: FileHandle;
  #size = 0;

  private constructor(folder: string, handle: FileHandle) {
    this.#folder = folder;
    this.#handle = handle;
  }

  /** @throws {ScratchError} */
  static async open(): Promise<TemporaryFile> {
    const folder = await ScratchError.instead(() => mkdtemp(join(tmpdir(), 'cspm-intake-')));
    try {
      const handle = await ScratchError.instead(() => open(join(folder, 'lines'), 'wx+'));
      return new TemporaryFile(folder, handle);
    } finally {
      await removeFolder(folder);
    }
  }

  get size(): number {
    return this.#size;
  }

  /** @throws {ScratchError} when the disk is full. */
  async append(bytes: Buffer): Promise<void> {
    await ScratchError.instead(() => this.#handle.appendFile(bytes));
    this.#size += bytes.length;
  }

  /** The bytes of all these ranges, one after the other. @throws {ScratchError} */
  async read(ranges: readonly Range[]): Promise<Buffer> {
    const bytes = Buffer.allocUnsafe(ranges.reduce((sum, { start, end }) => sum + end - start, 0));
    let at = 0;
    for (const { start, end } of ranges) {
      const read = () => this.#handle.read(bytes, at, end - start, start);
      const { bytesRead } = await ScratchError.instead(read);
      if (bytesRead < end - start) throw new Error('A temporary file was cut short');
      at += end - start;
    }
    return bytes;
  }

  async remove(): Promise<void> {
    await this.#handle.close();
    await removeFolder(this.#folder);
  }
}

/** What cannot be removed now is tried again, or is the system's to clear away. */
async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true }).catch(() => undefined);
}
