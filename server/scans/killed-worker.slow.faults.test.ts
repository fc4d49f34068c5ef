import { afterAll, beforeAll, expect, it } from 'vitest';
import { Analyst, type Scan } from '../testing/analyst.ts';
import { manyClusters } from '../testing/export-records.ts';
import { onDatabase, type ServerProcess, serverProcesses } from '../testing/server-process.ts';
import { cutSmall } from '../testing/small-chunks.ts';
import { startTestServer, type TestServer } from '../testing/test-server.ts';
import { until } from '../testing/until.ts';

const start = serverProcesses();

let server: TestServer;
let analyst: Analyst;

beforeAll(async () => {
  server = await startTestServer();
  analyst = await Analyst.at(server);
});

afterAll(() => server.close());

/** A process that only works the queue, once it does. */
async function worker(): Promise<ServerProcess> {
  const process = start({ ...onDatabase(server.database), WORKER: 'only' });
  await process.line(/Working the queue/);
  return process;
}

const ASSETS = 240;

/** A project with an inventory of so many chunks that a scan of it takes a while, and more than one worker. */
async function largeProject(): Promise<string> {
  const project = await analyst.project(manyClusters(ASSETS));
  await cutSmall(server.services.tenants, analyst, project, 2);
  return project;
}

/** All that came of a scan, but for what names its project and its moment. */
async function outcomeOf({ id, ...scan }: Scan) {
  const found = await analyst.findings(`scan=${id}`);
  return {
    status: scan.status,
    projects: scan.projects.map(({ name: _, ...rest }) => rest),
    totals: scan.totals,
    delta: scan.delta,
    rules: await analyst.ruleCounts(id),
    findings: found
      .map(
        ({ ruleId, asset, subject, status, delta }) =>
          `${ruleId} ${asset.name} ${subject} ${status} ${delta}`,
      )
      .toSorted(),
  };
}

it('scans whose workers are killed, each at another moment, go on within 30 s and end like one that was left alone', async () => {
  const left = await largeProject();
  const first = [await worker()];
  const undisturbed = await outcomeOf(await analyst.scan(left, 'gke'));
  expect(undisturbed.totals).toMatchObject({ assets: ASSETS, fail: ASSETS / 3 });

  first.push(await worker());
  const killed: { id: string; project: string }[] = [];
  const projects = await Promise.all(Array.from({ length: 4 }, largeProject));
  for (const project of projects) {
    const id = await analyst.launch(project, 'gke');
    killed.push({ id, project });
    // So that the first is well on its way when the last has just begun.
    await until('some progress', async () => (await analyst.seen(id)).totals.assets > 0);
  }
  await Promise.all(first.map((process) => process.kill()));
  const interrupted = await Promise.all(killed.map(({ id }) => analyst.seen(id)));
  expect(interrupted.some(({ status }) => status === 'running')).toBe(true);

  const [after] = await Promise.all([worker(), worker()]);
  expect(after.pid).not.toBe(first[0]?.pid);
  for (const { id, totals } of interrupted) {
    await until(
      'the scan to go on',
      async () => {
        const scan = await analyst.seen(id);
        return scan.totals.assets > totals.assets || scan.status === 'completed';
      },
      30_000,
    );
  }
  for (const { id, project } of killed) {
    expect(await outcomeOf(await analyst.finished(id))).toEqual(undisturbed);
    const open = await analyst.findings(`project=${project}&status=open`);
    expect(new Set(open.map(({ fingerprint }) => fingerprint)).size).toBe(ASSETS / 3);
    expect(open).toHaveLength(ASSETS / 3);
  }
}, 120_000);
