import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPool } from '../../server/platform/database/pool.ts';
import { cloneDatabase, type TestDatabase } from '../kit/database.ts';
import { hasPgBouncer, PgBouncer } from '../kit/pgbouncer.ts';
import { sessionSettings } from '../kit/session-settings.ts';
import { startTestServer } from '../kit/test-server.ts';

const suite = hasPgBouncer()
  ? 'behind PgBouncer'
  : 'behind PgBouncer: skipped, Debian’s package pgbouncer is not installed';

describe.skipIf(!hasPgBouncer())(suite, () => {
  let database: TestDatabase;
  let pooler: PgBouncer;
  let pooled: TestDatabase;

  beforeAll(async () => {
    database = await cloneDatabase();
    const { ownerUrl, appUrl, workerUrl } = database;
    pooler = await PgBouncer.start([ownerUrl, appUrl, workerUrl]);
    pooled = {
      ...database,
      ownerUrl: pooler.through(ownerUrl),
      appUrl: pooler.through(appUrl),
      workerUrl: pooler.through(workerUrl),
    };
  });

  afterAll(async () => {
    await pooler?.stop();
    await database.drop();
  });

  it('sessions behind PgBouncer in session mode have the timeouts, the time zone and no jit, as direct ones', async () => {
    const pool = createPool({
      url: pooled.appUrl,
      name: 'cspm pooler test',
      maxConnections: 1,
      statementTimeoutMs: 12_000,
      onError: () => {},
    });
    const settings = await sessionSettings(pool);
    await pool.end();
    expect(settings).toEqual({
      TimeZone: 'UTC',
      jit: 'off',
      statement_timeout: '12000',
      idle_in_transaction_session_timeout: '30000',
    });
  });

  it('a server behind PgBouncer in session mode keeps tenants apart on connections that they share', async () => {
    const server = await startTestServer({ database: pooled, worker: true });
    try {
      const users = [await server.people.user(), await server.people.user()];
      for (const [number, { key }] of users.entries()) {
        const call = { method: 'POST', headers: key, body: { name: `project-${number}` } };
        expect((await server.call('/projects', call)).status).toBe(201);
      }
      for (const [number, { key }] of users.entries()) {
        const { json } = await server.call('/projects', { headers: key });
        expect(json.items.map(({ name }: { name: string }) => name)).toEqual([`project-${number}`]);
      }
    } finally {
      await server.close();
    }
  });
});
