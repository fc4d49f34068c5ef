import { Agent, request } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Analyst } from '../../tests/kit/analyst.ts';
import { manyClusters } from '../../tests/kit/export-records.ts';
import { TestMailServer } from '../../tests/kit/mail-server.ts';
import { mailJobsOf } from '../../tests/kit/mailbox.ts';
import { rowsOf } from '../../tests/kit/owner-queries.ts';
import { onDatabase, serverProcesses } from '../../tests/kit/server-process.ts';
import { cutSmall } from '../../tests/kit/small-chunks.ts';
import { ask, CLIENTS, SteadyLoad } from '../../tests/kit/steady-load.ts';
import { startTestServer, TEST_APP_SECRET, type TestServer } from '../../tests/kit/test-server.ts';
import { until } from '../../tests/kit/until.ts';

const start = serverProcesses();
/** Observes the database; runs no jobs. */
let server: TestServer;
let analyst: Analyst;
let mails: TestMailServer;

beforeAll(async () => {
  server = await startTestServer();
  mails = await TestMailServer.start();
});

beforeEach(async () => {
  // Left over if a test failed half-way; otherwise there is nothing to roll back.
  await server.database.owner.query('ROLLBACK');
  mails.release();
  mails.received.length = 0;
  analyst = await Analyst.at(server);
});

afterAll(async () => {
  await mails.stop();
  await server.close();
});

function environment(): Record<string, string> {
  return {
    ...onDatabase(server.database),
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    APP_SECRET: TEST_APP_SECRET,
    WEB_URL: 'https://posture.example.com',
    MAIL_URL: mails.url,
    RATE_LIMIT: '1000000',
  };
}

const ASSETS = 240;

const loads: SteadyLoad[] = [];

afterEach(async () => {
  for (const load of loads.splice(0)) await load.leave();
});

it('a server that is stopped under load during a scan and mails loses no request or job and does none twice', async () => {
  const { owner } = server.database;
  const people = [
    await server.people.user(),
    await server.people.user(),
    await server.people.user(),
  ];
  const project = await analyst.project(manyClusters(ASSETS));
  await cutSmall(server.services.tenants, analyst, project, 2);
  const leaving = start({ ...environment(), SHUTDOWN_NOTICE_MS: '10000' });
  const url = await leaving.url();
  const load = new SteadyLoad(url, analyst.headers);
  loads.push(load);

  mails.hold();
  for (const { email } of people) {
    await server.call('/auth/forgot-password', { method: 'POST', body: { email } });
  }
  await until('a mail under way', async () => mails.waiting > 0);
  const scanId = await analyst.launch(project, 'gke');
  await until('some progress', async () => (await analyst.seen(scanId)).totals.assets > 0);
  // Findings reference their project, so holding its row stops the scan in the middle of its work.
  await owner.query('BEGIN');
  await rowsOf(
    server.database,
    analyst.tenantId,
    'SELECT 1 FROM projects WHERE name = $1 FOR UPDATE',
    [project],
  );
  expect(await analyst.seen(scanId)).toMatchObject({ status: 'running' });
  const staying = start({ ...environment(), WORKER: 'only' });
  await staying.line(/Working the queue/);
  await until('some load', async () => load.answers.length > 300);

  const probe = new Agent({ keepAlive: false });
  expect(await ask(`${url}/health/ready`, probe)).toMatchObject({ status: 200 });
  leaving.signal('SIGTERM');
  await until(
    'readiness to go',
    async () => (await ask(`${url}/health/ready`, probe)).status === 503,
  );
  const sinceThen = load.answers.length;
  await owner.query('ROLLBACK');
  mails.release();
  // Responses that began before the drain may arrive late, at most one per connection.
  const after = () => load.answers.slice(sinceThen).map(({ connection }) => connection);
  await until('responses that close', async () => {
    return after().filter((connection) => connection === 'close').length > 2 * CLIENTS;
  });
  expect(after().filter((connection) => connection !== 'close').length).toBeLessThan(CLIENTS + 1);
  await load.leave();
  expect(load.failures).toEqual([]);
  expect(new Set(load.answers.map(({ status }) => status))).toEqual(new Set([200, 201]));
  expect(await leaving.ended()).toEqual({ code: 0, signal: null });
  await expect(ask(`${url}/health/live`, probe)).rejects.toMatchObject({ code: 'ECONNREFUSED' });

  const rows = await rowsOf(
    server.database,
    analyst.tenantId,
    "SELECT name FROM projects WHERE name LIKE 'made-%'",
  );
  expect(rows.map(({ name }) => name).toSorted()).toEqual(load.made.toSorted());
  expect(await analyst.finished(scanId)).toMatchObject({
    status: 'completed',
    totals: { assets: ASSETS, fail: ASSETS / 3 },
    delta: { new: ASSETS / 3, resolved: 0, reopened: 0, unchanged: 0 },
  });
  expect(await analyst.findings(`scan=${scanId}`)).toHaveLength(ASSETS / 3);
  await until('the end of all mail jobs', async () => (await mailJobsOf(server)).length === 0);
  // A worker that gets no CPU time for 12 s counts as dead. Another one then sends its mail again, with its Message-ID.
  const sent = new Map(mails.received.map(({ headers, to }) => [headers['message-id'], to]));
  expect([...sent.values()].flat().toSorted()).toEqual(people.map(({ email }) => email).toSorted());
});

describe('a server that has a request under way which never ends', () => {
  /**
   * An upload that starts and never finishes.
   * @returns a function that reports how it ended
   */
  async function stuck(url: string): Promise<() => Promise<Error>> {
    const project = await analyst.project();
    const upload = request(`${url}/projects/${project}/inventory`, {
      method: 'PUT',
      headers: { ...analyst.headers, 'content-type': 'application/x-ndjson' },
    });
    const end = new Promise<Error>((resolve) => upload.once('error', resolve));
    upload.flushHeaders();
    await until('the beginning of the upload', async () => {
      const sql = "SELECT 1 FROM inventories WHERE status = 'receiving'";
      return (await rowsOf(server.database, analyst.tenantId, sql)).length === 1;
    });
    return () => end;
  }

  it('a stopping server ends a request that never completes, and exits with 0', async () => {
    const process = start({ ...environment(), NODE_ENV: 'development' });
    const end = await stuck(await process.url());
    process.signal('SIGTERM');
    expect(await end()).toMatchObject({ code: 'ECONNRESET' });
    expect(await process.ended()).toEqual({ code: 0, signal: null });
  });

  it('a stopping server with a request that never completes exits immediately on a second signal', async () => {
    const process = start(environment());
    const url = await process.url();
    const end = await stuck(url);
    process.signal('SIGTERM');
    const probe = new Agent({ keepAlive: false });
    await until('the drain', async () => (await ask(`${url}/health/ready`, probe)).status === 503);
    process.signal('SIGTERM');
    expect(await process.ended()).toEqual({ code: 1, signal: null });
    await end();
  });
});
