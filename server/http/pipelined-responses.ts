import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

const openOf = new WeakMap<Socket, Set<ServerResponse>>();

/**
 * Closes a response with its connection. Node does that only for the response that is being sent: one that waits behind
 * it, because the client has sent its request early, gets no event, and whoever waits for its end would wait for ever.
 */
export function closeWithConnection({ socket }: IncomingMessage, res: ServerResponse): void {
  const open = openOf.get(socket) ?? watch(socket);
  open.add(res);
  res.once('close', () => open.delete(res));
}

function watch(socket: Socket): Set<ServerResponse> {
  const open = new Set<ServerResponse>();
  openOf.set(socket, open);
  socket.once('close', () => {
    for (const res of open) {
      if (res.socket !== null || res.closed) continue;
      res.destroy();
      res.emit('close');
    }
  });
  return open;
}
