import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { Analyst } from '../../../tests/kit/analyst.ts';
import { CLUSTER_VERDICTS, cluster, manyClusters } from '../../../tests/kit/export-records.ts';
import { rowsOf } from '../../../tests/kit/owner-queries.ts';
import { cutSmall } from '../../../tests/kit/small-chunks.ts';
import { FragileLink } from '../../../tests/kit/tcp-proxy.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';
import { until } from '../../../tests/kit/until.ts';
import { createLogger } from '../../platform/logger.ts';
import { startWorker } from '../../start/start-worker.ts';

let server: TestServer;
let link: FragileLink;
let worker: { stop(): Promise<void> };
let analyst: Analyst;
/** Uses the workers' role, because a role sees only the activity of its own connections. */
let operator: pg.Client;

beforeAll(async () => {
  server = await startTestServer();
  operator = new pg.Client({ connectionString: server.database.workerUrl });
  await operator.connect();
});

afterAll(async () => {
  await operator.end();
  await server.close();
});

beforeEach(async () => {
  // The library also traces to the console what it already logs.
  vi.spyOn(console, 'trace').mockImplementation(() => undefined);
  analyst = await Analyst.at(server);
  link = await FragileLink.to(server.database.workerUrl);
  worker = await startWorker({
    databaseUrl: link.url,
    log: createLogger('silent'),
    clock: server.clock,
  });
});

afterEach(async () => {
  // Clean up after a failed test; otherwise there is nothing to roll back.
  await server.database.owner.query('ROLLBACK');
  await worker.stop();
  await link.cut();
});

/** A project whose scan takes several steps, so that it can be interrupted. */
async function largeProject(): Promise<string> {
  const project = await analyst.project(manyClusters(400));
  await cutSmall(server.services.tenants, analyst, project, 30);
  return project;
}

const EXPECTED = {
  status: 'completed',
  totals: {
    assets: 400,
    evaluations: 400 * CLUSTER_VERDICTS.evaluations,
    pass: 400 * CLUSTER_VERDICTS.pass - 134,
    fail: 134,
  },
  delta: { new: 134, resolved: 0, reopened: 0, unchanged: 0 },
};

async function someProgress(scanId: string, assets = 1): Promise<void> {
  await until('some progress', async () => (await analyst.seen(scanId)).totals.assets >= assets);
}

/** Waits until this many connections of workers wait for a lock. */
async function untilWorkersWait(count: number): Promise<void> {
  await until('workers that wait', async () => {
    const { rows } = await operator.query(
      "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
    );
    return rows.length >= count;
  });
}

async function expectWhole(scanId: string): Promise<void> {
  expect(await analyst.finished(scanId)).toMatchObject(EXPECTED);
  expect(await analyst.findings(`scan=${scanId}`)).toHaveLength(134);
  expect(await analyst.ruleCount(scanId, 'gke-legacy-abac')).toMatchObject({
    pass: 266,
    fail: 134,
    na: 0,
    unknown: 0,
  });
}

describe('a scan continues and ends with the same result', () => {
  it('a scan continues with the same result after all connections of its worker broke repeatedly', async () => {
    const scanId = await analyst.launch(await largeProject(), 'gke');
    for (let assets = 1; assets < 200; assets += 60) {
      await someProgress(scanId, assets);
      link.break();
    }
    await expectWhole(scanId);
  });

  it('a scan continues with the same result after the database was unavailable for a while', async () => {
    const { owner } = server.database;
    const project = await largeProject();
    // Writing a finding locks its project's row, so holding that row stops the scan in the middle of its work.
    await owner.query('BEGIN');
    await rowsOf(server.database, analyst.tenantId, 'SELECT 1 FROM projects FOR UPDATE');
    const scanId = await analyst.launch(project, 'gke');
    await untilWorkersWait(1);
    await link.cut();
    await owner.query('ROLLBACK');
    // Wait for 20 responses of the server, which uses separate connections.
    for (let count = 0; count < 20; count += 1) await analyst.seen(scanId);
    expect(await analyst.seen(scanId)).toMatchObject({ status: 'running' });
    await link.restore();
    await expectWhole(scanId);
  });

  it("a scan continues with the same result when an operator terminates the workers' backends", async () => {
    const scanId = await analyst.launch(await largeProject(), 'gke');
    for (const assets of [1, 100]) {
      await someProgress(scanId, assets);
      await operator.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND application_name = 'cspm worker'`,
      );
    }
    await expectWhole(scanId);
  });
});

describe('after a database outage', () => {
  it('scans of a project still run in the order of their launch after a database outage', async () => {
    const project = await largeProject();
    const first = await analyst.launch(project, 'gke');
    const second = await analyst.launch(project, 'gke');
    await someProgress(first);
    link.break();
    const [one, two] = await Promise.all([analyst.finished(first), analyst.finished(second)]);
    expect(one).toMatchObject(EXPECTED);
    expect(two).toMatchObject({ delta: { new: 0, resolved: 0, reopened: 0, unchanged: 134 } });
    expect(`${two.startedAt}` >= `${one.finishedAt}`).toBe(true);
  });

  it('an idle worker starts new scans after a database outage', async () => {
    await link.cut();
    await link.restore();
    const scan = await analyst.scan(await analyst.project([cluster('a')]), 'gke');
    expect(scan).toMatchObject({ status: 'completed' });
  });

  it('new scans start after a database outage, even if it hit every worker at the end of a scan', async () => {
    const { owner } = server.database;
    const projects = [await largeProject(), await largeProject()];
    const ids = await Promise.all(projects.map((project) => analyst.launch(project, 'gke')));
    // The scans end, but no worker can report it: the rows of their jobs are locked, then the connections break.
    await until('both jobs to be taken', async () => {
      const { rows } = await owner.query(
        'SELECT 1 FROM graphile_worker._private_jobs WHERE locked_by IS NOT NULL',
      );
      return rows.length === 2;
    });
    await owner.query('BEGIN');
    await owner.query('SELECT 1 FROM graphile_worker._private_jobs FOR UPDATE');
    for (const id of ids) await expectWhole(id);
    await untilWorkersWait(2);
    link.break();
    await owner.query('ROLLBACK');
    const scans = await Promise.all([analyst.scan(projects), analyst.scan(projects[0] ?? '')]);
    expect(scans).toMatchObject([{ status: 'completed' }, { status: 'completed' }]);
  });
});
