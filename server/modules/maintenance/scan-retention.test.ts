import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { Analyst, type Scan } from '../../../tests/kit/analyst.ts';
import { bucket, bucketPolicy } from '../../../tests/kit/export-records.ts';
import { rowsOf, waitingFor } from '../../../tests/kit/owner-queries.ts';
import { retentionOf } from '../../../tests/kit/retention.ts';
import { testPool } from '../../../tests/kit/test-pool.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';
import { until } from '../../../tests/kit/until.ts';

const MINUTE_MS = 60_000;

let server: TestServer;
let analyst: Analyst;
let project: string;
let clearAway: () => Promise<void>;
let close: () => Promise<void>;

beforeAll(async () => {
  server = await startTestServer({ worker: true });
  const pool = testPool(server.database.workerUrl, { maxConnections: 2 });
  clearAway = retentionOf(server, pool);
  close = () => pool.end();
});

afterAll(async () => {
  await close();
  await server.close();
});

beforeEach(async () => {
  await server.database.owner.query("SELECT partitions.ensure(now() - interval '3 months', 4)");
  analyst = await Analyst.at(server);
  project = await analyst.project([bucket('b', { uniform: false }), bucketPolicy('b')]);
});

/** The start of the month that is so many months ago, moved by some time. */
function monthsAgo(months: number, byMs = 0): Date {
  const now = server.clock.now();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, 1) + byMs);
}

async function moveTo({ id }: Scan, launched: Date, ended: Date): Promise<void> {
  const change = (sql: string, ...values: unknown[]) =>
    rowsOf(server.database, analyst.tenantId, sql, [id, ...values]);
  await change('UPDATE scan_findings SET scan_at = $2 WHERE scan_id = $1', launched);
  await change('UPDATE scans SET created_at = $2, finished_at = $3 WHERE id = $1', launched, ended);
}

it('a scan that ends in the month after its launch is deleted together with the list of its findings', async () => {
  const [dropped, kept] = [await analyst.scan(project), await analyst.scan(project)];
  await analyst.scan(project);
  // The task keeps one whole month of scans.
  await moveTo(dropped, monthsAgo(1, -MINUTE_MS), monthsAgo(1, MINUTE_MS));
  await moveTo(kept, monthsAgo(1), monthsAgo(1, MINUTE_MS));
  await clearAway();
  await analyst.ask(404, `/scans/${dropped.id}`);
  await analyst.ask(200, `/scans/${kept.id}`);
  expect(await analyst.findings(`scan=${kept.id}`)).not.toEqual([]);
});

it('a report of a last scan whose list of findings was deleted says so instead of listing none', async () => {
  const scan = await analyst.scan(project);
  const { bySeverity } = scan.totals;
  expect(bySeverity.medium).toBeGreaterThan(0);
  const note = 'The findings of this scan were deleted after the retention period';
  const report = async () => (await analyst.call(`/scans/${scan.id}/report`)).text;
  expect(await report()).not.toContain(note);
  await moveTo(scan, monthsAgo(2), monthsAgo(2));
  await clearAway();
  expect((await analyst.seen(scan.id)).totals.bySeverity).toEqual(bySeverity);
  expect((await report()).split(note)).toHaveLength(3);
});

it('old scans are locked in the order in which the removal of a member locks them, so that the two do not deadlock', async () => {
  const { tenantId } = analyst;
  await rowsOf(
    server.database,
    tenantId,
    `INSERT INTO scans (tenant_id, id, status, profile, profile_digest, created_by_kind, created_by_label,
       created_at, started_at, finished_at)
     SELECT $1, gen_random_uuid(), 'completed', 'full', '', 'schedule', 'a schedule', $2, $2, $2
     FROM generate_series(1, 1000)`,
    [tenantId, monthsAgo(2)],
  );
  // With statistics, Postgres deletes the chosen rows in the order of a hash table.
  await server.database.owner.query('ANALYZE scans');
  const removal = testPool(server.database.ownerUrl, { maxConnections: 1 });
  const locks = await removal.connect();
  await locks.query("SELECT set_config('app.tenant_id', $1, false)", [tenantId]);
  await locks.query('BEGIN');
  const lock = 'SELECT id FROM scans WHERE tenant_id = $1 ORDER BY id';
  await locks.query(`${lock} LIMIT 1 FOR NO KEY UPDATE`, [tenantId]);
  const clearing = clearAway();
  await until('the task to wait', async () => {
    const waiting = await waitingFor(server.database, "l.locktype IN ('transactionid', 'tuple')");
    return waiting.length > 0;
  });
  const free = await locks.query(`${lock} FOR NO KEY UPDATE SKIP LOCKED`, [tenantId]);
  await locks.query('COMMIT');
  locks.release();
  await removal.end();
  await clearing;
  expect(free.rowCount).toBe(1000);
  expect(await rowsOf(server.database, tenantId, lock, [tenantId])).toEqual([]);
});
