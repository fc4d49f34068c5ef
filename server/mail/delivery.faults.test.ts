import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { TestMailServer } from '../testing/mail-server.ts';
import { linkIn, mailJobsOf } from '../testing/mailbox.ts';
import { inOwnTime } from '../testing/own-time.ts';
import { startTestServer, type TestServer } from '../testing/test-server.ts';
import { until } from '../testing/until.ts';

/** In which a request that brings a mail about is answered, whatever the mail server does. */
const SOON_MS = 2_000;

let mails: TestMailServer;
let server: TestServer;
const log: string[] = [];

beforeAll(async () => {
  mails = await TestMailServer.start();
  server = await startTestServer({
    worker: true,
    config: { mail: { url: mails.url, from: 'a@example.com' } },
    log: { write: (line) => log.push(line) },
  });
});

afterAll(async () => {
  await server.close();
  await mails.stop();
});

beforeEach(() => {
  mails.received.length = 0;
  log.length = 0;
});

afterEach(async () => {
  mails.release();
  await mailServerIsBack();
});

let isAway = false;

async function mailServerIsAway(): Promise<void> {
  await mails.stop();
  isAway = true;
}

async function mailServerIsBack(): Promise<void> {
  if (isAway) await mails.start();
  isAway = false;
}

/** Somebody who asks for a link, and is answered as ever. */
async function forgetful(): Promise<string> {
  const { email } = await server.people.user();
  const asked = server.call('/auth/forgot-password', { method: 'POST', body: { email } });
  const { result: reply, tookMs } = await inOwnTime(asked);
  expect(reply.status).toBe(202);
  expect(tookMs).toBeLessThan(SOON_MS);
  return email;
}

/** Has what the queue would try again later tried again now. */
async function hurry(): Promise<void> {
  await server.database.owner.query(
    'UPDATE graphile_worker._private_jobs SET run_at = now() WHERE locked_at IS NULL',
  );
}

async function triedInVain(jobs: number): Promise<void> {
  await until('a failed attempt for each', async () => {
    const { rows } = await server.database.owner.query(
      'SELECT 1 FROM graphile_worker._private_jobs WHERE attempts > 0 AND locked_at IS NULL',
    );
    return rows.length === jobs;
  });
}

/** Once the queue is empty. @returns whom the mails came to. */
async function allSent(): Promise<string[]> {
  await until('an empty queue', async () => {
    await hurry();
    return (await mailJobsOf(server)).length === 0;
  });
  return mails.received.flatMap(({ to }) => to).toSorted();
}

describe('a mail server', () => {
  it('that is away: requests are answered as ever; mails wait, and arrive when it is back, each once', async () => {
    await mailServerIsAway();
    const people = [await forgetful(), await forgetful()];
    await triedInVain(2);
    await mailServerIsBack();
    expect(await allSent()).toEqual(people.toSorted());
    const lines = log.join('');
    expect(lines).toContain('A mail was not sent; the queue tries again');
    for (const email of people) expect(lines).not.toContain(email);
    for (const mail of mails.received) {
      expect(lines).not.toContain(linkIn(mail).searchParams.get('token'));
    }
  });

  it('that is slow to answer: requests are answered as ever, and each mail is sent once', async () => {
    mails.hold('recipient');
    const people = [await forgetful(), await forgetful()];
    await until('a mail under way', async () => mails.waiting > 0);
    mails.release();
    expect(await allSent()).toEqual(people.toSorted());
  });

  it('that breaks off in the middle of a mail: it is sent once when it is back', async () => {
    mails.hold('recipient');
    const email = await forgetful();
    await until('a mail under way', async () => mails.waiting > 0);
    await mailServerIsAway();
    await triedInVain(1);
    await mailServerIsBack();
    expect(await allSent()).toEqual([email]);
  });

  it('that was away for hours, after which the queue has given up: within a minute of its return they are tried again', async () => {
    const { owner } = server.database;
    await mailServerIsAway();
    const email = await forgetful();
    await triedInVain(1);
    // As the last of its attempts leaves it.
    await owner.query(
      "UPDATE graphile_worker._private_jobs SET attempts = max_attempts, run_at = now() + interval '6 hours'",
    );
    await until('another chance', async () => {
      const { rows } = await owner.query(
        `SELECT 1 FROM graphile_worker._private_jobs
         WHERE attempts < max_attempts AND run_at <= now() + interval '60 seconds'`,
      );
      return rows.length === 1;
    });
    await mailServerIsBack();
    expect(await allSent()).toEqual([email]);
  });

  it('that was away for a week: what is older than five days is given up', async () => {
    const { owner } = server.database;
    await mailServerIsAway();
    await forgetful();
    await triedInVain(1);
    await owner.query(
      `UPDATE graphile_worker._private_jobs
       SET attempts = max_attempts, created_at = now() - interval '6 days'`,
    );
    const fresh = await forgetful();
    await mailServerIsBack();
    await until('the younger one', async () => {
      await hurry();
      return mails.received.length === 1;
    });
    expect(mails.received).toMatchObject([{ to: [fresh] }]);
    const { rows } = await owner.query(
      'SELECT attempts, max_attempts FROM graphile_worker._private_jobs',
    );
    expect(rows).toEqual([{ attempts: 10, max_attempts: 10 }]);
    await owner.query('DELETE FROM graphile_worker._private_jobs');
  });
});
