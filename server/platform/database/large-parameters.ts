import type pg from 'pg';

/** Smaller parameters are copied into the message, which is cheaper than sending them apart. */
const LARGE_BYTES = 16 * 1024;
const EMPTY = Buffer.alloc(0);

interface BindConfig {
  readonly portal?: string;
  readonly statement?: string;
  readonly values?: readonly unknown[] | null;
}

/** Members of node-postgres' connection that its types leave out. */
interface BindingConnection {
  bind(config: BindConfig): void;
  _send(message: Buffer): void;
}

/**
 * Lets a connection send large binary parameters as they are. By default, node-postgres copies them several times into
 * a message that grows by doubling, which V8 counts as memory and collects all garbage for.
 */
export function sendLargeParametersInPlace(client: pg.ClientBase): void {
  const { connection } = client as unknown as { readonly connection: BindingConnection };
  const { bind } = connection;
  connection.bind = (config) => {
    // Queries without parameters may have null.
    const values = config.values ?? [];
    if (!values.some(isLarge)) {
      bind.call(connection, config);
      return;
    }
    const empty = values.map((value) => (isLarge(value) ? EMPTY : value));
    const capture = { _send: (message: Buffer) => sendWith(connection, message, config, values) };
    bind.call(capture as BindingConnection, { ...config, values: empty });
  };
}

/**
 * Sends a message Bind (PostgreSQL protocol 3.0, "Message Formats") with large values in place of the empty ones that it
 * has for them.
 */
function sendWith(
  connection: BindingConnection,
  message: Buffer,
  { portal = '', statement = '' }: BindConfig,
  values: readonly unknown[],
): void {
  const large = values.filter(isLarge).reduce((sum, { length }) => sum + length, 0);
  message.writeInt32BE(message.readInt32BE(1) + large, 1);
  // The type, the length, both names, and the formats of all parameters with their number, then the number of values.
  let at = 5 + Buffer.byteLength(portal) + 1 + Buffer.byteLength(statement) + 1;
  at += 2 + 2 * values.length + 2;
  let sent = 0;
  for (const value of values) {
    const length = message.readInt32BE(at);
    if (isLarge(value)) {
      message.writeInt32BE(value.length, at);
      connection._send(message.subarray(sent, at + 4));
      connection._send(value);
      sent = at + 4;
    }
    // The length of null is -1.
    at += 4 + Math.max(length, 0);
  }
  connection._send(message.subarray(sent));
}

function isLarge(value: unknown): value is Buffer {
  return Buffer.isBuffer(value) && value.length >= LARGE_BYTES;
}
