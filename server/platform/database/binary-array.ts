/** Object identifiers of Postgres' own types, which never change. */
const TYPES = { bytea: 17, text: 25, uuid: 2950 } as const;

const HEADER_BYTES = 20;
const LENGTH_BYTES = 4;

/** UTF-8 has at most three bytes for a UTF-16 code unit; measuring each text would take as long as writing it. */
const BYTES_A_CODE_UNIT = 3;

const ROOM_BYTES = 1024 * 1024;

/**
 * Writes array parameters in Postgres' binary format, which neither side has to quote: one dimension without nulls. A
 * Buffer is sent as it is. The arrays share a buffer that is reused, because released buffers are not freed immediately.
 */
export class BinaryArrayWriter {
  #bytes = Buffer.allocUnsafeSlow(ROOM_BYTES);
  #at = 0;

  /** Reuses the room of all arrays, whose contents are then overwritten. */
  reset(): void {
    this.#at = 0;
  }

  /** Writes a text of each row. */
  texts<Row>(rows: readonly Row[], textOf: (row: Row) => string): Buffer {
    let room = 0;
    for (const row of rows) room += LENGTH_BYTES + BYTES_A_CODE_UNIT * textOf(row).length;
    const start = this.#begin('text', rows.length, room);
    const bytes = this.#bytes;
    let at = this.#at;
    let previous: string | null = null;
    let previousAt = at;
    for (const row of rows) {
      const text = textOf(row);
      const elementAt = at;
      if (text === previous) {
        // Rows with the same text often follow each other, and copying is faster than encoding.
        bytes.copyWithin(at, previousAt, at);
        at += at - previousAt;
      } else {
        const length = bytes.write(text, at + LENGTH_BYTES);
        bytes.writeInt32BE(length, at);
        at += LENGTH_BYTES + length;
        previous = text;
      }
      previousAt = elementAt;
    }
    this.#at = at;
    return bytes.subarray(start, at);
  }

  /**
   * Writes an element of fixed length for each row.
   * @param write writes the element of a row at an index of the bytes
   */
  fixed<Row>(
    type: 'bytea' | 'uuid',
    elementBytes: number,
    rows: readonly Row[],
    write: (row: Row, bytes: Buffer, at: number) => void,
  ): Buffer {
    const start = this.#begin(type, rows.length, rows.length * (LENGTH_BYTES + elementBytes));
    const bytes = this.#bytes;
    let at = this.#at;
    for (const row of rows) {
      bytes.writeInt32BE(elementBytes, at);
      write(row, bytes, at + LENGTH_BYTES);
      at += LENGTH_BYTES + elementBytes;
    }
    this.#at = at;
    return bytes.subarray(start, at);
  }

  /** @returns where the array starts */
  #begin(type: keyof typeof TYPES, length: number, room: number): number {
    if (this.#at + HEADER_BYTES + room > this.#bytes.length) {
      // The arrays so far keep the old buffer.
      const grown = Math.max(2 * this.#bytes.length, HEADER_BYTES + room);
      this.#bytes = Buffer.allocUnsafeSlow(grown);
      this.#at = 0;
    }
    const start = this.#at;
    this.#at = writeHeader(this.#bytes, start, TYPES[type], length);
    return start;
  }
}

/** A `bytea` array in the same format, of elements of one length that follow each other. */
export function binaryArrayOfSlices(slices: Uint8Array, elementBytes: number): Buffer {
  const count = slices.length / elementBytes;
  const bytes = Buffer.allocUnsafe(HEADER_BYTES + count * (LENGTH_BYTES + elementBytes));
  let at = writeHeader(bytes, 0, TYPES.bytea, count);
  for (let from = 0; from < slices.length; from += elementBytes) {
    at = bytes.writeInt32BE(elementBytes, at);
    bytes.set(slices.subarray(from, from + elementBytes), at);
    at += elementBytes;
  }
  return bytes;
}

/** The dimensions, whether there are nulls, the type, and of the dimension its length and first index. */
function writeHeader(bytes: Buffer, start: number, type: number, length: number): number {
  let at = start;
  for (const header of [1, 0, type, length, 1]) at = bytes.writeInt32BE(header, at);
  return at;
}
