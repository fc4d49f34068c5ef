import { timeLimit } from './time-limit.ts';

/** How long a stream may send nothing, in milliseconds; the service sends a comment every 15 seconds. */
const SILENCE_MS = 60_000;

/**
 * Reads the first piece of a body, so that what breaks before can be tried again, and answers with all pieces. Leaving
 * them early closes the connection.
 */
export async function openStream(
  body: ReadableStream<Uint8Array>,
  abort: (reason: unknown) => void,
): Promise<AsyncIterable<Uint8Array>> {
  const reader = body.getReader();
  const read = async () => {
    const end = timeLimit(SILENCE_MS, undefined, abort);
    return reader.read().finally(end);
  };
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
