import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';
import { createPool } from './pool.ts';

describe('connection pool', () => {
  let server: TestServer;

  beforeAll(async () => {
    server = await startTestServer();
  });

  afterAll(async () => {
    await server.close();
  });

  function openPool() {
    return createPool({
      url: server.database.appUrl,
      name: 'cspm pool test',
      maxConnections: 5,
      statementTimeoutMs: 60_000,
      onError: () => {},
    });
  }

  it('ending the connection pool waits until every connection is closed', async () => {
    const pool = openPool();
    const clients = await Promise.all(Array.from({ length: 5 }, () => pool.connect()));
    let closed = 0;
    for (const client of clients) client.once('end', () => closed++);
    for (const client of clients) client.release();
    await pool.end();
    expect(closed).toBe(clients.length);
  });

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
