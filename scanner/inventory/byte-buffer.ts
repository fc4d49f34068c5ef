/**
 * The beginning of a record whose end has not arrived yet. Parts are copied into one growing buffer, so a record split
 * into millions of one-byte chunks needs only its own size in memory.
 */
export class ByteBuffer {
  #block = Buffer.allocUnsafe(16 * 1024);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  append(part: Buffer): void {
    const needed = this.#length + part.length;
    if (needed > this.#block.length) {
      const larger = Buffer.allocUnsafe(Math.max(needed, this.#block.length * 2));
      this.#block.copy(larger, 0, 0, this.#length);
      this.#block = larger;
    }
    part.copy(this.#block, this.#length);
    this.#length = needed;
  }

  /** Returns the buffered bytes and clears the buffer. The view is valid until the next `append`. */
  take(): Buffer {
    const whole = this.#block.subarray(0, this.#length);
    this.#length = 0;
    return whole;
  }
}
