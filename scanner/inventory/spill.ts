import { type Run, ScratchFile } from './scratch-file.ts';

const FIRST_BLOCK_BYTES = 64 * 1024;
/** Runs are read together up to this size, because a read of a few kilobytes mostly waits. */
const BATCH_BYTES = 256 * 1024;
const LINE_FEED = 0x0a;

/** Several consecutive lines. */
export interface Lines {
  readonly bytes: Buffer;
  /** Start and end of each line in pairs, without its line feed. */
  readonly places: readonly number[];
}

/** One partition: the positions of its lines, as pairs of start and end, and their total size. */
interface Partition {
  /** Lines in the block, one by one, without their line feeds. */
  readonly held: number[];
  /** Runs of lines in the file. */
  readonly written: number[];
  bytes: number;
  lines: number;
}

/**
 * Partitioned lines of text: in memory up to a limit, then in a scratch file. They are stored as bytes in one block,
 * because the garbage collector would move each string separately. All lines are added before any is read.
 */
export class Spill {
  readonly #heldBytes: number;
  readonly #partitions: readonly Partition[];
  #block = Buffer.allocUnsafe(FIRST_BLOCK_BYTES);
  /** Buffer for sorting the lines of a block by partition. */
  #sorted = Buffer.alloc(0);
  #used = 0;
  #file: ScratchFile | null = null;
  /** The write in progress, of `#sorted`. Lines are added to the block meanwhile. */
  #writing: Promise<void> = Promise.resolve();

  /** @param options.heldBytes maximum bytes in memory; a single longer line is held anyway */
  constructor(options: { readonly partitions: number; readonly heldBytes: number }) {
    this.#heldBytes = options.heldBytes;
    this.#partitions = Array.from({ length: options.partitions }, () => ({
      held: [],
      written: [],
      bytes: 0,
      lines: 0,
    }));
  }

  /**
   * Adds one line, given in parts without line feeds.
   * @throws {ScratchError} when the disk was full at the last write.
   */
  async add(index: number, parts: readonly (string | Buffer)[]): Promise<void> {
    let bytes = 1;
    for (const part of parts) bytes += Buffer.byteLength(part);
    if (this.#used > 0 && this.#used + bytes > this.#heldBytes) await this.#write();
    this.#reserve(bytes);
    const start = this.#used;
    for (const part of parts) {
      this.#used +=
        typeof part === 'string'
          ? this.#block.write(part, this.#used)
          : part.copy(this.#block, this.#used);
    }
    this.#block[this.#used] = LINE_FEED;
    this.#used += 1;
    const partition = this.#partition(index);
    partition.held.push(start, this.#used - 1);
    partition.bytes += bytes;
    partition.lines += 1;
  }

  /** Number of bytes that one partition holds. */
  sizeOf(index: number): { readonly bytes: number; readonly lines: number } {
    return this.#partition(index);
  }

  /**
   * The lines of one partition in insertion order. A batch takes at most 256 KiB of memory, or that of the largest run, which is
   * no more than was held when its lines were added. The bytes stay valid while they are referenced.
   * @throws {ScratchError}
   */
  async *read(index: number): AsyncGenerator<Lines, void, undefined> {
    await this.#seal();
    const { held, written } = this.#partition(index);
    for (const runs of batchesOf(written)) {
      const bytes = await this.#file?.read(runs);
      if (bytes !== undefined) yield { bytes, places: placesIn(bytes) };
    }
    if (held.length > 0) yield { bytes: this.#block, places: held };
  }

  /** Deletes the data on disk and in memory. */
  async close(): Promise<void> {
    await this.#writing.catch(() => undefined);
    this.#release();
    await this.#file?.close();
  }

  /** If some lines are on disk, the rest follow them, because merging needs the memory. */
  async #seal(): Promise<void> {
    if (this.#file === null) return;
    if (this.#used > 0) await this.#write();
    await this.#writing;
    this.#release();
  }

  #release(): void {
    this.#block = Buffer.alloc(0);
    this.#sorted = Buffer.alloc(0);
  }

  #partition(index: number): Partition {
    const partition = this.#partitions[index];
    if (partition === undefined) throw new RangeError(`There is no partition ${index}`);
    return partition;
  }

  #reserve(bytes: number): void {
    const needed = this.#used + bytes;
    if (needed <= this.#block.length) return;
    const doubled = Math.min(this.#block.length * 2, this.#heldBytes);
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, doubled));
    this.#block.copy(larger, 0, 0, this.#used);
    this.#block = larger;
  }

  /** Begins to write the block to the file, partition by partition, and starts a new one. @throws that of the write before */
  async #write(): Promise<void> {
    await this.#writing;
    this.#file ??= await ScratchFile.open();
    if (this.#sorted.length < this.#used) {
      this.#sorted = Buffer.allocUnsafeSlow(this.#block.length);
    }
    const position = this.#file.size;
    let sorted = 0;
    for (const { held, written } of this.#partitions) {
      const start = sorted;
      for (let at = 0; at < held.length; at += 2) {
        sorted += this.#block.copy(this.#sorted, sorted, held[at], (held[at + 1] ?? 0) + 1);
      }
      held.length = 0;
      if (sorted > start) written.push(position + start, position + sorted);
    }
    this.#writing = this.#file.append(this.#sorted.subarray(0, sorted));
    // The next write, or the first read, throws its error.
    this.#writing.catch(() => undefined);
    this.#used = 0;
  }
}

/** Consecutive runs, up to the size of a batch. */
function* batchesOf(written: readonly number[]): Generator<Run[], void, undefined> {
  let runs: Run[] = [];
  let size = 0;
  for (let at = 0; at < written.length; at += 2) {
    // Only #write adds numbers, always two at a time.
    const run: Run = [written[at] ?? 0, written[at + 1] ?? 0];
    const bytes = run[1] - run[0];
    if (runs.length > 0 && size + bytes > BATCH_BYTES) {
      yield runs;
      runs = [];
      size = 0;
    }
    runs.push(run);
    size += bytes;
  }
  if (runs.length > 0) yield runs;
}

function placesIn(bytes: Buffer): number[] {
  const places: number[] = [];
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(LINE_FEED, start);
    places.push(start, end);
    start = end + 1;
  }
  return places;
}
