import { afterAll, beforeAll, expect, it } from 'vitest';
import { Analyst, type Scan } from '../../../tests/kit/analyst.ts';
import { manyClusters } from '../../../tests/kit/export-records.ts';
import {
  onDatabase,
  type ServerProcess,
  serverProcesses,
} from '../../../tests/kit/server-process.ts';
import { deadlineMs } from '../../../tests/kit/slowness.ts';
import { cutSmall } from '../../../tests/kit/small-chunks.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';
import { until } from '../../../tests/kit/until.ts';

const start = serverProcesses();

let server: TestServer;
let analyst: Analyst;

beforeAll(async () => {
  server = await startTestServer();
  analyst = await Analyst.at(server);
});

afterAll(() => server.close());

/** Starts a process that only runs jobs, and waits until it does. */
async function worker(): Promise<ServerProcess> {
  const process = start({ ...onDatabase(server.database), WORKER: 'only' });
  await process.line(/Working the queue/);
  return process;
}

const ASSETS = 240;

/** A project with enough chunks for a scan that takes a while and is shared by several workers. */
async function largeProject(): Promise<string> {
  const project = await analyst.project(manyClusters(ASSETS));
  await cutSmall(server.services.tenants, analyst, project, 2);
  return project;
}

/** All results of a scan, without project names and times. */
async function outcomeOf({ id, ...scan }: Scan) {
  const found = await analyst.findings(`scan=${id}`);
  return {
    status: scan.status,
    projects: scan.projects.map(({ name: _, inventoryId: __, ...rest }) => rest),
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

it('scans whose workers are killed at different moments continue within 30 s and give the same result', async () => {
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
    // Wait so that the first scan is well under way when the last one starts.
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
      deadlineMs(30_000, 600_000),
    );
  }
  for (const { id, project } of killed) {
    expect(await outcomeOf(await analyst.finished(id))).toEqual(undisturbed);
    const open = await analyst.findings(`project=${project}&status=open`);
    expect(new Set(open.map(({ fingerprint }) => fingerprint)).size).toBe(ASSETS / 3);
    expect(open).toHaveLength(ASSETS / 3);
  }
}, 900_000);
