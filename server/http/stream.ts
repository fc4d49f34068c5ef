import { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';
import { CLIENT_PACE, type ClientPace, watchReader } from './client-pace.ts';
import type { Endpoint } from './match.ts';

/** A part of a body: text, or bytes of a binary format. */
type Piece = string | Uint8Array;

/**
 * Sends a body chunk by chunk at the client's pace. An error before the first chunk is answered with a problem like any
 * other; a later one cuts the connection, so nobody takes a part for the whole. When the client disconnects, the source
 * is stopped.
 * @throws what the source throws.
 */
export async function sendStream(
  res: Response,
  headers: Readonly<Record<string, string>>,
  source: AsyncIterable<Piece>,
  pace: ClientPace = CLIENT_PACE,
): Promise<void> {
  const pieces = source[Symbol.asyncIterator]();
  if (res.req.method === 'HEAD') {
    await pieces.return?.();
    setHeaders(res, headers);
    res.end();
    return;
  }
  const first = await pieces.next();
  // A response without a connection no longer emits events, so its end could not be awaited.
  if (res.req.socket.destroyed) {
    await pieces.return?.();
    return;
  }
  setHeaders(res, headers);
  if (res.req.httpVersion === '1.0') resetIfIncomplete(res);
  watchReader(res, pace);
  // A client that reads a few bytes a minute is never idle, so the whole stream has a time limit.
  const slow = setTimeout(() => res.destroy(), pace.pieceMs);
  const paced = from(first, pieces, () => slow.refresh());
  try {
    await pipeline(Readable.from(paced, { objectMode: true, highWaterMark: 1 }), res);
  } catch (error) {
    if (!isGone(error)) throw error;
  } finally {
    clearTimeout(slow);
  }
}

/**
 * In HTTP/1.0, a closed connection is the normal end of a body without a length. nginx speaks it to servers unless it is
 * configured otherwise, and would pass on an incomplete body as a complete one. A reset is an error for every client.
 */
function resetIfIncomplete(res: Response): void {
  const { socket } = res.req;
  socket.destroy = (error) => {
    // `resetAndDestroy` sends what is waiting first, and would wait for ever for a client that does not read.
    if (!res.writableFinished) Object.assign(socket, { resetAndClosing: true });
    return Socket.prototype.destroy.call(socket, error);
  };
}

function setHeaders(res: Response, headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
}

async function* from(
  first: IteratorResult<Piece>,
  rest: AsyncIterator<Piece>,
  onTaken: () => void,
): AsyncGenerator<Piece, void, undefined> {
  try {
    for (let piece = first; piece.done !== true; piece = await rest.next()) {
      yield piece.value;
      onTaken();
    }
  } finally {
    await rest.return?.();
  }
}

/** The client closed the connection, which is not an error. */
function isGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';
}

/** @throws {Error} for a streamed operation that declares no content type. */
export function contentTypeOf({ name, route }: Endpoint): string {
  const response: unknown = route.responses[200];
  if (typeof response === 'object' && response !== null && 'contentType' in response) {
    return String(response.contentType);
  }
  throw new Error(`${name} declares no content type for its stream`);
}
