import { ByteBuffer } from './byte-buffer.ts';
import { InventoryError, NOT_UTF8, RecordTooLarge } from './inventory-error.ts';
import type { RawRecord, RecordSplitter } from './splitter.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const HASH = 0x23;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const COMMA = 0x2c;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const TAB = 0x09;

/** Position in the stream between records. */
type Between = 'before' | 'first' | 'next' | 'after' | 'done';

/**
 * Splits a streamed JSON array of objects into those objects. It reads only brackets and strings; JSON.parse checks the
 * rest.
 */
export class ArraySplitter implements RecordSplitter {
  line = 1;
  readonly #held = new ByteBuffer();
  readonly #maxRecordBytes: number;
  #between: Between = 'before';
  #insideRecord = false;
  /** Number of open brackets of the record. */
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

  /** The end of an array completes no record; it only reveals missing brackets. */
  end(): readonly RawRecord[] {
    if (this.#insideRecord) {
      throw new InventoryError(
        'malformed',
        this.#recordLine,
        'The file ends within this record. Was the upload truncated?',
      );
    }
    if (this.#between === 'before') throw this.#fault('The file is empty: expected [.');
    if (this.#between !== 'done') {
      throw this.#fault(
        'The file ends without the closing ] of the array. Was the upload truncated?',
      );
    }
    return [];
  }

  /** Skips separators between records; stops at the { of the next one, or at the end of the chunk. */
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
    // Not in UTF-8 and not in JSON: the byte order mark of UTF-16, and a half of its ASCII characters.
    if (byte === 0xff || byte === 0xfe || byte === 0x00) throw this.#fault(NOT_UTF8);
    switch (this.#between) {
      case 'before':
        if (byte === OPEN_BRACKET) return 'first';
        throw this.#fault(
          byte === OPEN_BRACE || byte === HASH
            ? 'A JSON inventory must be an array of objects. For one object per line use application/x-ndjson.'
            : 'This is not JSON: expected [.',
        );
      case 'first':
      case 'next':
        if (byte === CLOSE_BRACKET && this.#between === 'first') return 'done';
        throw this.#fault(
          byte === CLOSE_BRACKET
            ? 'There is a comma before the closing ] of the array.'
            : 'Each element of the array must be an object that describes an asset: expected {.',
        );
      case 'after':
        if (byte === COMMA) return 'next';
        if (byte === CLOSE_BRACKET) return 'done';
        throw this.#fault('A comma is missing between two records.');
      case 'done':
        throw this.#fault('There is content after the closing ] of the array.');
    }
  }

  /** The index after the record's last byte in this chunk, or the end of the chunk if the record continues. */
  #findEnd(chunk: Buffer, from: number): number {
    // Fields are copied to locals, because this loop reads every byte of the file.
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
      throw new RecordTooLarge(
        this.#recordLine,
        `This record is larger than ${this.#maxRecordBytes} bytes, which is the limit.`,
      );
    }
  }

  #fault(message: string): InventoryError {
    return new InventoryError('malformed', this.line, message);
  }
}
