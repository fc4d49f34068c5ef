/** Object identifiers of Postgres' own types, which never change. */
const TYPES = { bytea: 17, text: 25, uuid: 2950 } as const;

const HEADER_BYTES = 20;
const LENGTH_BYTES = 4;

/**
 * An array parameter in Postgres' binary format, which neither side has to quote: one dimension without nulls. A Buffer
 * is sent as it is.
 * @param values text, hex digits for `bytea`, and the usual form of a `uuid`
 */
export function binaryArray(type: keyof typeof TYPES, values: readonly string[]): Buffer {
  const encoding = type === 'text' ? 'utf8' : 'hex';
  const plain = type === 'uuid' ? values.map((id) => id.replaceAll('-', '')) : values;
  // UTF-8 has at most three bytes for a UTF-16 code unit; measuring each text would take as long as writing it.
  const size = plain.reduce((sum, value) => sum + LENGTH_BYTES + 3 * value.length, HEADER_BYTES);
  const bytes = Buffer.allocUnsafe(size);
  let at = writeHeader(bytes, TYPES[type], plain.length);
  for (const value of plain) {
    const length = bytes.write(value, at + LENGTH_BYTES, encoding);
    bytes.writeInt32BE(length, at);
    at += LENGTH_BYTES + length;
  }
  return bytes.subarray(0, at);
}

/** A `bytea` array in the same format, of elements of one length that follow each other. */
export function binaryArrayOfSlices(slices: Uint8Array, elementBytes: number): Buffer {
  const count = slices.length / elementBytes;
  const bytes = Buffer.allocUnsafe(HEADER_BYTES + count * (LENGTH_BYTES + elementBytes));
  let at = writeHeader(bytes, TYPES.bytea, count);
  for (let from = 0; from < slices.length; from += elementBytes) {
    at = bytes.writeInt32BE(elementBytes, at);
    bytes.set(slices.subarray(from, from + elementBytes), at);
    at += elementBytes;
  }
  return bytes;
}

/** The dimensions, whether there are nulls, the type, and of the dimension its length and first index. */
function writeHeader(bytes: Buffer, type: number, length: number): number {
  let at = 0;
  for (const header of [1, 0, type, length, 1]) at = bytes.writeInt32BE(header, at);
  return at;
}
