import { timeLimit } from './time-limit.ts';

/** Maximum silence of a stream, in milliseconds. The service sends a comment every 15 seconds. */
const SILENCE_MS = 60_000;

/**
 * Reads the first piece of a body, so that an earlier failure can be retried, and returns all pieces. Leaving the
 * iteration early closes the connection.
 */
export async function openStream(
  body: ReadableStream<Uint8Array>,
  abort: (reason: unknown) => void,
): Promise<AsyncIterable<Uint8Array>> {
  const reader = body.getReader();
  const read = () => reader.read().finally(timeLimit(SILENCE_MS, undefined, abort));
  const first = await read();
  async function* pieces() {
    try {
      for (let piece = first; !piece.done; piece = await read()) yield piece.value;
    } finally {
      reader.cancel().catch(() => {});
    }
  }
  return pieces();
}
