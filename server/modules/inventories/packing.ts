import {
  beginsTerraformDocument,
  type HashSeed,
  INVENTORY_LIMITS,
  InventoryError,
  type InventoryRecord,
  RecordTooLarge,
  readInventory,
} from '@cspm/scanner';
import type { Chunk } from './chunks.ts';
import { type PackedInventory, type Packing, PackingHere } from './pack-inventory.ts';
import { PackingFailed, type PackingProcesses, type Sender } from './packing-process.ts';
import { NOTHING_SKIPPED, type SkippedSummary, withSkipped } from './skipped-resources.ts';
import { slicesOf } from './slices.ts';
import { MAX_DOCUMENT_BYTES } from './terraform-process.ts';

/** An inventory as it arrives. */
export interface InventorySource {
  /** The decompressed bytes. */
  readonly body: AsyncIterable<Uint8Array>;
  readonly format: 'ndjson' | 'json';
  readonly maxBytes: number;
  /** Default: no client. */
  readonly sender?: Sender;
  /** Default: Terraform documents are converted in this process. */
  readonly convertDocument?: (
    document: readonly Uint8Array[],
    onSkipped: (skipped: SkippedSummary) => void,
  ) => AsyncIterable<InventoryRecord>;
}

/**
 * Larger inventories are packed in a process of their own. Starting one costs as much processor time as packing three quarters of
 * this here.
 */
export const LARGE_BYTES = 4 * 1024 * 1024;

/**
 * Inventories with a line of so many bytes are packed in a process of their own too, and so are JSON documents of this size, in
 * which a record is no line: one record of 3.4 MB with 50,000 members blocked the server for 67 ms, and three of 942 kB for 69 ms.
 */
export const LONG_BYTES = 256 * 1024;

const NEWLINE = 0x0a;

/** As much as arrives at once from a fast client. */
const SLICE_BYTES = 64 * 1024;

const STILL_GZIP = 'This is gzip: send it with Content-Encoding: gzip, and compressed only once.';

/** Packs an inventory where its size suggests. The first bytes are kept until it is known. */
export class PackingBySize implements Packing {
  readonly #source: InventorySource;
  readonly #seed: HashSeed;
  readonly #processes: PackingProcesses;
  readonly #body: StartedBody;
  #packing: Packing | null = null;
  /** Of a document that is converted elsewhere. */
  #skipped = NOTHING_SKIPPED;

  /** @param seed determines the order of the assets */
  constructor(source: InventorySource, seed: HashSeed, processes: PackingProcesses) {
    this.#source = source;
    this.#seed = seed;
    this.#processes = processes;
    this.#body = new StartedBody(slicesOf(source.body, SLICE_BYTES));
  }

  async *chunks(): AsyncGenerator<Chunk, void, undefined> {
    await this.#body.receive(LARGE_BYTES);
    const [first, second] = this.#body.first;
    if (first === 0x1f && second === 0x8b) throw new InventoryError('malformed', 1, STILL_GZIP);
    this.#packing = await this.#packingOf(this.#body);
    yield* this.#packing.chunks();
  }

  result(): PackedInventory {
    if (this.#packing === null) throw new Error('The inventory is not packed yet');
    const { summary, contents } = this.#packing.result();
    const complete = withSkipped(summary, this.#skipped);
    return { summary: complete, contents: { ...contents, warnings: complete.warningCount } };
  }

  async close(): Promise<void> {
    this.#body.close();
    await this.#packing?.close();
  }

  async #packingOf(body: StartedBody): Promise<Packing> {
    const { format, maxBytes, sender = null, convertDocument } = this.#source;
    const as = { format, maxBytes, maxRecordBytes: INVENTORY_LIMITS.recordBytes };
    const isDocument = format === 'json' && beginsTerraformDocument(body.first);
    const isSmall = body.isWhole && (format === 'json' ? body.received : body.longest) < LONG_BYTES;
    if (!isSmall && !isDocument) {
      const elsewhere = await this.#processes.pack(body.all(), as, this.#seed, sender);
      if (elsewhere !== null) return elsewhere;
      const short = { ...as, maxRecordBytes: LONG_BYTES };
      return new PackingHere(withoutProcess(readInventory(body.all(), short)), this.#seed);
    }
    const records = readInventory(body.all(), {
      ...as,
      maxDocumentBytes: MAX_DOCUMENT_BYTES,
      ...(convertDocument !== undefined && {
        convertDocument: (document) =>
          convertDocument(document, (skipped) => {
            this.#skipped = skipped;
          }),
      }),
    });
    return new PackingHere(records, this.#seed);
  }
}

/**
 * The records of an inventory for which no process is free. Parsing a long one here would stop the requests of others.
 * @throws {PackingFailed} at a record of more than `LONG_BYTES`
 */
async function* withoutProcess(
  records: AsyncIterable<InventoryRecord>,
): AsyncGenerator<InventoryRecord, void, undefined> {
  try {
    yield* records;
  } catch (error) {
    if (!(error instanceof RecordTooLarge)) throw error;
    throw new PackingFailed('No process is free for an inventory with long records', {
      cause: error,
    });
  }
}

/** A body whose first slices are received before it is read. */
class StartedBody {
  readonly #slices: AsyncGenerator<Uint8Array, void, undefined>;
  readonly #begun: Uint8Array[] = [];
  isWhole = false;
  /** Bytes that `receive` received. */
  received = 0;
  /** Bytes of the longest sequence of slices without a newline among these. */
  longest = 0;

  constructor(slices: AsyncGenerator<Uint8Array, void, undefined>) {
    this.#slices = slices;
  }

  /** The first slice; empty if there is none. */
  get first(): Uint8Array {
    return this.#begun[0] ?? new Uint8Array();
  }

  /** Receives at least this many bytes, or all. */
  async receive(bytes: number): Promise<void> {
    for (let sinceNewline = 0; this.received < bytes; ) {
      const next = await this.#slices.next();
      if (next.done === true) {
        this.isWhole = true;
        return;
      }
      this.#begun.push(next.value);
      this.received += next.value.length;
      sinceNewline = next.value.includes(NEWLINE) ? 0 : sinceNewline + next.value.length;
      this.longest = Math.max(this.longest, sinceNewline);
    }
  }

  /** All slices; each is released when it is read. Iterate once. */
  async *all(): AsyncGenerator<Uint8Array, void, undefined> {
    for (let slice = this.#begun.shift(); slice !== undefined; slice = this.#begun.shift()) {
      yield slice;
    }
    if (!this.isWhole) yield* this.#slices;
  }

  /** Ends the source, which a consumer of `all` that stops early does not. */
  close(): void {
    // A read that is in progress ends before; nobody waits for it.
    this.#slices.return().catch(() => undefined);
  }
}
