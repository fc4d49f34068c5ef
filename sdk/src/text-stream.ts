import type { Core, Prepared } from './core.ts';
import { brokenOff } from './failure.ts';
import { perform, withAttempts } from './perform.ts';

/** The body of a stream, piece by piece. */
export type Pieces = AsyncIterable<Uint8Array>;

/**
 * Fetches text of any size, piece by piece.
 * @throws {ConnectionError} when it breaks off: what came until then is not the whole.
 */
export async function* textStream(core: Core, call: Prepared): AsyncGenerator<string, void, void> {
  const { data, attempts } = await perform<Pieces>(core, call);
  try {
    yield* readText(data);
  } catch (fault) {
    throw withAttempts(brokenOff(fault as Error, call.signal), attempts);
  }
}

/** Decodes a body as it comes. */
export async function* readText(pieces: Pieces): AsyncGenerator<string, void, void> {
  const decoder = new TextDecoder();
  for await (const piece of pieces) {
    const text = decoder.decode(piece, { stream: true });
    // A piece may end within its first character.
    if (text) yield text;
  }
}
