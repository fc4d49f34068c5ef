import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';

/** A reader that takes nothing for so long is cut off. */
const IDLE_TIMEOUT_MS = 60_000;

/**
 * Sends a body piece by piece, as fast as the client takes it and no faster. What fails before the first piece is refused
 * like anything else, and under other headers; after it the connection is cut, so that nobody takes a part for the whole.
 * When the client goes away the source is told to stop.
 * @throws what the source throws.
 */
export async function sendStream(
  res: Response,
  headers: Readonly<Record<string, string>>,
  source: AsyncIterable<string>,
): Promise<void> {
  const pieces = source[Symbol.asyncIterator]();
  if (res.req.method === 'HEAD') {
    await pieces.return?.();
    setHeaders(res, headers);
    res.end();
    return;
  }
  const first = await pieces.next();
  setHeaders(res, headers);
  res.setTimeout(IDLE_TIMEOUT_MS, () => res.destroy());
  try {
    await pipeline(Readable.from(from(first, pieces), { objectMode: true, highWaterMark: 1 }), res);
  } catch (error) {
    if (!isGone(error)) throw error;
  }
}

function setHeaders(res: Response, headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
}

async function* from(
  first: IteratorResult<string>,
  rest: AsyncIterator<string>,
): AsyncGenerator<string, void, undefined> {
  try {
    for (let piece = first; piece.done !== true; piece = await rest.next()) yield piece.value;
  } finally {
    await rest.return?.();
  }
}

/** The client closed the connection: its right, and no fault. */
function isGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';
}
