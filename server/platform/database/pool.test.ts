import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { getPriority } from 'node:os';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sessionSettings } from '../../../tests/kit/session-settings.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';
import { until } from '../../../tests/kit/until.ts';
import { createPool, type PoolOptions } from './pool.ts';

const STATEMENT_TIMEOUT_MS = 60_000;

describe('connection pool', () => {
  let server: TestServer;

  beforeAll(async () => {
    server = await startTestServer();
  });

  afterAll(async () => {
    await server.close();
  });

  function openPool(options: Partial<PoolOptions> = {}) {
    return createPool({
      url: server.database.appUrl,
      name: 'cspm pool test',
      maxConnections: 5,
      statementTimeoutMs: STATEMENT_TIMEOUT_MS,
      onError: () => {},
      ...options,
    });
  }

  it('a session of a pool uses UTC, does not compile statements, and has timeouts', async () => {
    const pool = openPool();
    const settings = await sessionSettings(pool);
    await pool.end();
    expect(settings).toEqual({
      TimeZone: 'UTC',
      jit: 'off',
      statement_timeout: '60000',
      idle_in_transaction_session_timeout: '30000',
    });
  });

  it('a connection is given up in the time for connecting if Postgres falls silent after it has accepted it', async () => {
    const { hostname, port } = new URL(server.database.appUrl);
    const proxy = createServer((near) => {
      const far = connect(Number(port), hostname);
      for (const socket of [near, far]) socket.on('error', () => undefined);
      near.on('close', () => far.destroy());
      far.on('data', (bytes) => near.write(bytes));
      near.on('data', (bytes) => {
        if (!bytes.includes('set_config')) far.write(bytes);
      });
    }).listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    const url = new URL(server.database.appUrl);
    url.port = String((proxy.address() as AddressInfo).port);
    const pool = openPool({ url: url.href, connectWithinMs: 500 });
    const startedAt = performance.now();
    await expect(pool.connect()).rejects.toThrow('timeout');
    expect(performance.now() - startedAt).toBeLessThan(STATEMENT_TIMEOUT_MS / 2);
    await pool.end();
    proxy.close();
    await once(proxy, 'close');
  });

  it('ending the connection pool waits until every connection is closed', async () => {
    const pool = openPool();
    const clients = await Promise.all(Array.from({ length: 5 }, () => pool.connect()));
    let closed = 0;
    for (const client of clients) client.once('end', () => closed++);
    for (const client of clients) client.release();
    await pool.end();
    expect(closed).toBe(clients.length);
  });

  it.skipIf(process.platform !== 'linux')(
    'backends of a pool with a nice value have a lower priority on this machine, and those of other pools do not',
    async () => {
      const niceness = 5;
      const [usual, lower] = [openPool(), openPool({ niceness })];
      const pids = await Promise.all([usual, lower].map(backendOf));
      const expected = getPriority() + niceness;
      const [usualPid = 0, lowerPid = 0] = pids;
      await until('the lower priority', async () => getPriority(lowerPid) === expected);
      await until('that of the session', async () =>
        [null, `nice ${expected}`].includes(niceOfSession(lowerPid)),
      );
      expect(getPriority(usualPid)).toBe(getPriority());
      expect(niceOfSession(usualPid)).not.toBe(`nice ${expected}`);
      await Promise.all([usual.end(), lower.end()]);
    },
  );

  it('ending the connection pool waits for a connection that is in use', async () => {
    const pool = openPool();
    const client = await pool.connect();
    let hasEnded = false;
    const ended = pool.end().then(() => (hasEnded = true));
    await client.query('SELECT pg_sleep(0.1)');
    expect(hasEnded).toBe(false);
    client.release();
    await ended;
  });
});

async function backendOf(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return rows[0]?.pid ?? 0;
}

/** Null where the system does not share the cores among sessions. */
function niceOfSession(pid: number): string | null {
  const file = `/proc/${pid}/autogroup`;
  return existsSync(file) ? (/nice -?\d+/.exec(readFileSync(file, 'utf8'))?.[0] ?? '') : null;
}
