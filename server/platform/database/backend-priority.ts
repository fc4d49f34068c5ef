import type { Socket } from 'node:net';
import type pg from 'pg';
import { commandOf, lowerPriority, lowerSession } from '../priority.ts';

/** Members of node-postgres' client that its types leave out. */
interface ConnectedClient {
  /** The process of the backend, as it reports at the start of the session. A pooler reports another number. */
  readonly processID: number | null;
  readonly connection: { readonly stream: Socket };
}

/**
 * Lowers the priority of the Postgres process at the other end of a connection, if it runs on this machine and may be
 * changed. Otherwise nothing happens: another machine has processors of its own.
 */
export async function lowerBackendPriority(client: pg.ClientBase, niceness: number): Promise<void> {
  const { processID: pid, connection } = client as unknown as ConnectedClient;
  // Two ends of a connection within this machine have the same address.
  const { localAddress, remoteAddress, localPort } = connection.stream;
  if (pid === null || localAddress !== remoteAddress) return;
  const end = localPort === undefined ? '[local]' : `(${localPort})`;
  const command = await commandOf(pid);
  // The number may belong to another process: that of a container, or one that has ended.
  if (command?.startsWith('postgres: ') !== true || !command.includes(end)) return;
  lowerPriority(pid, niceness);
  await lowerSession(pid, niceness);
}
