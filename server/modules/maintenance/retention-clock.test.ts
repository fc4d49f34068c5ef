import { afterAll, beforeAll, expect, it } from 'vitest';
import { followOwnClock, followTestClocks } from '../../../tests/kit/database-clock.ts';
import { Belongings } from '../../../tests/kit/fixtures.ts';
import { countsOf, rowsOf } from '../../../tests/kit/owner-queries.ts';
import { retentionOf } from '../../../tests/kit/retention.ts';
import { testPool } from '../../../tests/kit/test-pool.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';
import { newId } from '../../platform/ids.ts';

let server: TestServer;
let clearAway: () => Promise<void>;
let close: () => Promise<void>;

beforeAll(async () => {
  server = await startTestServer();
  const pool = testPool(server.database.workerUrl, { maxConnections: 2 });
  clearAway = retentionOf(server, pool);
  close = () => pool.end();
});

afterAll(async () => {
  await close();
  await server.close();
});

it('a worker whose clock is years ahead deletes no data that has not expired by the clock of the database', async () => {
  const { tenant, key } = await server.people.user();
  const belongings = new Belongings(server.services, server.database, tenant);
  await belongings.project();
  await belongings.endedScan();
  await rowsOf(
    server.database,
    tenant.id,
    `INSERT INTO webhook_events (tenant_id, id, type, body, created_at) VALUES ($1, $2, 'scan.completed', '{}', now())`,
    [tenant.id, newId()],
  );
  const mute = { selector: { ruleId: 'bucket-public' }, reason: 'Known' };
  expect(
    (
      await server.call('/mutes', {
        ...{ method: 'POST', body: mute },
        headers: { ...key, 'idempotency-key': 'once' },
      })
    ).status,
  ).toBe(201);
  const counts = () =>
    countsOf(server.database, tenant.id, [
      'scans',
      'mutes',
      'webhook_events',
      'idempotency_records',
    ]);
  const before = await counts();
  expect(before).toEqual({ scans: 1, mutes: 1, webhook_events: 1, idempotency_records: 1 });
  server.clock.advance({ days: 1_000 });
  await followOwnClock(server.database.ownerUrl);
  await clearAway();
  expect(await counts()).toEqual(before);
  await followTestClocks(server.database.ownerUrl);
  await clearAway();
  expect(Object.values(await counts())).toEqual([0, 0, 0, 0]);
});
