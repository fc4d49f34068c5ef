import { ByteBuffer } from './byte-buffer.ts';
import { InventoryError, RecordTooLarge } from './inventory-error.ts';
import type { RawRecord, RecordSplitter } from './splitter.ts';

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const TAB = 0x09;
const HASH = 0x23;
/** The byte order mark of UTF-8. In files that were concatenated, each may begin with one. */
const MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/** Splits newline-delimited JSON into lines, without blank ones and those that begin with `#`. */
export class LineSplitter implements RecordSplitter {
  line = 1;
  readonly #held = new ByteBuffer();
  readonly #maxRecordBytes: number;

  constructor(maxRecordBytes: number) {
    this.#maxRecordBytes = maxRecordBytes;
  }

  *push(chunk: Buffer): Generator<RawRecord> {
    let start = this.#skipBlank(chunk, 0);
    let end = chunk.indexOf(LINE_FEED, start);
    while (end !== -1) {
      const bytes = withoutMark(this.#whole(chunk.subarray(start, end)));
      if (holdsRecord(bytes)) yield { line: this.line, bytes };
      this.line += 1;
      start = this.#skipBlank(chunk, end + 1);
      end = chunk.indexOf(LINE_FEED, start);
    }
    if (start < chunk.length) this.#hold(chunk.subarray(start));
  }

  *end(): Generator<RawRecord> {
    const bytes = this.#held.take();
    this.#bound(recordBytesOf(bytes));
    const record = withoutMark(bytes);
    if (holdsRecord(record)) yield { line: this.line, bytes: record };
    else if (this.line === 1 && bytes.includes('{"')) {
      throw new InventoryError(
        'malformed',
        1,
        'The whole file is one line that begins with #, so none of its records counts. Are the line feeds missing? `curl -d` removes them; use `curl --data-binary`.',
      );
    }
  }

  /**
   * Skips empty lines in one step each, even millions of them.
   * @returns the index of the first byte of a non-empty line
   */
  #skipBlank(chunk: Buffer, from: number): number {
    if (this.#held.length > 0) return from;
    let at = from;
    for (; chunk[at] === LINE_FEED; at += 1) this.line += 1;
    return at;
  }

  #whole(rest: Buffer): Buffer {
    if (this.#held.length > 0) this.#hold(rest);
    const line = this.#held.length > 0 ? this.#held.take() : rest;
    this.#bound(recordBytesOf(line));
    return line;
  }

  /** The last byte of the part may be the carriage return of a CRLF, which does not count. */
  #hold(part: Buffer): void {
    this.#bound(this.#held.length + part.length - 1);
    this.#held.append(part);
  }

  #bound(bytes: number): void {
    if (bytes > this.#maxRecordBytes) {
      throw new RecordTooLarge(
        this.line,
        `This line is longer than ${this.#maxRecordBytes} bytes, which is the limit for one record. Is a line feed missing between records?`,
      );
    }
  }
}

function withoutMark(line: Buffer): Buffer {
  const isMarked = line[0] === MARK[0] && MARK.equals(line.subarray(0, MARK.length));
  return isMarked ? line.subarray(MARK.length) : line;
}

/** The length of a line without the carriage return of a CRLF. */
function recordBytesOf(line: Buffer): number {
  return line.at(-1) === CARRIAGE_RETURN ? line.length - 1 : line.length;
}

function holdsRecord(line: Buffer): boolean {
  for (let at = 0; at < line.length; at += 1) {
    const byte = line[at];
    if (byte !== SPACE && byte !== TAB && byte !== CARRIAGE_RETURN) return byte !== HASH;
  }
  return false;
}
