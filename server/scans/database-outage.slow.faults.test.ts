import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { startWorker } from '../jobs/start-worker.ts';
import { createLogger } from '../operations/logger.ts';
import { Analyst } from '../testing/analyst.ts';
import { rowsOf } from '../testing/behind-the-scenes.ts';
import { CLUSTER_VERDICTS, cluster, manyClusters } from '../testing/export-records.ts';
import { FragileLink } from '../testing/fragile-link.ts';
import { cutSmall } from '../testing/small-chunks.ts';
import { startTestServer, type TestServer } from '../testing/test-server.ts';
import { until } from '../testing/until.ts';

let server: TestServer;
let link: FragileLink;
let worker: { stop(): Promise<void> };
let analyst: Analyst;
/** A role sees what its own connections do. */
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
  // The library traces to the console what its log says as well.
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
  // Of a test that failed half-way; otherwise there is nothing to roll back.
  await server.database.owner.query('ROLLBACK');
  await worker.stop();
  await link.cut();
});

/** A project whose scan takes a few steps: long enough to be interrupted. */
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

/** Until so many connections of workers wait for what somebody else holds. */
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

describe('a scan goes on, and ends as if nothing had been,', () => {
  it('when all connections of its worker break, time and again', async () => {
    const scanId = await analyst.launch(await largeProject(), 'gke');
    for (let assets = 1; assets < 200; assets += 60) {
      await someProgress(scanId, assets);
      link.break();
    }
    await expectWhole(scanId);
  });

  it('when the database is away for a while', async () => {
    const { owner } = server.database;
    const project = await largeProject();
    // Findings point to their project: as long as its row is held, the scan stands still in the middle of its work.
    await owner.query('BEGIN');
    await rowsOf(server.database, analyst.tenantId, 'SELECT 1 FROM projects FOR UPDATE');
    const scanId = await analyst.launch(project, 'gke');
    await untilWorkersWait(1);
    await link.cut();
    await owner.query('ROLLBACK');
    // As long as it takes the server, which has a way of its own, to answer a few times.
    for (let count = 0; count < 20; count += 1) await analyst.seen(scanId);
    expect(await analyst.seen(scanId)).toMatchObject({ status: 'running' });
    await link.restore();
    await expectWhole(scanId);
  });

  it('when an operator ends the backends of workers', async () => {
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

describe('after an outage', () => {
  it('scans of a project still run in the order of their launch', async () => {
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

  it('that found its worker idle, new scans are taken up', async () => {
    await link.cut();
    await link.restore();
    const scan = await analyst.scan(await analyst.project([cluster('a')]), 'gke');
    expect(scan).toMatchObject({ status: 'completed' });
  });

  it('that came as scans ended, and cost every worker, new scans are taken up', async () => {
    const { owner } = server.database;
    const projects = [await largeProject(), await largeProject()];
    const ids = await Promise.all(projects.map((project) => analyst.launch(project, 'gke')));
    // The scans end, but no worker can report it: the rows of their jobs are held, and then the connections break.
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
