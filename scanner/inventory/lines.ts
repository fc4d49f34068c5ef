import { HeldBytes } from './held-bytes.ts';
import { InventoryError } from './inventory-error.ts';
import type { RawRecord, RecordSplitter } from './splitter.ts';

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const TAB = 0x09;
const HASH = 0x23;

/** Cuts newline-delimited JSON into its lines, without the blank ones and those that begin with `#`. */
export class LineSplitter implements RecordSplitter {
  line = 1;
  readonly #held = new HeldBytes();
  readonly #maxRecordBytes: number;

  constructor(maxRecordBytes: number) {
    this.#maxRecordBytes = maxRecordBytes;
  }

  *push(chunk: Buffer): Generator<RawRecord> {
    let start = 0;
    let end = chunk.indexOf(LINE_FEED);
    while (end !== -1) {
      const bytes = this.#whole(chunk.subarray(start, end));
      if (holdsRecord(bytes)) yield { line: this.line, bytes };
      this.line += 1;
      start = end + 1;
      end = chunk.indexOf(LINE_FEED, start);
    }
    if (start < chunk.length) this.#hold(chunk.subarray(start));
  }

  *end(): Generator<RawRecord> {
    const bytes = this.#held.take();
    if (holdsRecord(bytes)) yield { line: this.line, bytes };
  }

  #whole(rest: Buffer): Buffer {
    if (this.#held.length === 0) {
      this.#bound(rest.length);
      return rest;
    }
    this.#hold(rest);
    return this.#held.take();
  }

  #hold(part: Buffer): void {
    this.#bound(this.#held.length + part.length);
    this.#held.append(part);
  }

  #bound(bytes: number): void {
    if (bytes > this.#maxRecordBytes) {
      throw new InventoryError(
        'too_large',
        this.line,
        `This line is longer than the ${this.#maxRecordBytes} bytes that one record may have. Is there a line feed between the records?`,
      );
    }
  }
}

function holdsRecord(line: Buffer): boolean {
  for (const byte of line) {
    if (byte !== SPACE && byte !== TAB && byte !== CARRIAGE_RETURN) return byte !== HASH;
  }
  return false;
}
