import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { Analyst } from '../../../tests/kit/analyst.ts';
import { bareCluster, cluster, manyClusters } from '../../../tests/kit/export-records.ts';
import { rowsOf } from '../../../tests/kit/owner-queries.ts';
import { cutSmall } from '../../../tests/kit/small-chunks.ts';
import { testPool } from '../../../tests/kit/test-pool.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';
import { TenantDatabase } from '../../platform/database/tenant-database.ts';
import { createLogger } from '../../platform/logger.ts';
import { backfillPosture } from './index.ts';

let server: TestServer;
let analyst: Analyst;
let pool: pg.Pool;

beforeAll(async () => {
  server = await startTestServer({ worker: true });
  pool = testPool(server.database.workerUrl, { maxConnections: 6 });
});

afterAll(async () => {
  await pool.end();
  await server.close();
});

beforeEach(async () => {
  server.clock.freezeAt(nextMorning());
  analyst = await Analyst.at(server);
});

/** 08:00 UTC of the next day: hours later are on the same UTC day, independent of the time at which the test runs. */
function nextMorning(): Date {
  const morning = server.clock.now();
  morning.setUTCHours(24 + 8, 0, 0, 0);
  return morning;
}

const bad = (name: string) => cluster(name, { legacyAbac: true });
const rows = (sql: string, values?: readonly unknown[]) =>
  rowsOf(server.database, analyst.tenantId, sql, values);
const days = () => rows('SELECT * FROM posture_days ORDER BY project_id, day');
const totals = () => rows('SELECT * FROM posture_totals ORDER BY day');

function backfill(isStopping = () => false): Promise<void> {
  const log = createLogger('silent');
  return backfillPosture({ pool, tenants: new TenantDatabase(pool), log }, isStopping);
}

/** Leaves what a release without posture would have left. */
async function forgetAll(): Promise<void> {
  await rows('DELETE FROM posture_days');
  await rows('DELETE FROM posture_totals');
  await rows('UPDATE scan_projects SET finished_at = NULL');
}

/** Scans of two projects over a month: new, resolved, reopened and undecided findings, several scans on a day. */
async function history(): Promise<[string, string]> {
  const [one, two] = [
    await analyst.project([bad('a'), bad('b')]),
    await analyst.project([bad('c')]),
  ];
  await analyst.scan([one, two], 'gke');
  server.clock.advance({ hours: 1 });
  await analyst.upload(one, [bad('a'), cluster('b'), bareCluster('d')]);
  await analyst.scan(one, 'gke');
  server.clock.advance({ days: 3 });
  await analyst.upload(one, [cluster('a'), bad('b')]);
  await analyst.scan(one, 'gke');
  server.clock.advance({ days: 8 });
  await analyst.upload(two, [bareCluster('c'), bad('e')]);
  await analyst.scan([one, two], 'gke');
  server.clock.advance({ days: 20 });
  await analyst.upload(two, [cluster('c'), bad('e')]);
  await analyst.scan(two, 'gke');
  await analyst.scan(two, 'full');
  return [one, two];
}

it('the posture backfill records past scans exactly as they would have been recorded when they ended', async () => {
  await history();
  const live = { days: await days(), totals: await totals() };
  expect([live.days.length, live.totals.length]).toEqual([6, 4]);
  await forgetAll();
  await backfill();
  expect({ days: await days(), totals: await totals() }).toEqual(live);
  await backfill();
  expect({ days: await days(), totals: await totals() }).toEqual(live);
});

it('the posture backfill leaves the findings of a deleted rule out of the time to resolve, as live scans do', async () => {
  analyst = await Analyst.at(server, { tenant: await server.people.tenant(['custom_rules']) });
  const body = {
    ...{ id: 'mine', title: 'No cluster', severity: 'critical', description: 'No cluster here.' },
    ...{ assetTypes: ['container.googleapis.com/Cluster'], recommendation: 'Delete it.' },
    predicate: 'resource.data.name != ""',
  };
  await analyst.ask(201, '/custom-rules', { method: 'POST', body });
  const project = await analyst.project([bad('a')]);
  await analyst.scan(project, 'full');
  server.clock.advance({ hours: 2 });
  await analyst.ask(204, '/custom-rules/mine', { method: 'DELETE' });
  await analyst.upload(project, [cluster('a')]);
  await analyst.scan(project, 'full');
  const live = { days: await days(), totals: await totals() };
  expect(live.totals).toMatchObject([{ resolved_critical: 0, resolved_high: 1 }]);
  await forgetAll();
  await backfill();
  expect({ days: await days(), totals: await totals() }).toEqual(live);
});

it('the posture backfill continues where it was stopped, with several workers and while scans end', async () => {
  const [one, two] = await history();
  const live = { days: await days(), totals: await totals() };
  await forgetAll();
  for (let stops = 1; stops < 6; stops += 1) {
    let asked = 0;
    await backfill(() => {
      asked += 1;
      return asked > stops;
    });
  }
  await Promise.all([backfill(), backfill(), backfill()]);
  expect({ days: await days(), totals: await totals() }).toEqual(live);
  await forgetAll();
  server.clock.advance({ days: 1 });
  await Promise.all([backfill(), analyst.scan([one, two], 'gke'), backfill()]);
  await backfill();
  const again = { days: await days(), totals: await totals() };
  expect(again.days).toHaveLength(live.days.length + 2);
  expect(again.days).toEqual(expect.arrayContaining(live.days));
  expect(again.totals.slice(0, -1)).toEqual(live.totals);
});

it('the posture backfill leaves out scans of deleted projects, and does not check them again', async () => {
  const [one] = await history();
  await analyst.ask(204, `/projects/${one}`, { method: 'DELETE' });
  const left = { days: await days(), totals: await totals() };
  await forgetAll();
  await backfill();
  expect(await days()).toEqual(left.days);
  const waiting = await rows(
    `SELECT 1 FROM scan_projects WHERE status = 'completed' AND finished_at IS NULL`,
  );
  expect(waiting).toEqual([]);
});

it('the posture backfill counts findings of a failed scan with the next scan that completes', async () => {
  const records = manyClusters(60);
  const project = await analyst.project(records);
  await cutSmall(server.services.tenants, analyst, project, 3);
  await rows(
    `UPDATE inventory_chunks SET data = 'not gzip' WHERE seq = (SELECT max(seq) FROM inventory_chunks)`,
  );
  const failed = await analyst.scan(project, 'gke');
  expect(failed).toMatchObject({ status: 'failed' });
  expect(await days()).toEqual([]);
  await analyst.upload(project, records);
  const scan = await analyst.scan(project, 'gke');
  expect(scan.status).toBe('completed');
  const [row] = await days();
  const opened = failed.delta.new + scan.delta.new;
  expect(opened).toBe((await analyst.findings('status=open')).length);
  expect(row).toMatchObject({ opened, resolved: 0 });
  const live = { days: await days(), totals: await totals() };
  await forgetAll();
  await backfill();
  expect({ days: await days(), totals: await totals() }).toEqual(live);
});
