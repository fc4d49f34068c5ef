import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createLogger } from '../operations/logger.ts';
import { Analyst } from '../testing/analyst.ts';
import { cluster, manyClusters } from '../testing/export-records.ts';
import { FragileLink } from '../testing/fragile-link.ts';
import { startTestServer, type TestServer } from '../testing/test-server.ts';
import { until } from '../testing/until.ts';
import { startScanWorker } from './start-worker.ts';

let server: TestServer;
let link: FragileLink;
let worker: { stop(): Promise<void> };
let analyst: Analyst;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

beforeEach(async () => {
  analyst = await Analyst.at(server);
  link = await FragileLink.to(server.database.workerUrl);
  worker = await startScanWorker(link.url, createLogger('silent'), server.clock);
});

afterEach(async () => {
  await worker.stop();
  await link.cut();
});

/** Eight chunks or so: long enough to be interrupted. */
const LARGE = manyClusters(400, 20_000);
const EXPECTED = {
  status: 'completed',
  totals: { assets: 400, evaluations: 400, pass: 266, fail: 134 },
  delta: { new: 134, resolved: 0, reopened: 0, unchanged: 0 },
};

async function someProgress(scanId: string, assets = 1): Promise<void> {
  await until('some progress', async () => (await analyst.seen(scanId)).totals.assets >= assets);
}

async function expectWhole(scanId: string): Promise<void> {
  expect(await analyst.finished(scanId)).toMatchObject(EXPECTED);
  expect(await analyst.findings(`scan=${scanId}`)).toHaveLength(134);
  expect(await analyst.ruleCounts(scanId)).toEqual([
    { ruleId: 'gke-legacy-abac', pass: 266, fail: 134, na: 0, unknown: 0 },
  ]);
}

describe('a scan goes on, and ends as if nothing had been,', () => {
  it('when all connections of its worker break, time and again', async () => {
    const scanId = await analyst.launch(await analyst.project(LARGE), 'gke');
    for (let assets = 1; assets < 200; assets += 60) {
      await someProgress(scanId, assets);
      link.break();
    }
    await expectWhole(scanId);
  });

  it('when the database is away for a while', async () => {
    const scanId = await analyst.launch(await analyst.project(LARGE), 'gke');
    await someProgress(scanId);
    await link.cut();
    // As long as it takes the server, which has a way of its own, to answer a few times.
    const standstill = await analyst.seen(scanId);
    for (let count = 0; count < 20; count += 1) await analyst.seen(scanId);
    expect(standstill.status).toBe('running');
    await link.restore();
    await expectWhole(scanId);
  });

  it('when an operator ends the backends of workers', async () => {
    const scanId = await analyst.launch(await analyst.project(LARGE), 'gke');
    const operator = new pg.Client({ connectionString: server.database.workerUrl });
    await operator.connect();
    for (const assets of [1, 100]) {
      await someProgress(scanId, assets);
      await operator.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND application_name = 'cspm worker'`,
      );
    }
    await operator.end();
    await expectWhole(scanId);
  });
});

describe('after an outage', () => {
  it('scans of a project still run in the order of their launch', async () => {
    const project = await analyst.project(LARGE);
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

  it('that came as scans ended, later ones are taken up by as many workers as before', async () => {
    const projects = await Promise.all(
      Array.from({ length: 6 }, () => analyst.project([cluster('a')])),
    );
    // Breaks again and again while short scans come and go, so that some end just then.
    const scans = projects.flatMap((project) => [
      analyst.launch(project, 'gke'),
      analyst.launch(project, 'gke'),
    ]);
    for (const launched of scans) {
      await launched;
      link.break();
    }
    for (const launched of scans) {
      expect(await analyst.finished(await launched, 30_000)).toMatchObject({ status: 'completed' });
    }
  });
});
