import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { TestDatabase } from './database.ts';

/** A route to a database that a test can break and repair, as a network can. */
export interface BreakableDatabase {
  /** The database, with connections of the serving role over this route. */
  readonly database: TestDatabase;
  /** Refuses new connections and closes open ones. */
  cut(): Promise<void>;
  /** Accepts data and answers nothing, as a firewall that drops packets does. */
  stall(): void;
  /** Forwards connections again; those that were stalled are closed. */
  mend(): Promise<void>;
  close(): Promise<void>;
}

export async function breakable(database: TestDatabase): Promise<BreakableDatabase> {
  const target = new URL(database.appUrl);
  const sockets = new Set<Socket>();
  let stalled = false;

  function keep(socket: Socket): Socket {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    return socket;
  }

  const listener = createServer((inward) => {
    keep(inward);
    if (stalled) return;
    const outward = keep(connect(Number(target.port), target.hostname));
    inward.on('data', (bytes) => stalled || outward.write(bytes));
    outward.on('data', (bytes) => stalled || inward.write(bytes));
    inward.on('close', () => outward.destroy());
    outward.on('close', () => inward.destroy());
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;

  function drop(): void {
    for (const socket of sockets) socket.destroy();
  }

  async function cut(): Promise<void> {
    drop();
    if (!listener.listening) return;
    listener.close();
    await once(listener, 'close');
  }

  const appUrl = Object.assign(new URL(database.appUrl), { host: `127.0.0.1:${port}` }).href;
  return {
    database: { ...database, appUrl },
    cut,
    stall() {
      stalled = true;
    },
    async mend() {
      if (stalled) drop();
      stalled = false;
      if (listener.listening) return;
      listener.listen(port, '127.0.0.1');
      await once(listener, 'listening');
    },
    close: cut,
  };
}
