import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';

export interface LingerLimits {
  /** How long a client may go on sending. */
  readonly ms: number;
  /** How much it may send. */
  readonly bytes: number;
  /** Connections at the same time; further ones are closed at once. */
  readonly connections: number;
}

export const LINGER_LIMITS: LingerLimits = {
  ms: 2_000,
  bytes: 4 * 1024 * 1024,
  connections: 256,
};

/**
 * Closes connections whose client still sends. Closing one with unread data resets it, and the client loses a response
 * that it has not read (RFC 9112 §9.6). So only the sending side is closed, and what arrives is discarded for a while.
 */
export class LingeringClose {
  readonly #limits: LingerLimits;
  readonly #open = new Set<Socket>();

  constructor(limits: LingerLimits = LINGER_LIMITS) {
    this.#limits = limits;
  }

  /** Number of connections that are being closed. */
  get open(): number {
    return this.#open.size;
  }

  /** Makes Node close the connection like this if it does so before the whole request has arrived. */
  insteadOfNode(req: IncomingMessage): void {
    const { socket } = req;
    // Node calls this method after the last response of a connection.
    socket.destroySoon = () => {
      if (req.complete) closeAtOnce(socket);
      else this.close(socket);
    };
  }

  /** Closes a connection after what was written to it. */
  close(socket: Socket): void {
    if (this.#open.has(socket)) return;
    const { ms, bytes, connections } = this.#limits;
    if (socket.destroyed || socket.readableEnded || this.#open.size >= connections) {
      closeAtOnce(socket);
      return;
    }
    this.#open.add(socket);
    const cut = () => socket.destroy();
    const timer = setTimeout(cut, ms);
    socket.once('close', () => {
      clearTimeout(timer);
      this.#open.delete(socket);
    });
    socket.end();
    let discarded = 0;
    const discard = () => {
      // Without its listener, Node's parser gets nothing more, and serves no further request.
      socket.removeAllListeners('data');
      socket.on('data', (chunk: Uint8Array) => {
        discarded += chunk.length;
        if (discarded > bytes) cut();
      });
    };
    // A connection that the parser has paused must be resumed before it is taken from the parser.
    if (socket.readableFlowing === false) socket.once('resume', discard).resume();
    else discard();
  }
}

/**
 * Ends the reading of a body whose client gets its response, and leaves the connection open. What reads the body fails as
 * if the client had disconnected.
 */
export function abandonBody(req: IncomingMessage): void {
  const { socket } = req;
  // Destroying a request destroys its socket.
  Object.assign(req, { socket: null });
  req.destroy();
  Object.assign(req, { socket });
}

/** Shared by all servers of a process. */
export const LINGERING = new LingeringClose();

function closeAtOnce(socket: Socket): void {
  Socket.prototype.destroySoon.call(socket);
}
