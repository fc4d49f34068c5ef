import { HeldBytes } from './held-bytes.ts';
import { InventoryError } from './inventory-error.ts';
import type { RawRecord, RecordSplitter } from './splitter.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const COMMA = 0x2c;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const TAB = 0x09;

/** Where between the records the stream is. */
type Between = 'before' | 'first' | 'next' | 'after' | 'done';

/**
 * Cuts a streamed JSON array of objects into those objects. It looks at brackets and strings only; whether an object
 * is well-formed inside is for JSON.parse to say.
 */
export class ArraySplitter implements RecordSplitter {
  line = 1;
  readonly #held = new HeldBytes();
  readonly #maxRecordBytes: number;
  #between: Between = 'before';
  #insideRecord = false;
  /** How many brackets of the record are open. */
  #depth = 0;
  #inString = false;
  #escaped = false;
  #recordLine = 1;

  constructor(maxRecordBytes: number) {
    this.#maxRecordBytes = maxRecordBytes;
  }

  *push(chunk: Buffer): Generator<RawRecord> {
    let at = 0;
    while (at < chunk.length) {
      if (!this.#insideRecord) at = this.#findRecord(chunk, at);
      if (!this.#insideRecord) return;
      const end = this.#findEnd(chunk, at);
      const part = chunk.subarray(at, end);
      at = end;
      this.#bound(this.#held.length + part.length);
      if (!this.#insideRecord && this.#held.length === 0) {
        yield { line: this.#recordLine, bytes: part };
      } else {
        this.#held.append(part);
        if (!this.#insideRecord) yield { line: this.#recordLine, bytes: this.#held.take() };
      }
    }
  }

  /** The end of an array completes no record; it only shows what is missing. */
  end(): readonly RawRecord[] {
    if (this.#insideRecord) {
      throw new InventoryError(
        'malformed',
        this.#recordLine,
        'The file ends in the middle of this record. Was the upload cut off?',
      );
    }
    if (this.#between === 'before') throw this.#fault('The file is empty: [ is expected.');
    if (this.#between !== 'done') {
      throw this.#fault(
        'The file ends without the closing ] of the array. Was the upload cut off?',
      );
    }
    return [];
  }

  /** Walks over what stands between records; stops on the { of the next one, or at the end of the chunk. */
  #findRecord(chunk: Buffer, from: number): number {
    for (let at = from; at < chunk.length; at += 1) {
      const byte = chunk[at];
      if (byte === LINE_FEED) this.line += 1;
      if (byte === SPACE || byte === LINE_FEED || byte === CARRIAGE_RETURN || byte === TAB)
        continue;
      if (byte === OPEN_BRACE && (this.#between === 'first' || this.#between === 'next')) {
        this.#recordLine = this.line;
        this.#between = 'after';
        this.#insideRecord = true;
        return at;
      }
      this.#between = this.#step(byte);
    }
    return chunk.length;
  }

  #step(byte: number | undefined): Between {
    switch (this.#between) {
      case 'before':
        if (byte === OPEN_BRACKET) return 'first';
        throw this.#fault(
          byte === OPEN_BRACE
            ? 'A JSON inventory is an array of objects. One object a line is application/x-ndjson.'
            : 'This is not JSON: [ is expected.',
        );
      case 'first':
      case 'next':
        if (byte === CLOSE_BRACKET && this.#between === 'first') return 'done';
        throw this.#fault(
          byte === CLOSE_BRACKET
            ? 'There is a comma before the closing ] of the array.'
            : 'Each element of the array must be an object that describes an asset: { is expected.',
        );
      case 'after':
        if (byte === COMMA) return 'next';
        if (byte === CLOSE_BRACKET) return 'done';
        throw this.#fault('A comma is missing between two records.');
      case 'done':
        throw this.#fault('There is something after the closing ] of the array.');
    }
  }

  /** The index after the record's last byte in this chunk; no longer inside the record if that is its end. */
  #findEnd(chunk: Buffer, from: number): number {
    // Fields are read into locals once: this loop sees every byte of the file.
    let depth = this.#depth;
    let inString = this.#inString;
    let escaped = this.#escaped;
    let at = from;
    for (; at < chunk.length; at += 1) {
      const byte = chunk[at];
      if (inString) {
        if (escaped) escaped = false;
        else if (byte === BACKSLASH) escaped = true;
        else if (byte === QUOTE) inString = false;
      } else if (byte === QUOTE) {
        inString = true;
      } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
        depth += 1;
      } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
        depth -= 1;
        if (depth === 0) {
          at += 1;
          break;
        }
      } else if (byte === LINE_FEED) {
        this.line += 1;
      }
    }
    this.#insideRecord = depth > 0;
    this.#depth = depth;
    this.#inString = inString;
    this.#escaped = escaped;
    return at;
  }

  #bound(bytes: number): void {
    if (bytes > this.#maxRecordBytes) {
      throw new InventoryError(
        'too_large',
        this.#recordLine,
        `This record is larger than the ${this.#maxRecordBytes} bytes that one may have.`,
      );
    }
  }

  #fault(message: string): InventoryError {
    return new InventoryError('malformed', this.line, message);
  }
}
