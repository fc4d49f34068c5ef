import { WEBHOOK_EVENT_TYPES, WEBHOOK_PAYLOADS } from '@cspm/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Analyst } from '../../../tests/kit/analyst.ts';
import { bucket } from '../../../tests/kit/export-records.ts';
import type { TestUser } from '../../../tests/kit/people.ts';
import { masterKeyHeaders, SHARED_CREDENTIALS } from '../../../tests/kit/shared-credentials.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';
import { until } from '../../../tests/kit/until.ts';
import { WebhookReceiver } from '../../../tests/kit/webhook-receiver.ts';
import { newId } from '../../platform/ids.ts';
import { insertSchedule } from '../schedules/queries.ts';
import { fitting, MAX_BODY_BYTES, queueEvent, queueSourceFailed } from './events.ts';
import { slackMessage } from './slack-message.ts';

let server: TestServer;
let receiver: WebhookReceiver;
let user: TestUser;
let admin: Analyst;
let webhookId: string;

beforeAll(async () => {
  server = await startTestServer({ worker: true, config: SHARED_CREDENTIALS });
  receiver = await WebhookReceiver.start();
});

afterAll(async () => {
  await server.close();
  await receiver.close();
});

beforeEach(async () => {
  user = await server.people.user();
  admin = new Analyst(server, user.key, user.tenant.id);
  receiver.received.length = 0;
  const body = { url: receiver.url, events: WEBHOOK_EVENT_TYPES };
  webhookId = (await admin.ask(201, '/webhooks', { method: 'POST', body })).id;
});

interface Event {
  readonly type: keyof typeof WEBHOOK_PAYLOADS;
  // biome-ignore lint/suspicious/noExplicitAny: tests read events member by member
  readonly data: any;
}

const eventsOf = (type: string): Event[] =>
  receiver.received.map(({ body }) => JSON.parse(body)).filter((event) => event.type === type);

/** The only event of a type that arrives, valid for the contract. */
async function arrives(type: keyof typeof WEBHOOK_PAYLOADS): Promise<Event['data']> {
  const [event] = await until(`event ${type}`, async () => {
    const found = eventsOf(type);
    return found.length > 0 && found;
  });
  expect(WEBHOOK_PAYLOADS[type].strict().safeParse(event).error).toBeUndefined();
  expect(eventsOf(type)).toHaveLength(1);
  return event?.data;
}

describe('a scan', () => {
  it('a completed scan sends one event for its end, one for all findings it opened and one for all it resolved', async () => {
    const exposed = ['a', 'b', 'c'].map((name) => bucket(name, { uniform: false }));
    const project = await admin.project(exposed);
    const first = await admin.scan(project);
    const opened = await arrives('findings.opened');
    const findings = await admin.findings(`scan=${first.id}`);
    expect(opened).toMatchObject({ scanId: first.id, project, total: findings.length });
    expect(opened.bySeverity).toEqual(first.totals.bySeverity);
    expect(opened.findings).toHaveLength(Math.min(100, findings.length));
    expect(opened.truncated).toBe(findings.length > 100);
    expect(await arrives('scan.completed')).toMatchObject({
      ...{ scanId: first.id, status: 'completed', profile: 'full', scheduleId: null },
      projects: [{ name: project, status: 'completed', error: null }],
      findings: first.delta,
    });
    receiver.received.length = 0;
    await admin.upload(project, [bucket('a', { uniform: false })]);
    const second = await admin.scan(project);
    const resolved = await arrives('findings.resolved');
    expect(resolved).toMatchObject({ scanId: second.id, project, total: second.delta.resolved });
    expect(resolved.findings[0].reason).toBe('asset_gone');
    await arrives('scan.completed');
    expect(eventsOf('findings.opened')).toEqual([]);
  });
});

describe('an event', () => {
  it('an event is sent for a new API key', async () => {
    const body = { name: 'nightly' };
    const headers = user.session;
    const { json } = await server.call('/api-keys', { method: 'POST', body, headers });
    const data = await arrives('api_key.created');
    expect(data).toEqual({
      ...{ apiKeyId: json.id, name: 'nightly', prefix: json.prefix, expiresAt: null },
      user: { id: user.id, email: user.email },
    });
    expect(JSON.stringify(receiver.received)).not.toContain(json.key);
  });

  it('an event is sent for a use of the master key', async () => {
    const headers = masterKeyHeaders(user.tenant);
    expect((await server.call('/tenant', { headers })).status).toBe(200);
    expect(await arrives('break_glass.used')).toMatchObject({ operation: 'tenant.get' });
  });

  it('an event is sent once when a member has too many failed sign-ins', async () => {
    const ip = '203.0.113.77';
    const wrong = { email: user.email, password: 'wrong password' };
    const { signIn, clock } = server.services;
    // Past the limit on requests of an address, which would refuse them first.
    for (let n = 0; n < 12; n += 1) {
      const origin = { ip, correlationId: newId(), at: clock.now() };
      await expect(signIn.withPassword(wrong, origin)).rejects.toThrow('Invalid credentials');
    }
    expect(await arrives('sign_in.locked')).toEqual({
      ...{ user: { id: user.id, email: user.email }, ip },
    });
  });

  it('an event is sent for a schedule that the service disables', async () => {
    const person = await server.people.user({ tenant: user.tenant, role: 'viewer' });
    const [id, createdAt] = [newId(), server.clock.now()];
    const content = { name: 'Nightly', projects: ['p'], profile: 'full', cron: '0 3 * * *' };
    await server.services.tenants.write(user.tenant.id, (db) =>
      insertSchedule(db, {
        ...{ id, ...content, timezone: 'UTC', pullFirst: false, enabled: true },
        ...{ createdById: person.id, createdAt, nextRunAt: createdAt },
      }),
    );
    const reason = 'CREATOR_NOT_PERMITTED';
    expect(await arrives('schedule.disabled')).toEqual({ scheduleId: id, name: 'Nightly', reason });
  });

  it('an event is sent for a failed pull', async () => {
    const pullId = newId();
    const failed = { project: 'shop', pullId, problem: 'p'.repeat(600) };
    await server.services.tenants.write(user.tenant.id, (db) =>
      queueSourceFailed(db, server.clock.now(), failed),
    );
    const data = await arrives('source.failed');
    expect(data.problem).toHaveLength(500);
  });

  it('an event is not sent when its cause is rolled back, to other tenants, or to webhooks that do not subscribe to it', async () => {
    const other = await Analyst.at(server);
    const { tenants, clock } = server.services;
    const body = { url: receiver.url, events: ['scan.failed'] };
    const { id } = await admin.ask(201, '/webhooks', { method: 'POST', body });
    const data = { scheduleId: newId(), name: 'n', reason: 'CREATOR_REMOVED' as const };
    const rolledBack = tenants.write(user.tenant.id, async (db) => {
      await queueEvent(db, 'schedule.disabled', clock.now(), { ...data, name: 'rolled back' });
      throw new Error('rolled back');
    });
    await expect(rolledBack).rejects.toThrow('rolled back');
    await tenants.write(other.tenantId, (db) =>
      queueEvent(db, 'schedule.disabled', clock.now(), { ...data, name: 'other tenant' }),
    );
    await tenants.write(user.tenant.id, (db) =>
      queueEvent(db, 'schedule.disabled', clock.now(), data),
    );
    expect(await arrives('schedule.disabled')).toMatchObject({ name: 'n' });
    expect((await admin.ask(200, `/webhooks/${id}/deliveries`)).items).toEqual([]);
    expect((await admin.ask(200, `/webhooks/${webhookId}/deliveries`)).items).toHaveLength(1);
  });

  it('an event that was queued while the clock of a server was ahead is sent at once', async () => {
    const { tenants, clock } = server.services;
    const data = { scheduleId: newId(), name: 'ahead', reason: 'CREATOR_REMOVED' as const };
    const ahead = new Date(clock.now().getTime() + 3_600_000);
    await tenants.write(user.tenant.id, (db) => queueEvent(db, 'schedule.disabled', ahead, data));
    const [delivery] = (await admin.ask(200, `/webhooks/${webhookId}/deliveries`)).items;
    expect(new Date(delivery.nextAttemptAt ?? 0).getTime()).toBeLessThan(ahead.getTime());
    expect(await arrives('schedule.disabled')).toMatchObject({ name: 'ahead' });
  });
});

describe('findings in an event', () => {
  it('an event leaves out findings once its body would be too large', () => {
    const small = Array.from({ length: 150 }, (_, n) => ({ n }));
    expect(fitting(small)).toEqual(small.slice(0, 100));
    const large = Array.from({ length: 100 }, () => ({ name: 'ä'.repeat(2_000) }));
    const fits = fitting(large);
    expect(fits.length).toBeGreaterThan(50);
    expect(Buffer.byteLength(JSON.stringify(fits))).toBeLessThan(MAX_BODY_BYTES - 10_000);
  });
});

describe('the message for Slack', () => {
  it.each(Object.values(WEBHOOK_PAYLOADS))(
    'the Slack message has a title and one block: %#',
    (schema) => {
      const { example } = schema.meta() as { example: never };
      const { text, blocks } = slackMessage(example);
      expect(text.length).toBeGreaterThan(3);
      expect(blocks).toHaveLength(1);
    },
  );

  it('the Slack message escapes links and mentions, and is short', () => {
    const { example } = WEBHOOK_PAYLOADS['findings.opened'].meta() as { example: never };
    const event = structuredClone(example) as { data: { findings: { title: string }[] } };
    const [finding] = event.data.findings;
    if (finding !== undefined) finding.title = '<!channel> <https://evil.example|click> &';
    const found = JSON.stringify(slackMessage(event as never));
    expect(found).not.toMatch(/<!|<http/);
    const many = {
      ...event.data,
      findings: Array.from({ length: 100 }, () => finding),
      total: 100,
    };
    const message = slackMessage({ ...(event as object), data: many } as never);
    expect(JSON.stringify(message).length).toBeLessThan(4_000);
  });
});
