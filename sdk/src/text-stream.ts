import type { Core, Prepared } from './core.ts';
import { brokenOff } from './failure.ts';
import { failed, perform } from './retry-loop.ts';

/** The body of a stream, in pieces. */
export type Pieces = AsyncIterable<Uint8Array>;

/**
 * Fetches text or bytes of any size in pieces.
 * @throws {ConnectionError} when the connection breaks and the body is incomplete.
 */
export async function* exportStream(
  core: Core,
  call: Prepared,
): AsyncGenerator<string | Uint8Array, void, void> {
  const { data, attempts } = await perform<Pieces>(core, call);
  try {
    yield* call.operation.traits.binary ? data : readText(data);
  } catch (fault) {
    throw failed(call, brokenOff(fault as Error, call.signal), attempts);
  }
}

/** Decodes a body while it arrives. */
export async function* readText(pieces: Pieces): AsyncGenerator<string, void, void> {
  const decoder = new TextDecoder();
  for await (const piece of pieces) {
    const text = decoder.decode(piece, { stream: true });
    // A piece may end inside its first character.
    if (text) yield text;
  }
}
