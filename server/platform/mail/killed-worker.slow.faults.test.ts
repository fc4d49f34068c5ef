import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { TestMailServer } from '../../../tests/kit/mail-server.ts';
import { mailJobsOf } from '../../../tests/kit/mailbox.ts';
import {
  onDatabase,
  type ServerProcess,
  serverProcesses,
} from '../../../tests/kit/server-process.ts';
import {
  startTestServer,
  TEST_APP_SECRET,
  type TestServer,
} from '../../../tests/kit/test-server.ts';
import { until } from '../../../tests/kit/until.ts';

const start = serverProcesses();
/** Runs no jobs itself. */
let server: TestServer;
let mails: TestMailServer;

beforeAll(async () => {
  server = await startTestServer();
  mails = await TestMailServer.start();
});

beforeEach(() => {
  mails.received.length = 0;
});

afterAll(async () => {
  await mails.stop();
  await server.close();
});

async function worker(): Promise<ServerProcess> {
  const process = start({
    ...onDatabase(server.database),
    NODE_ENV: 'production',
    WEB_URL: 'https://posture.example.com',
    WORKER: 'only',
    APP_SECRET: TEST_APP_SECRET,
    MAIL_URL: mails.url,
    MAIL_FROM: 'a@example.com',
  });
  await process.line(/Working the queue/);
  return process;
}

/**
 * Requests a link for a person.
 * @returns the person
 */
async function forgetful(): Promise<string> {
  const { email } = await server.people.user();
  await server.call('/auth/forgot-password', { method: 'POST', body: { email } });
  return email;
}

async function allSent(): Promise<void> {
  await until('an empty queue', async () => (await mailJobsOf(server)).length === 0);
}

/** The last heartbeat of the worker that holds the job. */
async function lastBeat(): Promise<number> {
  const { rows } = await server.database.owner.query(
    `SELECT max(beat_at) AS at FROM jobs.heartbeats
     WHERE worker_id IN (SELECT locked_by FROM graphile_worker._private_jobs)`,
  );
  return Number(rows[0].at);
}

it('a mail whose worker is killed before the mail server accepted it is sent once by another worker', async () => {
  const first = await worker();
  mails.hold('recipient');
  const email = await forgetful();
  await until('a mail under way', async () => mails.waiting > 0);
  await first.kill();
  mails.release();
  await worker();
  await allSent();
  expect(mails.received).toMatchObject([{ to: [email] }]);
}, 300_000);

it('a mail whose worker is killed before it saw the acceptance is sent again with the same Message-ID', async () => {
  const first = await worker();
  mails.hold();
  await forgetful();
  await until('a mail under way', async () => mails.waiting > 0);
  await first.kill();
  mails.release();
  await worker();
  await allSent();
  expect(new Set(mails.received.map(({ headers }) => headers['message-id'])).size).toBe(1);
}, 300_000);

it('a worker that is stopped while it sends a mail does not count as dead, and the mail is sent once', async () => {
  const first = await worker();
  mails.hold();
  const email = await forgetful();
  await until('a mail under way', async () => mails.waiting > 0);
  first.signal('SIGTERM');
  await worker();
  const before = await lastBeat();
  await until('two more beats', async () => (await lastBeat()) > before + 4_000);
  mails.release();
  await allSent();
  expect(await first.ended()).toEqual({ code: 0, signal: null });
  expect(mails.received).toMatchObject([{ to: [email] }]);
}, 300_000);
