import { afterAll, beforeAll, expect, it } from 'vitest';
import { Analyst } from '../../../tests/kit/analyst.ts';
import { deadlineMs } from '../../../tests/kit/slowness.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';

/** Before the fix, the inventories below blocked the server for minutes. */
const ANSWERED_WITHIN_MS = 15_000;
const BLOCKED_MS = 120_000;
const SCANNED_WITHIN_MS = 240_000;
const PROBE_EVERY_MS = 100;

let server: TestServer;
let analyst: Analyst;

beforeAll(async () => {
  server = await startTestServer({ worker: true });
  analyst = await Analyst.at(server);
});

afterAll(() => server.close());

/** Scans while probing the server's health. @returns the scan and the longest wait for a response. */
async function scannedWhileProbed(records: readonly unknown[]) {
  const project = await analyst.project(records);
  let longestMs = 0;
  let isOver = false;
  const probing = (async () => {
    while (!isOver) {
      const before = performance.now();
      expect((await server.call('/health/live')).status).toBe(200);
      longestMs = Math.max(longestMs, performance.now() - before);
      await new Promise((resolve) => setTimeout(resolve, PROBE_EVERY_MS));
    }
  })();
  const scan = await analyst.finished(await analyst.launch(project), SCANNED_WITHIN_MS);
  isOver = true;
  await probing;
  return { scan, longestMs };
}

it('a scan of 30,000 records of one project completes while the server responds', async () => {
  const type = 'cloudresourcemanager.googleapis.com/Project';
  const records = Array.from({ length: 30_000 }, (_, at) => ({
    name: `//cloudresourcemanager.googleapis.com/projects/${at}`,
    asset_type: type,
    resource: { data: { projectId: 'one', projectNumber: `${at}` } },
  }));
  const { scan, longestMs } = await scannedWhileProbed(records);
  expect(scan).toMatchObject({ status: 'completed', totals: { assets: 30_000 } });
  expect(longestMs).toBeLessThan(deadlineMs(ANSWERED_WITHIN_MS, BLOCKED_MS));
}, 300_000);

it('a scan of log metrics with filters of 1 MiB completes with UNKNOWN for the rules that read them', async () => {
  const filter = 'protoPayload.methodName="x" OR '.repeat(34_000);
  const records = Array.from({ length: 40 }, (_, at) => ({
    name: `//logging.googleapis.com/projects/p/metrics/${at}`,
    asset_type: 'logging.googleapis.com/LogMetric',
    resource: { data: { name: `m-${at}`, filter } },
  }));
  const { scan, longestMs } = await scannedWhileProbed(records);
  expect(scan).toMatchObject({ status: 'completed', totals: { assets: 40 } });
  expect(await analyst.ruleCount(scan.id, 'log-alert-sql')).toMatchObject({ fail: 0, unknown: 1 });
  expect(longestMs).toBeLessThan(deadlineMs(ANSWERED_WITHIN_MS, BLOCKED_MS));
}, 300_000);

it('a scan step with more findings than one statement can write is counted and written completely', async () => {
  const [assets, members] = [4, 2_000];
  const records = Array.from({ length: assets }, (_, at) => ({
    name: `//storage.googleapis.com/b${at}`,
    asset_type: 'storage.googleapis.com/Bucket',
    iam_policy: {
      bindings: [
        {
          role: 'roles/storage.objectViewer',
          members: Array.from({ length: members }, (_, of) => `user:u${of}@gmail.com`),
        },
      ],
    },
  }));
  const { scan } = await scannedWhileProbed(records);
  expect(scan.status).toBe('completed');
  const findings = assets * members;
  expect(scan.projects[0]?.findings).toBeGreaterThanOrEqual(findings);
  expect(scan.delta.new).toBe(scan.projects[0]?.findings);
  const { byRule } = await analyst.ask(200, `/findings/summary?project=${scan.projects[0]?.name}`);
  expect(byRule).toContainEqual(
    expect.objectContaining({ ruleId: 'iam-external-members', open: findings }),
  );
}, 300_000);

it('a record that names an unknown value at a depth of 60,000 is uploaded and scanned while the server responds', async () => {
  const records = [
    {
      name: '//logging.googleapis.com/projects/p/sinks/s',
      asset_type: 'logging.googleapis.com/LogSink',
      resource: { data: { name: 's', destination: 'storage.googleapis.com/b' } },
      unknown_after_apply: [['data', ...Array.from({ length: 60_000 }, () => 'a')]],
    },
  ];
  const { scan, longestMs } = await scannedWhileProbed(records);
  expect(scan).toMatchObject({ status: 'completed', totals: { assets: 1 } });
  expect(longestMs).toBeLessThan(deadlineMs(ANSWERED_WITHIN_MS, BLOCKED_MS));
}, 300_000);

it('a scan completes although the reason of an UNKNOWN verdict contains text that Postgres refuses', async () => {
  const unstorable = `${'x'.repeat(98)}\u0000\u{1F600}`;
  const records = [
    {
      name: '//logging.googleapis.com/projects/p/metrics/m',
      asset_type: 'logging.googleapis.com/LogMetric',
      resource: { data: { name: unstorable, filter: 'x '.repeat(20_000) } },
    },
    {
      name: '//storage.googleapis.com/b',
      asset_type: 'storage.googleapis.com/Bucket',
      resource: { data: {} },
      unknown_after_apply: [['data', 'versioning', unstorable]],
      iam_policy: {},
      possible_after_apply: {
        iam_policy: { bindings: [{ role: 'r', members: ['allUsers'] }] },
        reason: unstorable,
      },
    },
  ];
  const { scan } = await scannedWhileProbed(records);
  expect(scan).toMatchObject({ status: 'completed', totals: { assets: 2 } });
}, 300_000);

it('a scan completes although the ids of projects are too long, or contain text that Postgres refuses', async () => {
  const sink = (name: string, more: object) => ({
    name: `//logging.googleapis.com/${name}`,
    asset_type: 'logging.googleapis.com/LogSink',
    resource: { data: { name: 's', filter: 'x' } },
    ...more,
  });
  const records = [
    sink('x', { ancestors: ['projects/a\u0000b'] }),
    sink('y', { ancestors: ['projects/\ud800'] }),
    sink('z', { ancestors: [`projects/${'x'.repeat(100_000)}`] }),
    sink(`projects/${'x'.repeat(1_400)}/sinks/s`, {}),
    {
      name: '//cloudresourcemanager.googleapis.com/projects/7',
      asset_type: 'cloudresourcemanager.googleapis.com/Project',
      resource: { data: { projectId: 'p\u0000', projectNumber: '7', labels: { 'a\u0000': 'b' } } },
    },
  ];
  const { scan } = await scannedWhileProbed(records);
  expect(scan).toMatchObject({ status: 'completed', totals: { assets: 5 } });
}, 300_000);
