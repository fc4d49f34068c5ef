import { Webhook as Verifier } from 'standardwebhooks';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  onTestFinished,
} from 'vitest';
import { Analyst } from '../../../tests/kit/analyst.ts';
import { mailsTo } from '../../../tests/kit/mailbox.ts';
import { rowsOf } from '../../../tests/kit/owner-queries.ts';
import type { TestUser } from '../../../tests/kit/people.ts';
import { testPool } from '../../../tests/kit/test-pool.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';
import { until } from '../../../tests/kit/until.ts';
import { WebhookReceiver } from '../../../tests/kit/webhook-receiver.ts';
import { createPool } from '../../platform/database/pool.ts';
import { TenantDatabase } from '../../platform/database/tenant-database.ts';
import { newId } from '../../platform/ids.ts';
import { createLogger } from '../../platform/logger.ts';
import { DeliveryWorker } from './delivery-worker.ts';
import { queueEvent } from './events.ts';
import { Sender } from './sender.ts';

let server: TestServer;
let pool: ReturnType<typeof createPool>;
let user: TestUser;
let admin: Analyst;
let receiver: WebhookReceiver;

const log = createLogger('silent');

beforeAll(async () => {
  server = await startTestServer();
  pool = createPool({
    ...{ url: server.database.workerUrl, name: 'test worker', maxConnections: 2 },
    ...{ statementTimeoutMs: 60_000, onError: () => undefined },
  });
});

afterAll(async () => {
  await pool.end();
  await server.close();
});

beforeEach(async () => {
  // What earlier tests left to be retried is due after 5 s, in the middle of a later test on a slow machine.
  await server.database.owner.query('DELETE FROM jobs.webhook_dues');
  user = await server.people.user();
  admin = new Analyst(server, user.key, user.tenant.id);
  receiver = await WebhookReceiver.start();
});

afterEach(() => receiver.close());

function newWorker({
  deadlineMs = 15_000,
  tenants = server.services.tenants,
} = {}): DeliveryWorker {
  const { mail, clock, webhooks } = server.services;
  const sender = new Sender({ ...webhooks, deadlineMs });
  return new DeliveryWorker({ pool, tenants, mail, clock, log, keys: webhooks.keys, sender });
}

const create = (changes: object = {}) =>
  admin.ask(201, '/webhooks', {
    method: 'POST',
    body: { url: receiver.url, events: ['scan.completed'], ...changes },
  });
const test = (id: string) => admin.ask(202, `/webhooks/${id}/test`, { method: 'POST' });
const seen = (id: string) => admin.ask(200, `/webhooks/${id}`);
const newest = async (id: string) =>
  (await admin.ask(200, `/webhooks/${id}/deliveries?limit=1`)).items[0];

/** What the official library reads in a request; it throws for a wrong signature. */
function verified(secret: string, at = 0): unknown {
  const received = receiver.received[at];
  if (received === undefined) throw new Error('Nothing was received');
  const headers = received.headers as Record<string, string>;
  return new Verifier(secret).verify(received.body, headers);
}

/** The person whom each received event names. */
const usersReceived = () => receiver.received.map(({ body }) => JSON.parse(body).data.user);

/** What causes an event that names a person. */
const causes = {
  'api_key.created': async ({ session: headers }: TestUser) => {
    const { status } = await server.call('/api-keys', {
      ...{ method: 'POST', headers, body: { name: 'nightly' } },
    });
    expect(status).toBe(201);
  },
  'sign_in.locked': async ({ email }: TestUser) => {
    const { signIn, clock } = server.services;
    const wrong = { email, password: 'wrong password' };
    for (let attempt = 0; attempt < 12; attempt += 1) {
      const origin = { ip: '203.0.113.78', correlationId: newId(), at: clock.now() };
      await expect(signIn.withPassword(wrong, origin)).rejects.toThrow('Invalid credentials');
    }
  },
};

describe('an event', () => {
  it('an event is delivered once, with a signature that the official library accepts', async () => {
    const { id, secret } = await create();
    const { messageId } = await test(id);
    expect(await newWorker().deliverDue()).toBe(1);
    expect(verified(secret)).toMatchObject({ type: 'webhook.test', data: { webhookId: id } });
    expect(receiver.received[0]?.headers).toMatchObject({
      'webhook-id': messageId,
      'content-type': 'application/json',
    });
    expect(await newest(id)).toMatchObject({
      ...{ status: 'delivered', nextAttemptAt: null },
      attempts: [{ status: 204, problem: null }],
    });
    expect(await newWorker().deliverDue()).toBe(0);
    expect(receiver.received).toHaveLength(1);
  });

  it('an event is signed by two secrets for 24 hours after a rotation, then by one', async () => {
    const { id, secret: old } = await create();
    const path = `/webhooks/${id}/rotate-secret`;
    const { secret } = await admin.ask(201, path, { method: 'POST' });
    await test(id);
    await newWorker().deliverDue();
    expect(verified(old)).toEqual(verified(secret));
    const [first] = receiver.received;
    expect(String(first?.headers['webhook-signature']).split(' ')).toHaveLength(2);
    server.clock.advance({ hours: 25 });
    await test(id);
    await newWorker().deliverDue();
    const last = receiver.received.at(-1);
    expect(String(last?.headers['webhook-signature']).split(' ')).toHaveLength(1);
  });

  it('an event is retried ten times with growing pauses and the same webhook-id', async () => {
    const { id } = await create();
    receiver.reaction = 500;
    await test(id);
    const worker = newWorker();
    const pauses: number[] = [];
    for (let attempt = 1; attempt <= 10; attempt += 1) {
      expect(await worker.deliverDue()).toBe(1);
      expect(await worker.deliverDue()).toBe(0);
      const { nextAttemptAt, attempts } = await newest(id);
      if (nextAttemptAt === null) break;
      const last = attempts.at(-1);
      pauses.push((Date.parse(nextAttemptAt) - Date.parse(last.at)) / 1000);
      server.clock.advance({ seconds: Math.ceil(pauses.at(-1) ?? 0) + 1 });
    }
    const ladder = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400];
    expect(pauses).toHaveLength(ladder.length);
    for (const [n, least] of ladder.entries()) {
      expect(pauses[n]).toBeGreaterThanOrEqual(least);
      // The attempt itself takes time as well.
      expect(pauses[n]).toBeLessThanOrEqual(least * 1.2 + 10);
    }
    const delivery = await newest(id);
    expect(delivery).toMatchObject({ status: 'failed', nextAttemptAt: null });
    expect(delivery.attempts).toHaveLength(10);
    const ids = new Set(receiver.received.map(({ headers }) => headers['webhook-id']));
    expect([...ids]).toEqual([delivery.messageId]);
    await admin.ask(202, `/webhooks/${id}/deliveries/${delivery.id}/redeliver`, { method: 'POST' });
    receiver.reaction = 200;
    expect(await worker.deliverDue()).toBe(1);
    expect(await newest(id)).toMatchObject({ status: 'delivered', messageId: delivery.messageId });
    expect((await newest(id)).attempts).toHaveLength(11);
  });

  it.each([429, 503])(
    'an event is retried after the time in Retry-After of an answer with status %i',
    async (status) => {
      const { id } = await create();
      receiver.reaction = (response) => response.writeHead(status, { 'retry-after': '1800' }).end();
      await test(id);
      const worker = newWorker();
      expect(await worker.deliverDue()).toBe(1);
      server.clock.advance({ seconds: 1_799 });
      expect(await worker.deliverDue()).toBe(0);
      server.clock.advance({ seconds: 400 });
      receiver.reaction = 204;
      expect(await worker.deliverDue()).toBe(1);
      expect(await newest(id)).toMatchObject({ status: 'delivered' });
    },
  );

  it('an event for Slack is sent in the format of its incoming webhooks', async () => {
    const { id } = await create({ format: 'slack' });
    await test(id);
    await newWorker().deliverDue();
    const body = JSON.parse(receiver.received[0]?.body ?? '');
    expect(body).toEqual({
      text: 'Test',
      blocks: [
        {
          type: 'section',
          text: { type: 'mrkdwn', text: expect.stringContaining('*Test*'), verbatim: true },
        },
      ],
    });
  });

  it('an event is not sent to a webhook that was deleted meanwhile', async () => {
    const { id } = await create();
    await test(id);
    await admin.ask(204, `/webhooks/${id}`, { method: 'DELETE' });
    await newWorker().deliverDue();
    expect(receiver.received).toEqual([]);
  });

  it('an event that is queued while its webhook is deleted leaves no delivery', async () => {
    const { id } = await create({ events: ['source.failed'] });
    const { tenants, clock } = server.services;
    await tenants.write(user.tenant.id, async (db) => {
      const event = { project: 'p', pullId: newId(), problem: 'p' };
      await queueEvent(db, 'source.failed', clock.now(), event);
      await admin.ask(204, `/webhooks/${id}`, { method: 'DELETE' });
    });
    const deliveries = () =>
      rowsOf(server.database, user.tenant.id, 'SELECT status FROM webhook_deliveries');
    expect(await deliveries()).toEqual([{ status: 'pending' }]);
    await newWorker().deliverDue();
    expect(receiver.received).toEqual([]);
    expect(await deliveries()).toEqual([]);
  });

  it.each(['api_key.created', 'sign_in.locked'] as const)(
    'an event %s is retried and sent again without the address of a person who was removed',
    async (type) => {
      const amr = ['pwd', 'otp'];
      const { session } = await server.people.user({ tenant: user.tenant, amr });
      const person = await server.people.user({ tenant: user.tenant, role: 'analyst', amr });
      const { id } = await create({ events: [type] });
      const worker = newWorker();
      await causes[type](person);
      receiver.reaction = 500;
      expect(await worker.deliverDue()).toBe(1);
      const named = { id: person.id, email: person.email };
      expect(usersReceived()).toEqual([named]);
      const removal = { method: 'DELETE', headers: session };
      expect((await server.call(`/users/${person.id}`, removal)).status).toBe(204);
      server.clock.advance({ minutes: 1 });
      receiver.reaction = 204;
      expect(await worker.deliverDue()).toBe(1);
      const path = `/webhooks/${id}/deliveries/${(await newest(id)).id}/redeliver`;
      await admin.ask(202, path, { method: 'POST' });
      expect(await worker.deliverDue()).toBe(1);
      const erased = { id: person.id, email: 'removed user' };
      expect(usersReceived()).toEqual([named, erased, erased]);
    },
  );

  it('an event is leased to one worker at a time, and to another one when the first died', async () => {
    const { id } = await create();
    await test(id);
    const claim = async () =>
      (await pool.query('SELECT 1 FROM jobs.claim_webhooks($1, 10, 45)', [server.clock.now()]))
        .rows;
    expect(await claim()).toHaveLength(1);
    expect(await newWorker().deliverDue()).toBe(0);
    server.clock.advance({ seconds: 46 });
    expect(await newWorker().deliverDue()).toBe(1);
    expect(receiver.received).toHaveLength(1);
  });
});

describe('a lease', () => {
  const lease = async (worker: number | null) => {
    const text = "SELECT 1 FROM jobs.lease_deliveries($1, 10, 45, '{}', $2)";
    return (await pool.query(text, [server.clock.now(), worker])).rows;
  };

  it('the lease of an event is taken over at once when the database connection of its worker has ended', async () => {
    const { id } = await create();
    await test(id);
    const alive = await pool.connect();
    await alive.query('SELECT pg_advisory_lock(7303, 4711)');
    expect(await lease(4711)).toHaveLength(1);
    expect(await newWorker().deliverDue()).toBe(0);
    alive.release(true);
    await until('the end of its connection', async () => (await newWorker().deliverDue()) === 1);
    expect(receiver.received).toHaveLength(1);
  });

  it('the lease of an event is taken by the next worker when it is given back', async () => {
    const { id } = await create();
    const { id: delivery } = await test(id);
    expect(await lease(null)).toHaveLength(1);
    const release = (worker: number | null) =>
      pool.query('SELECT jobs.release_deliveries($1, $2, $3, $4)', [
        ...[worker, [user.tenant.id], [id], [delivery]],
      ]);
    await release(4712);
    expect(await newWorker().deliverDue()).toBe(0);
    await release(null);
    expect(await newWorker().deliverDue()).toBe(1);
  });
});

describe('a webhook', () => {
  it('a webhook is disabled by status 410, with an audit row and a mail', async () => {
    const { id } = await create();
    receiver.reaction = 410;
    await test(id);
    await test(id);
    await newWorker().deliverDue();
    expect(await seen(id)).toMatchObject({ enabled: false, disabledReason: { code: 'GONE' } });
    expect(await newest(id)).toMatchObject({ status: 'failed' });
    const { items } = await admin.ask(200, '/audit-events?action=webhook.disabled');
    expect(items).toEqual([
      expect.objectContaining({
        subject: id,
        detail: { reason: 'GONE', host: `127.0.0.1:${receiver.port}` },
      }),
    ]);
    const mails = await mailsTo(server, user.email);
    expect(mails.map(({ template }) => template)).toEqual(['webhook-disabled']);
    const { enabled, disabledReason } = await admin.ask(200, `/webhooks/${id}`, {
      method: 'PUT',
      body: { url: receiver.url, events: ['scan.failed'], format: 'standard', enabled: true },
    });
    expect({ enabled, disabledReason }).toEqual({ enabled: true, disabledReason: null });
  });

  it('a webhook is disabled by status 410 on the connection on which events of a disabled webhook were ended', async () => {
    const single = testPool(server.database.appUrl);
    onTestFinished(() => single.end());
    const worker = newWorker({ tenants: new TenantDatabase(single) });
    const other = await create();
    await test(other.id);
    await server.services.tenants.write(user.tenant.id, (db) =>
      db.prisma.webhook.updateMany({ where: { id: other.id }, data: { enabled: false } }),
    );
    expect(await worker.deliverDue()).toBe(1);
    expect(await newest(other.id)).toMatchObject({ status: 'failed', attempts: [] });
    const { id } = await create();
    receiver.reaction = 410;
    await test(id);
    await worker.deliverDue();
    expect(await seen(id)).toMatchObject({ enabled: false, disabledReason: { code: 'GONE' } });
  });

  it('a webhook is disabled when every attempt of five days has failed', async () => {
    const { id } = await create();
    const worker = newWorker();
    receiver.reaction = 503;
    await test(id);
    await worker.deliverDue();
    const { failingSince } = await seen(id);
    expect(failingSince).not.toBeNull();
    server.clock.advance({ days: 4, hours: 23 });
    await test(id);
    await worker.deliverDue();
    expect(await seen(id)).toMatchObject({ enabled: true, failingSince });
    server.clock.advance({ hours: 2 });
    await test(id);
    await worker.deliverDue();
    expect(await seen(id)).toMatchObject({ enabled: false, disabledReason: { code: 'FAILING' } });
    expect(await mailsTo(server, user.email)).toHaveLength(1);
  });

  it('a success restarts the five days after which a failing webhook is disabled', async () => {
    const { id } = await create();
    const worker = newWorker();
    receiver.reaction = 503;
    await test(id);
    await worker.deliverDue();
    server.clock.advance({ days: 4 });
    receiver.reaction = 200;
    await worker.deliverDue();
    expect((await seen(id)).failingSince).toBeNull();
    server.clock.advance({ days: 4 });
    receiver.reaction = 503;
    await test(id);
    await worker.deliverDue();
    expect(await seen(id)).toMatchObject({ enabled: true, disabledReason: null });
  });

  it('a webhook whose receiver does not answer gets one event at a time, and others of the tenant get four', async () => {
    const slow = await create();
    receiver.reaction = () => undefined;
    for (let n = 0; n < 6; n += 1) await test(slow.id);
    const worker = newWorker({ deadlineMs: 100 });
    expect(await worker.deliverDue()).toBe(4);
    expect(await worker.deliverDue()).toBe(1);
    receiver.reaction = 200;
    expect(await worker.deliverDue()).toBe(1);
  });
});
