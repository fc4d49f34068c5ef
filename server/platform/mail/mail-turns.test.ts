import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type ReceivedMail, TestMailServer } from '../../../tests/kit/mail-server.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';
import { until } from '../../../tests/kit/until.ts';
import { webhookDisabled } from '../../modules/webhooks/mails.ts';

const MANY = 40;

let mails: TestMailServer;
let server: TestServer;

beforeAll(async () => {
  mails = await TestMailServer.start();
  const mail = { url: mails.url, from: 'posture@example.com' };
  server = await startTestServer({ worker: true, config: { mail } });
});

afterAll(async () => {
  await server.close();
  await mails.stop();
});

/** Makes the worker wait with the first of many mails of a tenant. */
beforeEach(async () => {
  mails.received.length = 0;
  mails.hold();
  const { id, to } = await tenantOf();
  await queue(id, to, MANY);
  await until('the first mail', async () => mails.waiting === 1);
});

async function tenantOf(): Promise<{ id: string; to: string }> {
  const { tenant, email } = await server.people.user();
  return { id: tenant.id, to: email };
}

const noticeOf = (host: string) =>
  webhookDisabled({ tenantName: 'T', host, reason: 'GONE', at: new Date() });

/** Mails to an administrator, in one transaction. */
async function queue(tenantId: string, to: string, count: number): Promise<void> {
  await server.services.tenants.write(tenantId, async (db) => {
    for (let n = 1; n <= count; n += 1) {
      await server.services.mail.queue(db, { ...noticeOf(`host-${n}.example.com`), to });
    }
  });
}

/** The mails after the first one, in the order in which they were sent. */
async function sent(): Promise<ReceivedMail[]> {
  mails.release();
  await until('all mails', async () => mails.received.length >= MANY);
  await until('an empty queue', async () => {
    const { rows } = await server.database.owner.query('SELECT FROM graphile_worker._private_jobs');
    return rows.length === 0;
  });
  return mails.received.slice(1);
}

it('a mail about an account is sent before those about tenants that were queued earlier', async () => {
  const { email } = await server.people.user();
  await server.call('/auth/forgot-password', { method: 'POST', body: { email } });
  expect((await sent())[0]?.to).toEqual([email]);
});

it('tenants take turns with their mails, however many one of them has queued before the others', async () => {
  const [few, one] = [await tenantOf(), await tenantOf()];
  await queue(few.id, few.to, 2);
  await queue(one.id, one.to, 1);
  const order = (await sent()).flatMap((mail) => mail.to);
  expect(order.slice(0, 5)).toEqual(expect.arrayContaining([few.to, few.to, one.to]));
});

it('mails of a tenant are sent in the order in which they were queued', async () => {
  const order = (await sent()).map(({ text }) => /host-\d+/.exec(text)?.[0]);
  expect(order).toEqual(Array.from({ length: MANY - 1 }, (_, n) => `host-${n + 2}`));
});

it('a transaction that queues a mail of a tenant does not wait for one that has queued the first', async () => {
  const { id, to } = await tenantOf();
  await server.services.tenants.write(id, async (db) => {
    await server.services.mail.queue(db, { ...noticeOf('host.example.com'), to });
    await queue(id, to, 1);
  });
  expect((await sent()).flatMap((mail) => mail.to).filter((each) => each === to)).toHaveLength(2);
});
