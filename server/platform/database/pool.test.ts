import { existsSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';
import { until } from '../../../tests/kit/until.ts';
import { createPool } from './pool.ts';

describe('connection pool', () => {
  let server: TestServer;

  beforeAll(async () => {
    server = await startTestServer();
  });

  afterAll(async () => {
    await server.close();
  });

  function openPool(options: { niceness?: number } = {}) {
    return createPool({
      ...options,
      url: server.database.appUrl,
      name: 'cspm pool test',
      maxConnections: 5,
      statementTimeoutMs: 60_000,
      onError: () => {},
    });
  }

  it('Postgres compiles no statement of a pool, which would take longer than the statement for each execution', async () => {
    const pool = openPool();
    const { rows } = await pool.query('SHOW jit');
    expect(rows).toEqual([{ jit: 'off' }]);
    await pool.end();
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
