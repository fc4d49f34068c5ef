import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { inOwnTime } from '../../../tests/kit/cpu-time.ts';
import { TestMailServer } from '../../../tests/kit/mail-server.ts';
import { linkIn, mailJobsOf } from '../../../tests/kit/mailbox.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';
import { until } from '../../../tests/kit/until.ts';
import { googleLinked } from '../../modules/auth/google/mails.ts';

/** The latest response time of a request that sends a mail, regardless of the mail server. */
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
  await server.database.owner.query('DELETE FROM graphile_worker._private_jobs');
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

/** Someone requests a link and gets the usual response. */
async function forgetful(): Promise<string> {
  const { email } = await server.people.user();
  const asked = server.call('/auth/forgot-password', { method: 'POST', body: { email } });
  const { result: reply, tookMs } = await inOwnTime(asked);
  expect(reply.status).toBe(202);
  expect(tookMs).toBeLessThan(SOON_MS);
  return email;
}

/** Makes the queue retry now instead of later. */
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

/**
 * Waits until the queue is empty.
 * @returns the recipients of the mails
 */
async function allSent(): Promise<string[]> {
  await until('an empty queue', async () => {
    await hurry();
    return (await mailJobsOf(server)).length === 0;
  });
  return mails.received.flatMap(({ to }) => to).toSorted();
}

/** Queues mails to recipients that the mail server refuses temporarily, and waits for their first attempts. */
async function queueRefused(count: number): Promise<void> {
  const { tenant } = await server.people.user();
  const { tenants, mail, clock } = server.services;
  const notice = googleLinked({ at: clock.now(), ip: '' });
  await tenants.write(tenant.id, async (db) => {
    for (let n = 0; n < count; n += 1) {
      const to = `${randomUUID()}@example.com`;
      mails.refuses(to, 450);
      await mail.queue(db, { to, ...notice });
    }
  });
  await triedInVain(count);
}

/**
 * Makes the waiting mail older.
 * @returns the minutes until its next attempt, as determined after the queue gave it up.
 */
async function pauseAtAge(age: string): Promise<number> {
  const { owner } = server.database;
  await owner.query(
    `UPDATE graphile_worker._private_jobs
     SET attempts = max_attempts, run_at = now() + interval '6 hours', created_at = now() - $1::interval`,
    [age],
  );
  return until('the next attempt', async () => {
    const { rows } = await owner.query<{ minutes: number }>(
      `SELECT extract(epoch FROM run_at - now())::float8 / 60 AS minutes
       FROM graphile_worker._private_jobs WHERE attempts < max_attempts AND locked_at IS NULL`,
    );
    return rows[0]?.minutes;
  });
}

describe('a mail server', () => {
  it('while the mail server is unreachable, requests are answered normally, and each mail arrives once afterwards', async () => {
    await mailServerIsAway();
    const people = [await forgetful(), await forgetful()];
    await triedInVain(2);
    await mailServerIsBack();
    expect(await allSent()).toEqual(people.toSorted());
    const lines = log.join('');
    expect(lines).toContain('Failed to send a mail; the queue will retry');
    for (const email of people) expect(lines).not.toContain(email);
    for (const mail of mails.received) {
      expect(lines).not.toContain(linkIn(mail).searchParams.get('token'));
    }
  });

  it('while the mail server is slow, requests are answered normally, and each mail is sent once', async () => {
    mails.hold('recipient');
    const people = [await forgetful(), await forgetful()];
    await until('a mail under way', async () => mails.waiting > 0);
    mails.release();
    expect(await allSent()).toEqual(people.toSorted());
  });

  it('a mail whose transmission the mail server breaks off is sent once when the server is back', async () => {
    mails.hold('recipient');
    const email = await forgetful();
    await until('a mail under way', async () => mails.waiting > 0);
    await mailServerIsAway();
    await triedInVain(1);
    await mailServerIsBack();
    expect(await allSent()).toEqual([email]);
  });

  it('mails that the queue gave up during hours without a mail server are tried again within a minute of its return', async () => {
    const { owner } = server.database;
    await mailServerIsAway();
    const email = await forgetful();
    await triedInVain(1);
    // The state after its last attempt.
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

  it('mails older than five days are given up when a mail server returns after a week', async () => {
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
    const jobs = async () => {
      const { rows } = await owner.query(
        'SELECT attempts, max_attempts FROM graphile_worker._private_jobs',
      );
      return rows;
    };
    // A job is removed a moment after its mail has arrived.
    await until('the younger one', async () => {
      await hurry();
      return mails.received.length > 0 && (await jobs()).length === 1;
    });
    expect(mails.received).toMatchObject([{ to: [fresh] }]);
    expect(await jobs()).toEqual([{ attempts: 10, max_attempts: 10 }]);
    await owner.query('DELETE FROM graphile_worker._private_jobs');
  });

  it('a new mail is sent before the retries of mails whose recipients are refused temporarily', async () => {
    await queueRefused(10);
    await until('the priority of retries', async () => {
      const { rows } = await server.database.owner.query(
        'SELECT 1 FROM graphile_worker._private_jobs WHERE priority = 10 AND locked_at IS NULL',
      );
      return rows.length === 10;
    });
    mails.hold('recipient');
    await until('a retry under way', async () => {
      await hurry();
      return mails.waiting > 0;
    });
    const triedBefore = mails.attempts.length;
    await hurry();
    const email = await forgetful();
    mails.release();
    await until('the new mail', async () => mails.received.length > 0);
    expect(mails.attempts[triedBefore]).toBe(email);
  });

  it.each([
    ['20 minutes', 5],
    ['2 hours', 30],
    ['4 days', 60],
  ])(
    'a mail whose recipient is refused temporarily for %s is tried again after %i minutes',
    async (age, minutes) => {
      await queueRefused(1);
      const pause = await pauseAtAge(age);
      expect(pause).toBeGreaterThan(minutes - 1);
      expect(pause).toBeLessThan(minutes + 1);
    },
  );

  it('a mail that waits for the mail server for days is tried again after a minute', async () => {
    await mailServerIsAway();
    await forgetful();
    await triedInVain(1);
    expect(await pauseAtAge('4 days')).toBeLessThanOrEqual(1);
  });
});
