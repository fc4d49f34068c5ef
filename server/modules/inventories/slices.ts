/**
 * Passes bytes on in slices of one size; only the last may be smaller. The bytes are copied, so that a body in pieces of one
 * byte, each of which is an object, takes no more memory than one in large pieces.
 */
export async function* slicesOf(
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  sliceBytes: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  let slice = Buffer.allocUnsafeSlow(sliceBytes);
  let filled = 0;
  for await (const piece of pieces) {
    for (let at = 0; at < piece.length; ) {
      const part = piece.subarray(at, at + sliceBytes - filled);
      slice.set(part, filled);
      at += part.length;
      filled += part.length;
      if (filled < sliceBytes) continue;
      yield slice;
      slice = Buffer.allocUnsafeSlow(sliceBytes);
      filled = 0;
    }
  }
  if (filled > 0) yield slice.subarray(0, filled);
}
