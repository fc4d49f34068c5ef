import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { ConnectionWatchdog } from '../platform/database/connection-watchdog.ts';
import { addressOf } from '../platform/database/hosts.ts';
import { primaryUrl } from '../platform/database/primary.ts';
import { isDatabaseUnavailable } from '../platform/database/unavailable.ts';

/** How long Postgres may take to accept a connection while a statement waits. */
const ANSWER_WITHIN_MS = 10_000;
const CLOSE_WITHIN_MS = 1_000;

/**
 * Makes Postgres notice within a minute that the network to this process is gone, and release the locks of its session. By
 * default that takes two hours. Not parameters of the connection, which PgBouncer refuses.
 */
const NOTICE_GONE = `
  SELECT FROM set_config('tcp_keepalives_idle', '30', false) AS idle, set_config('tcp_keepalives_interval', '10', false) AS interval,
              set_config('tcp_keepalives_count', '3', false) AS count, set_config('tcp_user_timeout', '60000', false) AS timeout`;

interface Options {
  readonly name: string;
  /** Default: 10 seconds. */
  readonly answerWithinMs?: number | undefined;
}

/**
 * Runs a command that needs sessions of its own, whose statements may take any time. Those to a server that no longer
 * answers fail, as in the pools of a server. All are closed at the end.
 * @param work gets a function that opens a session at a URL.
 */
export async function withWatchedConnections<T>(
  { name, answerWithinMs = ANSWER_WITHIN_MS }: Options,
  work: (open: (url: string) => Promise<pg.Client>) => Promise<T>,
): Promise<T> {
  const urls = new Map<pg.Client, string>();
  const silent = new Set<string>();
  const watchdog = new ConnectionWatchdog<pg.Client>(
    (client) => urls.get(client) ?? '',
    answerWithinMs,
    (url) => silent.add(url),
  );
  const open = async (url: string) => {
    const connectionString = await primaryUrl(url);
    const client = new pg.Client({
      connectionString,
      application_name: name,
      connectionTimeoutMillis: answerWithinMs,
      keepAlive: true,
    });
    client.on('error', () => undefined);
    await client.connect();
    urls.set(client, connectionString);
    watchdog.watch(client);
    await client.query(NOTICE_GONE);
    return client;
  };
  try {
    return await work(open);
  } catch (error) {
    if (silent.size === 0 || !isDatabaseUnavailable(error)) throw error;
    const addresses = [...silent].map(addressOf).join(' and ');
    throw new Error(`${addresses} did not answer within ${answerWithinMs / 1_000} s`, {
      cause: error,
    });
  } finally {
    await Promise.all([...urls.keys()].map(close));
    for (const client of urls.keys()) watchdog.forget(client);
  }
}

/** A server that does not answer does not close its end either, and the socket would keep this process running. */
async function close(client: pg.Client): Promise<void> {
  const giveUp = new AbortController();
  await Promise.race([
    client.end().catch(() => undefined),
    delay(CLOSE_WITHIN_MS, undefined, { signal: giveUp.signal }).catch(() => undefined),
  ]);
  giveUp.abort();
  const { connection } = client as unknown as {
    readonly connection: { readonly stream: { destroy(): void } };
  };
  connection.stream.destroy();
}
