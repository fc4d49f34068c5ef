import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** An address that refuses connections. */
export interface Refusing {
  readonly url: string;
  /** Number of refused connection attempts of this process. */
  refusals(): number;
  close(): void;
}

/**
 * Finds an address that keeps refusing connections: an outgoing connection occupies the port, so no other process can
 * listen there, which can happen to a port that was only closed.
 */
export async function refuseConnections(): Promise<Refusing> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const tenant = connect((server.address() as AddressInfo).port, '127.0.0.1');
  await once(tenant, 'connect');
  const port = tenant.localPort;
  let refused = 0;
  const watch = (message: unknown) => {
    const { socket } = message as { socket: Socket };
    socket.once('error', (error: NodeJS.ErrnoException & { port?: number }) => {
      if (error.code === 'ECONNREFUSED' && error.port === port) refused += 1;
    });
  };
  subscribe('net.client.socket', watch);
  return {
    url: `http://127.0.0.1:${port}`,
    refusals: () => refused,
    close() {
      unsubscribe('net.client.socket', watch);
      tenant.destroy();
      server.close();
    },
  };
}
