import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { Analyst, type Scan } from '../../../tests/kit/analyst.ts';
import { bucket, bucketPolicy } from '../../../tests/kit/export-records.ts';
import { rowsOf } from '../../../tests/kit/owner-queries.ts';
import { retentionOf } from '../../../tests/kit/retention.ts';
import { testPool } from '../../../tests/kit/test-pool.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';

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
