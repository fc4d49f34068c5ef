import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';

const WEBHOOKS = 50;
const EACH = 200;
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

it('a claim reads a bounded number of deliveries of each webhook, even if its plan was made while nothing was due', async () => {
  await client.query('VACUUM ANALYZE jobs.webhook_dues');
  const webhooks = Array.from({ length: WEBHOOKS }, () => randomUUID());
  for (let n = 0; n <= CUSTOM_PLANS; n += 1) expect(await lease(webhooks)).toBe(0);
  await client.query(
    `INSERT INTO jobs.webhook_dues (tenant_id, webhook_id, delivery_id, due_at)
     SELECT $1, w, gen_random_uuid(), now() FROM unnest($2::uuid[]) w, generate_series(1, $3)`,
    [randomUUID(), webhooks, EACH],
  );
  await client.query('BEGIN');
  const before = await rowsRead();
  const leased = await lease(webhooks);
  const after = await rowsRead();
  await client.query('COMMIT');
  expect(leased).toBeGreaterThan(WEBHOOKS);
  expect(after.inOrder - before.inOrder).toBe(0);
  // The first one finds the webhooks.
  expect(after.byIndex - before.byIndex).toBeLessThanOrEqual(WEBHOOKS * (READ_OF_WEBHOOK + 1));
});
