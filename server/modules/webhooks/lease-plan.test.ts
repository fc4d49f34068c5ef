import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';
import { until } from '../../../tests/kit/until.ts';

const WEBHOOKS = 50;
const EACH = 200;
const MANY_WEBHOOKS = 2_000;
/** Postgres keeps the plan of a statement that it has run more often than this. */
const CUSTOM_PLANS = 5;
/** The most deliveries of one webhook that a claim reads. */
const READ_OF_WEBHOOK = 64;

let server: TestServer;
let client: pg.Client;

beforeAll(async () => {
  server = await startTestServer();
  client = new pg.Client({ connectionString: server.database.ownerUrl });
  await client.connect();
});

afterAll(async () => {
  await client.end();
  await server.close();
});

/** Postgres keeps the plans of the function that it makes here, while nothing is due. */
beforeEach(async () => {
  await client.query('DELETE FROM jobs.webhook_dues');
  await client.query('VACUUM ANALYZE jobs.webhook_dues');
  for (let n = 0; n <= CUSTOM_PLANS; n += 1) expect(await lease([])).toBe(0);
});

const lease = async (quick: readonly string[]) => {
  const text = 'SELECT 1 FROM jobs.lease_deliveries($1, 1024, 45, $2, NULL)';
  return (await client.query(text, [new Date(), quick])).rowCount ?? 0;
};

/** The rows of webhook_dues that this transaction has read until now. */
async function rowsRead(): Promise<{ inOrder: number; byIndex: number }> {
  const { rows } = await client.query(
    `SELECT seq_tup_read::int AS "inOrder", idx_tup_fetch::int AS "byIndex"
     FROM pg_stat_xact_user_tables WHERE relid = 'jobs.webhook_dues'::regclass`,
  );
  return rows[0];
}

/** What a claim leases, and the rows that it reads for that. */
async function measuredLease(quick: readonly string[]) {
  await client.query('BEGIN');
  const before = await rowsRead();
  const leased = await lease(quick);
  const after = await rowsRead();
  await client.query('COMMIT');
  return {
    leased,
    inOrder: after.inOrder - before.inOrder,
    byIndex: after.byIndex - before.byIndex,
  };
}

it('a claim reads a bounded number of deliveries of each webhook, even if its plan was made while nothing was due', async () => {
  const webhooks = Array.from({ length: WEBHOOKS }, () => randomUUID());
  await client.query(
    `INSERT INTO jobs.webhook_dues (tenant_id, webhook_id, delivery_id, due_at)
     SELECT $1, w, gen_random_uuid(), now() FROM unnest($2::uuid[]) w, generate_series(1, $3)`,
    [randomUUID(), webhooks, EACH],
  );
  const read = await measuredLease(webhooks);
  expect(read.leased).toBeGreaterThan(WEBHOOKS);
  expect(read.inOrder).toBe(0);
  // The first one finds the webhooks.
  expect(read.byIndex).toBeLessThanOrEqual(WEBHOOKS * (READ_OF_WEBHOOK + 1));
});

it('a claim reads no deliveries of webhooks that wait for another attempt', async () => {
  const { tenant } = await server.people.user();
  // A server queues deliveries in the same way, and its outcomes of attempts are such an update.
  await client.query("SELECT set_config('app.tenant_id', $1, false)", [tenant.id]);
  await client.query(
    `INSERT INTO webhook_deliveries (tenant_id, id, webhook_id, event_id, status, next_attempt_at, created_at)
     SELECT $1, gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'pending', now(), now()
     FROM generate_series(1, $2)`,
    [tenant.id, MANY_WEBHOOKS],
  );
  await client.query(
    `UPDATE webhook_deliveries SET attempts = 1, next_attempt_at = now() + interval '2 hours'
     WHERE tenant_id = $1`,
    [tenant.id],
  );
  expect(await measuredLease([])).toEqual({ leased: 0, inOrder: 0, byIndex: 0 });
  await client.query(
    `UPDATE webhook_deliveries SET next_attempt_at = now() + interval '50 milliseconds'
     WHERE tenant_id = $1 AND id = (SELECT id FROM webhook_deliveries WHERE tenant_id = $1 LIMIT 1)`,
    [tenant.id],
  );
  const read = await until('the delivery that is due again', async () => {
    const one = await measuredLease([]);
    return one.leased > 0 && one;
  });
  expect(read).toMatchObject({ leased: 1, inOrder: 0 });
  expect(read.byIndex).toBeLessThan(10);
});

it('a delivery is due as soon as it is queued, although times are rounded', async () => {
  const { tenant } = await server.people.user();
  await client.query("SELECT set_config('app.tenant_id', $1, false)", [tenant.id]);
  // Half of the times are rounded up.
  for (let n = 0; n < 20; n += 1) {
    await client.query(
      `INSERT INTO webhook_deliveries (tenant_id, id, webhook_id, event_id, status, next_attempt_at, created_at)
       VALUES ($1, gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'pending', now(), now())`,
      [tenant.id],
    );
  }
  const { rows } = await client.query(
    'SELECT count(*) FILTER (WHERE is_due)::int AS due FROM jobs.webhook_dues WHERE tenant_id = $1',
    [tenant.id],
  );
  expect(rows).toEqual([{ due: 20 }]);
});
