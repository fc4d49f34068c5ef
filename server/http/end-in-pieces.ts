import type { Response } from 'express';

/** What a client has to read before the server sees that it reads. */
export const PIECE_BYTES = 256 * 1024;

/** The bytes of each body. They are in memory as a whole until the last piece was sent. */
const bodies = new WeakMap<Response, number>();

/**
 * Ends a response, and sends its body in pieces. Node reports a write only when the kernel has taken all of it. If a large
 * body were one write, a client that reads it slowly would look like one that reads nothing.
 */
export function endInPieces(res: Response, bytes: Buffer): void {
  bodies.set(res, bytes.length);
  const { socket } = res.req;
  let begin = 0;
  const send = () => {
    while (bytes.length - begin > PIECE_BYTES) {
      const piece = bytes.subarray(begin, begin + PIECE_BYTES);
      begin += PIECE_BYTES;
      if (!res.write(piece)) return;
    }
    finish();
  };
  const finish = () => {
    res.off('drain', send);
    socket.off('end', finish);
    res.end(bytes.subarray(begin));
  };
  res.on('drain', send);
  // After the client has ended its side, Node still sends what was written before, and accepts nothing more.
  socket.prependListener('end', finish);
  res.once('close', () => socket.off('end', finish));
  send();
}

/** The bytes that a response keeps in memory; 0 after the kernel has taken all of it, or the connection was closed. */
export function heldBytes(res: Response): number {
  if (res.destroyed || (res.writableEnded && res.writableLength === 0)) return 0;
  return bodies.get(res) ?? res.writableLength;
}
