import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { cloneDatabase, type TestDatabase } from '../../../tests/kit/database.ts';
import { createPool } from './pool.ts';
import { primaryUrl } from './primary.ts';

/** Port 1 is that of a service that no machine runs. */
const NOBODY = '127.0.0.1:1';

describe('a pool whose URL names several hosts', () => {
  let database: TestDatabase;
  const open: { end(): Promise<void> }[] = [];

  beforeAll(async () => {
    database = await cloneDatabase();
  });

  afterEach(async () => {
    for (const pool of open.splice(0)) await pool.end();
  });

  afterAll(async () => {
    await database.drop();
  });

  function among(...hosts: readonly string[]): string {
    return database.appUrl.replace(/@[^/]*\//, `@${hosts.join(',')}/`);
  }

  function poolOf(url: string, connectWithinMs = 60_000) {
    const pool = createPool({
      ...{ url, connectWithinMs, name: 'cspm hosts test', maxConnections: 2 },
      ...{ statementTimeoutMs: 60_000, onError: () => undefined },
    });
    open.push(pool);
    return pool;
  }

  const live = () => new URL(database.appUrl).host;

  it('a pool with several hosts connects to the host that accepts writes, wherever it is in the list', async () => {
    for (const url of [among(NOBODY, live()), among(live(), NOBODY)]) {
      const pool = poolOf(url);
      const { rows } = await pool.query<{ one: number }>('SELECT 1 AS one');
      expect(rows).toEqual([{ one: 1 }]);
      const client = await pool.connect();
      expect((await client.query('SELECT 2 AS two')).rows).toEqual([{ two: 2 }]);
      client.release();
      expect(await primaryUrl(url)).toBe(database.appUrl);
    }
  });

  it('a pool with several hosts replaces a connection that reports that it accepts no writes', async () => {
    const pool = poolOf(`${database.appUrl}?target_session_attrs=read-write`);
    const pid = 'SELECT pg_backend_pid() AS pid';
    const client = await pool.connect();
    const refusing = (await client.query<{ pid: number }>(pid)).rows[0];
    await client.query('SET default_transaction_read_only = on');
    client.release();
    expect((await pool.query<{ pid: number }>(pid)).rows[0]).not.toEqual(refusing);
    expect(pool.totalCount).toBe(1);
  });

  it('a pool with several hosts names each host and its answer when none accepts writes, and never the password', async () => {
    const pool = poolOf(among(NOBODY, '127.0.0.1:2'), 300);
    const failure = await pool.query('SELECT 1').catch((error: unknown) => error);
    expect(String(failure)).toMatch(
      /No host of the database accepts writes \(127\.0\.0\.1:1: .*ECONNREFUSED.*; 127\.0\.0\.1:2: /,
    );
    expect(String(failure)).not.toContain(new URL(database.appUrl).password);
  });
});
