import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';
import { until } from '../../../tests/kit/until.ts';
import { WebhookReceiver } from '../../../tests/kit/webhook-receiver.ts';
import { createPool } from '../../platform/database/pool.ts';
import { newId } from '../../platform/ids.ts';
import { createLogger } from '../../platform/logger.ts';
import { DeliveryWorker } from './delivery-worker.ts';
import { queueEvent } from './events.ts';
import { endPending, insertWebhook } from './queries.ts';
import { newSigningSecret, sealSecret } from './secret.ts';
import { Sender } from './sender.ts';

const FAST = 10;
/** More than enough to hold every shared lease of their tenant. */
const HANGING = 40;
const EVENTS = 6;
const SHARED = 28;
/** Longer than the test: no attempt of a receiver that hangs ends before its end. */
const NEVER_MS = 3_600_000;

let server: TestServer;
let fast: WebhookReceiver;
let hanging: WebhookReceiver;
let pool: ReturnType<typeof createPool>;

beforeAll(async () => {
  server = await startTestServer();
  fast = await WebhookReceiver.start();
  hanging = await WebhookReceiver.start();
  hanging.reaction = () => undefined;
  pool = createPool({
    ...{ url: server.database.workerUrl, name: 'test worker', maxConnections: 2 },
    ...{ statementTimeoutMs: 60_000, onError: () => undefined },
  });
});

afterAll(async () => {
  await pool.end();
  await Promise.all([fast.close(), hanging.close()]);
  await server.close();
});

/** @returns the id of the webhook */
async function subscribe(tenantId: string, url: string): Promise<string> {
  const { tenants, webhooks, clock } = server.services;
  const id = newId();
  const secret = sealSecret(webhooks.keys, id, newSigningSecret());
  const content = { url, events: ['source.failed'], description: '', format: 'standard' };
  await tenants.write(tenantId, (db) =>
    insertWebhook(db, { id, ...content, enabled: true, secret, createdAt: clock.now() }),
  );
  return id;
}

// The leases of a stopped worker end with it, so the next worker would attempt what an earlier test left.
beforeEach(async () => {
  await server.database.owner.query('DELETE FROM jobs.webhook_dues');
});

/** A worker whose attempts have no deadline. */
function newWorker(pollEveryMs?: number): DeliveryWorker {
  const { tenants, mail, clock, webhooks } = server.services;
  const sender = new Sender({ ...webhooks, deadlineMs: NEVER_MS });
  return new DeliveryWorker({
    ...{ pool, tenants, mail, clock, sender, log: createLogger('silent') },
    // However busy the machine is.
    quickWithinMs: NEVER_MS,
    ...{ keys: webhooks.keys, ...(pollEveryMs === undefined ? {} : { pollEveryMs }) },
  });
}

async function queue(tenantId: string): Promise<void> {
  const { tenants, clock } = server.services;
  const event = { project: 'p', pullId: newId(), problem: 'p' };
  await tenants.write(tenantId, (db) => queueEvent(db, 'source.failed', clock.now(), event));
}

it('receivers that hang delay neither other webhooks of their tenant nor other tenants', async () => {
  const [one, other] = [await server.people.tenant(), await server.people.tenant()];
  for (let n = 0; n < FAST; n += 1) await subscribe(one.id, `${fast.url}/${n}`);
  for (let n = 0; n < HANGING; n += 1) await subscribe(one.id, `${hanging.url}/${n}`);
  await subscribe(other.id, `${fast.url}/other`);
  const worker = newWorker();
  worker.start();
  try {
    await queue(one.id);
    await until('a lease for each', async () => hanging.received.length === HANGING);
    for (let n = 1; n < EVENTS; n += 1) {
      await queue(one.id);
      await queue(other.id);
    }
    await queue(other.id);
    const expected = (FAST + 1) * EVENTS;
    await until('all events of fast receivers', async () => fast.received.length >= expected);
    expect(fast.received).toHaveLength(expected);
    const signed = fast.received.map(({ path, headers }) => `${path} ${headers['webhook-id']}`);
    expect(new Set(signed).size).toBe(expected);
    // Each receiver that hangs has the lease of its own, and they share no more than those of the tenant.
    expect(hanging.received.length).toBeLessThanOrEqual(HANGING + SHARED);
  } finally {
    await worker.stop();
  }
});

it('an event is sent when it is committed, without waiting for the next poll', async () => {
  const { id } = await server.people.tenant();
  await subscribe(id, `${fast.url}/notified`);
  const { owner } = server.database;
  const worker = newWorker(NEVER_MS);
  const arrived = () => fast.received.filter(({ path }) => path === '/hook/notified').length;
  worker.start();
  try {
    for (let n = 1; n <= 5; n += 1) {
      await queue(id);
      await until('the event', async () => arrived() === n);
      // Recording an outcome also makes the worker look; the next event comes after that.
      await until('its outcome', async () => {
        const { rows } = await owner.query('SELECT 1 FROM jobs.webhook_dues WHERE tenant_id = $1', [
          id,
        ]);
        return rows.length === 0;
      });
    }
  } finally {
    await worker.stop();
  }
});

it('a tenant that ends the deliveries of a webhook delays no delivery of other tenants', async () => {
  const [ending, other] = [await server.people.tenant(), await server.people.tenant()];
  const webhookId = await subscribe(ending.id, fast.url);
  await subscribe(other.id, fast.url);
  await queue(ending.id);
  await queue(other.id);
  await server.services.tenants.write(ending.id, async (db) => {
    await endPending(db, webhookId);
    // The other transaction waits for no lock that this one holds.
    const { rows } = await pool.query(
      "SELECT tenant_id FROM jobs.lease_deliveries($1, 10, 45, '{}', 1)",
      [server.clock.now()],
    );
    expect(rows).toEqual([{ tenant_id: other.id }]);
  });
});

it('a worker gives leases back without waiting for a tenant that ends its deliveries', async () => {
  const { id } = await server.people.tenant();
  const webhookIds = [await subscribe(id, fast.url), await subscribe(id, fast.url)];
  await queue(id);
  const { rows: leases } = await pool.query(
    "SELECT webhook_id, delivery_id FROM jobs.lease_deliveries($1, 10, 45, '{}', NULL)",
    [server.clock.now()],
  );
  expect(leases).toHaveLength(2);
  await server.services.tenants.write(id, async (db) => {
    await endPending(db, webhookIds[0] ?? '');
    await pool.query('SELECT jobs.release_deliveries(NULL, $1, $2, $3)', [
      leases.map(() => id),
      leases.map((lease) => lease.webhook_id),
      leases.map((lease) => lease.delivery_id),
    ]);
  });
  const { rows } = await server.database.owner.query(
    'SELECT webhook_id, held_until FROM jobs.webhook_dues WHERE tenant_id = $1',
    [id],
  );
  expect(rows).toEqual([{ webhook_id: webhookIds[1], held_until: null }]);
});

it('a webhook whose receiver is quick gets 16 attempts at a time, although other webhooks of its tenant hang', async () => {
  const { id } = await server.people.tenant();
  const { owner } = server.database;
  const quick = await WebhookReceiver.start();
  const before = hanging.received.length;
  for (let n = 0; n < HANGING; n += 1) await subscribe(id, `${hanging.url}/beside/${n}`);
  await subscribe(id, quick.url);
  const worker = newWorker();
  worker.start();
  try {
    await queue(id);
    await until('the first event', async () => quick.received.length === 1);
    await until(
      'a lease for each that hangs',
      async () => hanging.received.length === before + HANGING,
    );
    await until('its outcome', async () => {
      const { rows } = await owner.query('SELECT 1 FROM jobs.webhook_dues WHERE tenant_id = $1', [
        id,
      ]);
      return rows.length === HANGING;
    });
    const held: ServerResponse[] = [];
    quick.reaction = (response) => held.push(response);
    for (let n = 1; n <= 20; n += 1) await queue(id);
    await until('16 attempts', async () => held.length === 16);
    const { rows } = await owner.query(
      `SELECT count(*)::int AS leases FROM jobs.webhook_dues
       WHERE tenant_id = $1 AND held_until > $2 GROUP BY webhook_id ORDER BY 1 DESC`,
      [id, server.clock.now()],
    );
    // Further leases of a quick webhook wait in the process, with no attempt.
    expect(rows[0].leases).toBeGreaterThanOrEqual(16);
    expect(held).toHaveLength(16);
    expect(rows.slice(1).every(({ leases }) => leases <= 4)).toBe(true);
    quick.reaction = 204;
    for (const response of held.splice(0)) response.writeHead(204).end();
    await until('all events', async () => quick.received.length === 21);
  } finally {
    await worker.stop();
    await quick.close();
  }
});

it('a worker that was asked to stop while it loaded events leaves them to another worker', async () => {
  const { id } = await server.people.tenant();
  const { tenants } = server.services;
  await subscribe(id, `${fast.url}/loaded`);
  await queue(id);
  const arrived = () => fast.received.filter(({ path }) => path === '/hook/loaded').length;
  // A database that answers after the worker was asked to stop.
  let answer: () => void = () => undefined;
  const answered = new Promise<void>((done) => {
    answer = done;
  });
  const read = tenants.read.bind(tenants);
  const slow = vi.spyOn(tenants, 'read').mockImplementationOnce(async (...args) => {
    await answered;
    return read(...args);
  });
  const worker = newWorker();
  worker.start();
  await until('the load', async () => slow.mock.calls.length === 1);
  const stopped = worker.stop();
  answer();
  await stopped;
  slow.mockRestore();
  expect(arrived()).toBe(0);
  const other = newWorker();
  other.start();
  try {
    await until('the event', async () => arrived() === 1);
  } finally {
    await other.stop();
  }
});
