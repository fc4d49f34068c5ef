import { WEBHOOKS_MAX } from '@cspm/contract';
import { Webhook as Verifier } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Analyst } from '../../../tests/kit/analyst.ts';
import { rowsOf } from '../../../tests/kit/owner-queries.ts';
import type { TestTenant } from '../../../tests/kit/people.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';
import { newId } from '../../platform/ids.ts';
import { queueFor } from './events.ts';
import { insertWebhook } from './queries.ts';

let server: TestServer;
let tenant: TestTenant;
let admin: Analyst;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

beforeEach(async () => {
  tenant = await server.people.tenant();
  admin = await Analyst.at(server, { tenant });
});

const content = (changes: object = {}) => ({
  url: 'https://hooks.example.com/cspm',
  events: ['scan.completed', 'findings.opened'],
  description: 'Tickets',
  format: 'standard',
  enabled: true,
  ...changes,
});

const create = (changes: object = {}, status = 201, by = admin) =>
  by.ask(status, '/webhooks', { method: 'POST', body: content(changes) });

const change = (id: string, changes: object, status = 200) =>
  admin.ask(status, `/webhooks/${id}`, { method: 'PUT', body: content(changes) });

const auditOf = async (subject: string) => {
  const { items } = await admin.ask(200, '/audit-events?limit=100');
  return items.filter((event: { subject: string }) => event.subject === subject).toReversed();
};

describe('webhooks', () => {
  it('webhooks are created, listed, read, changed and deleted', async () => {
    const { secret, ...webhook } = await create({
      events: ['scan.completed', 'findings.opened', 'scan.completed'],
    });
    expect(webhook).toMatchObject({
      ...content(),
      ...{ failingSince: null, disabledReason: null, previousSecretUntil: null },
    });
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(await admin.ask(200, `/webhooks/${webhook.id}`)).toEqual(webhook);
    expect((await admin.ask(200, '/webhooks')).items).toEqual([webhook]);
    const changed = await change(webhook.id, {
      url: 'https://other.example.com/x',
      enabled: false,
    });
    expect(changed).toMatchObject({ url: 'https://other.example.com/x', enabled: false });
    await admin.ask(204, `/webhooks/${webhook.id}`, { method: 'DELETE' });
    await admin.ask(404, `/webhooks/${webhook.id}`);
    const events = await auditOf(webhook.id);
    expect(events.map(({ action }: { action: string }) => action)).toEqual([
      'webhook.created',
      'webhook.updated',
      'webhook.deleted',
    ]);
    expect(JSON.stringify(events)).not.toMatch(/whsec_|\/cspm|\/x"/);
    expect(events[0].detail).toMatchObject({ host: 'hooks.example.com' });
  });

  it('a changed webhook keeps its format when the request has none', async () => {
    const { id } = await create({ format: 'slack' });
    const changed = await change(id, { description: 'Changed', format: undefined });
    expect(changed).toMatchObject({ description: 'Changed', format: 'slack' });
  });

  it('webhooks have defaults for everything but url and events', async () => {
    const body = { url: 'https://hooks.example.com/', events: ['scan.failed'] };
    const webhook = await admin.ask(201, '/webhooks', { method: 'POST', body });
    expect(webhook).toMatchObject({ description: '', format: 'standard', enabled: true });
  });

  it('webhooks show the secret once and store it encrypted', async () => {
    const { id, secret } = await create();
    const shown = [await admin.ask(200, `/webhooks/${id}`), await admin.ask(200, '/webhooks')];
    expect(JSON.stringify(shown)).not.toContain('whsec_');
    const { owner } = server.database;
    await owner.query("SELECT set_config('app.tenant_id', $1, false)", [tenant.id]);
    const { rows } = await owner.query('SELECT secret FROM webhooks WHERE id = $1', [id]);
    expect(rows[0].secret.toString('latin1')).not.toContain(secret.slice(6));
    expect(rows[0].secret.length).toBeGreaterThan(40);
  });

  it('webhooks are invisible to other tenants and to members without admin.settings', async () => {
    const { id } = await create();
    const stranger = await Analyst.at(server);
    await stranger.ask(404, `/webhooks/${id}`);
    await stranger.ask(404, `/webhooks/${id}/test`, { method: 'POST' });
    await stranger.ask(404, `/webhooks/${id}/deliveries`);
    await stranger.ask(404, `/webhooks/${id}/rotate-secret`, { method: 'POST' });
    expect((await stranger.ask(200, '/webhooks')).items).toEqual([]);
    const analyst = await Analyst.at(server, { tenant, role: 'analyst' });
    await analyst.ask(403, '/webhooks');
    await create({}, 403, analyst);
  });

  it.each([
    ['http://hooks.example.com/', 'https'],
    ['https://user:secret@hooks.example.com/', 'credentials'],
    ['https://hooks.example.com:25/', 'port'],
    ['https://10.0.0.1/', 'public host'],
    ['https://[::ffff:169.254.169.254]/', 'public host'],
    ['https://metadata.google.internal/', 'public host'],
  ])('webhooks are refused with the URL %s', async (url, reason) => {
    const problem = await create({ url }, 400);
    expect(problem.errors[0].path).toBe('body.url');
    expect(problem.errors[0].message).toContain(reason);
  });

  it('a URL that no webhook can have is refused before an unknown webhook', async () => {
    await change(newId(), { url: 'https://10.0.0.1/' }, 400);
    await change(newId(), {}, 404);
  });

  it('webhooks with unknown events, no events or unknown members are refused', async () => {
    await create({ events: ['webhook.test'] }, 400);
    await create({ events: [] }, 400);
    await create({ secret: 'whsec_mine' }, 400);
  });

  it('webhooks are limited in number for each tenant', async () => {
    const createdAt = server.clock.now();
    await server.services.tenants.write(tenant.id, async (db) => {
      for (let n = 0; n < WEBHOOKS_MAX; n += 1) {
        const secret = Buffer.from('sealed');
        await insertWebhook(db, { id: newId(), ...content(), secret, createdAt } as never);
      }
    });
    expect((await create({}, 409)).detail).toContain(`${WEBHOOKS_MAX}`);
  });
});

describe('a rotated secret', () => {
  it('a rotated webhook secret is new, and the response says that the previous one signs for 24 hours', async () => {
    const { id, secret } = await create();
    const rotated = await admin.ask(201, `/webhooks/${id}/rotate-secret`, { method: 'POST' });
    expect(rotated.secret).not.toBe(secret);
    expect(() => new Verifier(rotated.secret)).not.toThrow();
    const until = new Date(rotated.previousSecretUntil).getTime() - server.clock.now().getTime();
    expect(until).toBeGreaterThan(23.9 * 3_600_000);
    const shown = await admin.ask(200, `/webhooks/${id}`);
    expect(shown.previousSecretUntil).toBe(rotated.previousSecretUntil);
    server.clock.advance({ hours: 25 });
    expect((await admin.ask(200, `/webhooks/${id}`)).previousSecretUntil).toBeNull();
  });
});

describe('deliveries', () => {
  const test = (id: string, status = 202) =>
    admin.ask(status, `/webhooks/${id}/test`, { method: 'POST' });

  it('a test event is queued regardless of the events that the webhook subscribes to', async () => {
    const { id } = await create({ events: ['scan.failed'] });
    const delivery = await test(id);
    expect(delivery).toMatchObject({
      ...{ type: 'webhook.test', status: 'pending', attempts: [] },
      payload: { type: 'webhook.test', data: { webhookId: id } },
    });
    expect(delivery.messageId).toMatch(/^msg_[0-9a-f]{32}$/);
    const { items } = await admin.ask(200, `/webhooks/${id}/deliveries`);
    expect(items).toEqual([delivery]);
  });

  it('deliveries end when their webhook is disabled, and none is queued while it is', async () => {
    const { id } = await create();
    const delivery = await test(id);
    await change(id, { enabled: false });
    const { items } = await admin.ask(200, `/webhooks/${id}/deliveries`);
    expect(items).toEqual([{ ...delivery, status: 'failed', nextAttemptAt: null }]);
    await test(id, 409);
    const again = `/webhooks/${id}/deliveries/${delivery.id}/redeliver`;
    await admin.ask(409, again, { method: 'POST' });
    await change(id, { enabled: true });
    const redelivered = await admin.ask(202, again, { method: 'POST' });
    expect(redelivered).toMatchObject({ messageId: delivery.messageId, status: 'pending' });
  });

  it('a delivery that a server with a clock ahead queues again is due at once', async () => {
    const { id } = await create();
    const delivery = await test(id);
    server.clock.advance({ hours: 2 });
    const path = `/webhooks/${id}/deliveries/${delivery.id}/redeliver`;
    const { nextAttemptAt } = await admin.ask(202, path, { method: 'POST' });
    const due = 'SELECT id FROM webhook_deliveries WHERE id = $1 AND next_attempt_at <= now()';
    expect(await rowsOf(server.database, tenant.id, due, [delivery.id])).toHaveLength(1);
    expect(Date.parse(nextAttemptAt)).toBeLessThan(server.clock.now().getTime());
  });

  it('all deliveries of a webhook end or are deleted with it, also if one statement does not change them all', async () => {
    const [one, other] = [await create(), await create()];
    const count = 25_001;
    await server.services.tenants.write(tenant.id, (db) => {
      const webhookIds = Array.from({ length: count }, () => one.id);
      const event = { type: 'webhook.test', at: server.clock.now(), data: {} };
      return queueFor(db, [...webhookIds, other.id], event);
    });
    const counts = () =>
      rowsOf(
        server.database,
        tenant.id,
        `SELECT webhook_id, status, count(*)::int FROM webhook_deliveries GROUP BY 1, 2
         ORDER BY webhook_id = $1`,
        [other.id],
      );
    const unchanged = { webhook_id: other.id, status: 'pending', count: 1 };
    await change(one.id, { enabled: false });
    expect(await counts()).toEqual([{ webhook_id: one.id, status: 'failed', count }, unchanged]);
    await admin.ask(204, `/webhooks/${one.id}`, { method: 'DELETE' });
    expect(await counts()).toEqual([unchanged]);
  });

  it('deliveries of another webhook are not found', async () => {
    const [one, other] = [await create(), await create()];
    const delivery = await test(one.id);
    const path = `/webhooks/${other.id}/deliveries/${delivery.id}/redeliver`;
    await admin.ask(404, path, { method: 'POST' });
  });

  it('deliveries are listed in pages, newest first', async () => {
    const { id } = await create();
    const ids: string[] = [];
    for (let n = 0; n < 3; n += 1) ids.unshift((await test(id)).id);
    const first = await admin.ask(200, `/webhooks/${id}/deliveries?limit=2`);
    const path = `/webhooks/${id}/deliveries?limit=2&cursor=${first.nextCursor}`;
    const second = await admin.ask(200, path);
    const found = [...first.items, ...second.items];
    expect(found.map((delivery: { id: string }) => delivery.id)).toEqual(ids);
    expect(second.nextCursor).toBeNull();
  });

  it('deliveries of large events are listed in pages of bounded size, each of them once', async () => {
    const { id } = await create();
    const lengths = [...Array(40).fill(30_000), ...Array(5).fill(250_000), 1];
    await server.services.tenants.write(tenant.id, async (db) => {
      for (const length of lengths) {
        const data = { text: 'x'.repeat(length) };
        await queueFor(db, [id], { type: 'webhook.test', at: server.clock.now(), data });
      }
    });
    const sizes: number[] = [];
    const found = new Set<string>();
    for (let cursor: string | null = ''; cursor !== null; ) {
      const after: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const page = await admin.ask(200, `/webhooks/${id}/deliveries?limit=100${after}`);
      for (const delivery of page.items) found.add(delivery.id);
      sizes.push(page.items.length);
      cursor = page.nextCursor;
    }
    expect(sizes).toEqual([5, 27, 14]);
    expect(found.size).toBe(lengths.length);
  });
});
