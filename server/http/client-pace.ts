import { REQUEST_LIMITS } from '@cspm/contract';
import type { Request, Response } from 'express';
import { ProblemError } from '../platform/problem.ts';
import { awaitsContinue } from './expect-continue.ts';
import { LINGERING } from './lingering-close.ts';
import type { StreamClient } from './open-streams.ts';

/** How long the server waits for a client. Production uses CLIENT_PACE; tests use shorter times. */
export interface ClientPace {
  readonly headersMs: number;
  readonly idleMs: number;
  readonly bodyMs: number;
  readonly uploadWindowMs: number;
  readonly uploadWindowBytes: number;
  readonly answerMs: number;
  /** Over one piece of a stream. */
  readonly pieceMs: number;
  readonly unwantedMs: number;
}

export const CLIENT_PACE: ClientPace = {
  headersMs: REQUEST_LIMITS.headerSeconds * 1000,
  idleMs: REQUEST_LIMITS.idleSeconds * 1000,
  bodyMs: REQUEST_LIMITS.bodySeconds * 1000,
  uploadWindowMs: REQUEST_LIMITS.uploadWindowSeconds * 1000,
  uploadWindowBytes: REQUEST_LIMITS.uploadWindowBytes,
  answerMs: REQUEST_LIMITS.answerSeconds * 1000,
  pieceMs: REQUEST_LIMITS.pieceSeconds * 1000,
  unwantedMs: REQUEST_LIMITS.unwantedSeconds * 1000,
};

/**
 * Runs `read` with a deadline for the whole body, so a client cannot hold the request open by sending single bytes.
 * @throws {ProblemError} REQUEST_TIMEOUT, or what `read` throws.
 */
export async function withinBodyTime(pace: ClientPace, read: () => Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(
        new ProblemError(
          'REQUEST_TIMEOUT',
          `The body did not arrive within ${pace.bodyMs / 1000} s.`,
        ),
      );
    }, pace.bodyMs);
  });
  await Promise.race([read(), late]).finally(() => clearTimeout(timer));
}

/**
 * Calls `refuse` when an upload sends too few bytes in a window. Only time in which the server waits for bytes counts,
 * so a client is not blamed for backpressure.
 */
export function watchUpload(
  req: Request,
  pace: ClientPace,
  refuse: (problem: ProblemError) => void,
): void {
  let before = req.socket.bytesRead;
  const timer = setInterval(() => {
    const bytes = req.socket.bytesRead - before;
    before = req.socket.bytesRead;
    if (bytes >= pace.uploadWindowBytes || req.readableLength > 0 || req.complete) return;
    if (awaitsContinue(req)) return;
    clearInterval(timer);
    refuse(
      new ProblemError(
        'REQUEST_TIMEOUT',
        `The upload delivered fewer than ${pace.uploadWindowBytes} bytes in ${pace.uploadWindowMs / 1000} s.`,
      ),
    );
  }, pace.uploadWindowMs);
  const stop = () => clearInterval(timer);
  req.once('end', stop).once('close', stop).once('error', stop);
}

/** A reader is disconnected after this many checks without progress. */
const LOOKS_IN_VAIN = 4;

/**
 * Disconnects a client that does not read its response. The time starts at the last completely read chunk and stops
 * while nothing is waiting to be sent, as in a stream of rare events.
 */
export function watchReader(res: Response, pace: ClientPace): void {
  let taken = -1;
  // Counts checks instead of time: a delay in this process must not count against the reader.
  let looksInVain = 0;
  const timer = setInterval(() => {
    const { socket } = res;
    const now = bytesTaken(res);
    if (res.writableLength === 0 || now !== taken) {
      taken = now;
      looksInVain = 0;
      return;
    }
    looksInVain += 1;
    if (looksInVain >= LOOKS_IN_VAIN) {
      clearInterval(timer);
      // A response that is queued behind another one on its connection has no socket yet.
      (socket ?? res.req.socket).destroy();
    }
  }, pace.answerMs / LOOKS_IN_VAIN);
  const stop = () => clearInterval(timer);
  res.once('finish', stop).once('close', stop);
}

/** The client of a response, which can be too slow for other tenants that need its place. */
export function readerOf(res: Response): StreamClient {
  return {
    bytes: () => bytesTaken(res),
    isAwaited: () => res.writableLength > 0,
    isGone: () => res.req.socket.destroyed,
    end: () => res.destroy(),
  };
}

/** Bytes of the connection that the client or the network has taken. */
function bytesTaken({ socket }: Response): number {
  return socket === null ? 0 : socket.bytesWritten - socket.writableLength;
}

/**
 * Reads and discards the rest of an unwanted body, bounded in time and bytes. Closing a connection with unread data
 * resets it, and the client would lose the response.
 */
export function discardRest(req: Request, pace: ClientPace): void {
  if (req.complete || req.destroyed) return;
  // The response may be the last one of the connection.
  LINGERING.insteadOfNode(req);
  let discarded = 0;
  const cut = () => req.socket.destroy();
  const timer = setTimeout(cut, pace.unwantedMs);
  req.on('data', (chunk: Uint8Array) => {
    discarded += chunk.length;
    if (discarded > REQUEST_LIMITS.unwantedBytes) cut();
  });
  req.on('error', () => undefined);
  // A pipe or an iterator that nobody reads would keep the body from flowing.
  req.unpipe();
  req.removeAllListeners('readable');
  const stop = () => clearTimeout(timer);
  req.once('end', stop).once('close', stop);
  req.resume();
}
