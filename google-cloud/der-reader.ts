const LONG_FORM = 0x80;
/** No value of a key or a certificate is longer. */
const LENGTH_BYTES_MAX = 2;

/** Reads the values of a DER encoding in order (X.690 §8.1, §10.1). Copies nothing. */
export class DerReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  /** Undefined at the end. */
  get nextTag(): number | undefined {
    return this.#bytes[this.#at];
  }

  /**
   * The contents of the next value.
   * @throws {RangeError} when its tag is another, or its length is not in DER or exceeds the encoding
   */
  contents(tag: number): Uint8Array {
    if (this.#byte() !== tag) throw new RangeError('unexpected tag');
    const length = this.#length();
    const end = this.#at + length;
    if (end > this.#bytes.length) throw new RangeError('truncated');
    const contents = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return contents;
  }

  #length(): number {
    const first = this.#byte();
    if (first < LONG_FORM) return first;
    const count = first - LONG_FORM;
    if (count === 0 || count > LENGTH_BYTES_MAX) throw new RangeError('unsupported length');
    let length = 0;
    for (let at = 0; at < count; at += 1) length = length * 256 + this.#byte();
    if (length < (count === 1 ? LONG_FORM : 256)) throw new RangeError('length is not minimal');
    return length;
  }

  #byte(): number {
    const byte = this.#bytes[this.#at];
    if (byte === undefined) throw new RangeError('truncated');
    this.#at += 1;
    return byte;
  }
}
