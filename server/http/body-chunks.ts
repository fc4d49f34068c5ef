import type { IncomingMessage } from 'node:http';
import { type ProblemError, validationFailed } from '../platform/problem.ts';

/** Chunks of a body that may be of any size. */
export const FREE_CHUNKS = 1_000;

/**
 * The average size of all chunks of a body with more. A chunk costs a few microseconds whatever its size: 1 MiB in chunks of
 * one byte took 3 s of CPU time.
 */
export const MIN_AVERAGE_CHUNK_BYTES = 32;

/** A request that counts the chunks of its body. */
export interface ChunkedRequest extends IncomingMessage {
  chunks: number;
  chunkBytes: number;
  /** Set once the body was cut off. */
  isTooFine: boolean;
  onTooFine: (() => void) | null;
}

/**
 * Counts a chunk that the parser passes on, null at the end.
 * @returns whether the body is cut off before it, because its chunks are too small.
 */
export function cutsOff(req: ChunkedRequest, chunk: Uint8Array | null): boolean {
  if (req.isTooFine || chunk === null) return req.isTooFine;
  req.chunks += 1;
  req.chunkBytes += chunk.length;
  if (req.chunks <= FREE_CHUNKS || req.chunkBytes >= req.chunks * MIN_AVERAGE_CHUNK_BYTES) {
    return false;
  }
  // Without this encoding, a chunk is what arrived at once, which the client does not determine.
  req.isTooFine = req.headers['transfer-encoding'] !== undefined;
  if (req.isTooFine) req.onTooFine?.();
  return req.isTooFine;
}

/** Calls `refuse` when the body is cut off. Its end is never passed on, so `refuse` must not wait for it. */
export function watchChunks(req: IncomingMessage, refuse: (problem: ProblemError) => void): void {
  if (req.headers['transfer-encoding'] === undefined || !countsChunks(req)) return;
  req.onTooFine = () => {
    refuse(
      validationFailed([
        {
          path: 'body',
          message: `has more than ${FREE_CHUNKS} chunks of fewer than ${MIN_AVERAGE_CHUNK_BYTES} bytes on average. Send larger chunks`,
        },
      ]),
    );
  };
  if (req.isTooFine) req.onTooFine();
}

function countsChunks(req: IncomingMessage): req is ChunkedRequest {
  return 'isTooFine' in req;
}
