import { afterAll, beforeAll, expect, it } from 'vitest';
import { Analyst } from '../../../tests/kit/analyst.ts';
import { bucket, bucketPolicy, manyClusters, ndjson } from '../../../tests/kit/export-records.ts';
import { FakeGoogle } from '../../../tests/kit/google/fake-google.ts';
import { onDatabase, serverProcesses } from '../../../tests/kit/server-process.ts';
import {
  startTestServer,
  TEST_APP_SECRET,
  type TestServer,
} from '../../../tests/kit/test-server.ts';
import { until } from '../../../tests/kit/until.ts';

const start = serverProcesses();
const PARENT = 'projects/shop-prod';
const KILLS = 5;
/** Pages between two kills. */
const APART = 6;

const RECORDS = [
  ...manyClusters(300),
  ...Array.from({ length: 40 }, (_, n) => bucket(`b${n}`)),
  ...Array.from({ length: 40 }, (_, n) => bucketPolicy(`b${n}`, n % 2 === 0 ? ['allUsers'] : [])),
];

let google: FakeGoogle;
let server: TestServer;

beforeAll(async () => {
  google = await FakeGoogle.start();
  google.inventory.serve(PARENT, ndjson(RECORDS).split('\n'));
  google.inventory.largestPage = 5;
  google.inventory.quotaPerMinute = 10_000;
  server = await startTestServer({ googleCloud: google });
});

afterAll(async () => {
  await server.close();
  await google.close();
});

it('a pull whose worker is killed five times gives exactly the inventory of an upload', async () => {
  const { GOOGLE_ALLOW_LOOPBACK_HTTP: _, ...addresses } = google.environment;
  const started = () =>
    start({ ...onDatabase(server.database), ...addresses, APP_SECRET: TEST_APP_SECRET });
  const person = await Analyst.at(server);
  const [pulled, uploaded] = [await person.project(), await person.project(RECORDS)];
  const credential = { type: 'service_account_key', key: google.viewer(PARENT) };
  const body = { kind: 'google-cloud', parent: PARENT, credential };
  await person.ask(201, `/projects/${pulled}/source`, { method: 'PUT', body });
  const { id } = await person.ask(202, `/projects/${pulled}/inventory/pull`, { method: 'POST' });
  const seen = () => person.ask(200, `/projects/${pulled}/inventory/pulls/${id}`);
  let worker = started();
  for (let kill = 1; kill <= KILLS; kill += 1) {
    await until(`page ${kill * APART}`, async () => (await seen()).pages >= kill * APART);
    await worker.kill();
    expect((await seen()).status).toBe('running');
    expect((await person.ask(200, `/projects/${pulled}`)).inventory).toBeNull();
    worker = started();
  }
  const pull = await until('the end of the pull', async () => {
    const now = await seen();
    return now.finishedAt !== null && now;
  });
  expect(pull).toMatchObject({
    ...{ status: 'completed', assets: 340, records: RECORDS.length, problem: null },
  });
  // Resumed, never begun again.
  const times = google.lists.map(({ query }) => query.get('readTime'));
  expect([...new Set(times)]).toEqual([pull.readTime]);
  await person.scan([pulled, uploaded]);
  const findingsOf = async (project: string) =>
    (await person.findings(`project=${project}`))
      .map(({ ruleId, asset, message }) => JSON.stringify([ruleId, asset.name, message]))
      .sort();
  const findings = await findingsOf(pulled);
  expect(findings.length).toBeGreaterThan(100);
  expect(findings).toEqual(await findingsOf(uploaded));
}, 900_000);
