import type { Server } from 'node:http';
import { isIPv6, type Socket } from 'node:net';

export interface ConnectionLimits {
  /** Maximum number of open connections of this process; further ones are closed before anything is read. */
  readonly most: number;
  /** Whether clients connect directly, so the peer address is the client's and not a proxy's. */
  readonly direct: boolean;
}

/** Fraction of the connections that one client may hold, so it cannot lock out all others. */
const SHARE_OF_ONE_ADDRESS = 4;

/**
 * Limits the connections of a server: in total and, when clients connect directly, per address (IPv6: per /64). Behind
 * a proxy, the proxy has to limit the connections per client.
 */
export function limitConnections(server: Server, { most, direct }: ConnectionLimits): void {
  server.maxConnections = most;
  if (!direct) return;
  const mostOfOne = Math.max(1, Math.floor(most / SHARE_OF_ONE_ADDRESS));
  const open = new Map<string, number>();
  server.on('connection', (socket: Socket) => {
    const client = clientOf(socket.remoteAddress ?? '');
    const count = (open.get(client) ?? 0) + 1;
    if (count > mostOfOne) {
      socket.destroy();
      return;
    }
    open.set(client, count);
    socket.once('close', () => {
      const left = (open.get(client) ?? 1) - 1;
      if (left === 0) open.delete(client);
      else open.set(client, left);
    });
  });
}

/** The IPv4 address, or the IPv6 network that one subscriber commonly has. */
function clientOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.split('%', 1)[0]?.split('::') ?? [];
  const groups = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const gap = tail === undefined ? 0 : Math.max(0, 8 - groups.length - after.length);
  const all = [...groups, ...Array.from({ length: gap }, () => '0'), ...after];
  return all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}
