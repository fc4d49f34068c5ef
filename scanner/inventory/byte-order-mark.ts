const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/**
 * The chunks of `source` as Buffers over the same memory, without the UTF-8 byte order mark that editors on Windows
 * put at the start (RFC 8259 §8.1 lets a reader ignore it). The mark may be spread over several chunks.
 */
export async function* withoutByteOrderMark(
  source: AsyncIterable<Uint8Array>,
): AsyncGenerator<Buffer> {
  let head: Buffer | null = Buffer.alloc(0);
  for await (const bytes of source) {
    const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (head === null) {
      yield chunk;
      continue;
    }
    head = Buffer.concat([head, chunk]);
    if (head.length < BYTE_ORDER_MARK.length && startsAlike(head)) continue;
    yield head.length >= BYTE_ORDER_MARK.length && startsAlike(head)
      ? head.subarray(BYTE_ORDER_MARK.length)
      : head;
    head = null;
  }
  if (head !== null) yield head;
}

function startsAlike(head: Buffer): boolean {
  const length = Math.min(head.length, BYTE_ORDER_MARK.length);
  return head.subarray(0, length).equals(BYTE_ORDER_MARK.subarray(0, length));
}
