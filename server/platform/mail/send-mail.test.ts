import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TestTenant, TestUser, UserOptions } from '../../../tests/kit/people.ts';
import {
  startTestServer,
  TEST_APP_SECRET,
  type TestServer,
} from '../../../tests/kit/test-server.ts';
import { breakGlassUsed } from '../../modules/auth/credentials/mails.ts';
import { passwordChanged } from '../../modules/auth/password/mails.ts';
import { confirmSignIn, singleSignOnChanged } from '../../modules/auth/saml/mails.ts';
import { invitation } from '../../modules/members/mails.ts';
import { mayGetDigest } from '../../modules/notifications/index.ts';
import { newFindings } from '../../modules/notifications/mails.ts';
import { schedulesDisabled } from '../../modules/schedules/mails.ts';
import { tellAdmins } from '../../modules/tenants/notify-admins.ts';
import { webhookDisabled } from '../../modules/webhooks/mails.ts';
import { keyRing } from '../crypto/app-secrets.ts';
import { seal } from '../crypto/seal.ts';
import { createLogger } from '../logger.ts';
import type { Mail, Message } from './mail.ts';
import { type MailJob, messageIn } from './mail-queue.ts';
import { sendMailTask } from './send-mail.ts';

const keys = keyRing([TEST_APP_SECRET], 'mail');
const amr = ['pwd', 'otp'];
let server: TestServer;
let tenant: TestTenant;
let admin: TestUser;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

beforeEach(async () => {
  tenant = await server.people.tenant();
  admin = await server.people.user({ tenant, amr });
  await server.database.owner.query('DELETE FROM graphile_worker._private_jobs');
});

const queue = (mail: Mail) =>
  server.services.tenants.write(tenant.id, (db) => server.services.mail.queue(db, mail));

/** The payloads of all mails that wait to be sent. */
async function payloads(): Promise<MailJob[]> {
  const { rows } = await server.database.owner.query<{ payload: MailJob }>(
    'SELECT payload FROM graphile_worker._private_jobs ORDER BY id',
  );
  return rows.map(({ payload }) => payload);
}

/** Sends what waits. Returns the mails that the mail server gets. */
async function send(jobs: readonly MailJob[]): Promise<Message[]> {
  const sent: Message[] = [];
  const mailer = { send: async (message: Message) => void sent.push(message) };
  const { identityTenants, tenants } = server.services;
  const task = sendMailTask({
    ...{ keys, mailer, identityTenants, log: createLogger('silent') },
    mayGetDigest: (tenantId, userId) => mayGetDigest(tenants, tenantId, userId),
  });
  const attempt = { isLast: false, isStopping: () => false };
  for (const job of jobs) await task(job, attempt);
  return sent;
}

const digestTo = ({ id: userId, email: to }: TestUser) =>
  queue({
    to,
    ...newFindings({
      ...{ userId, tenantName: tenant.name, digest: 'daily', scans: 1, critical: 1, high: 0 },
      ...{ findings: [], scanId: null, unsubscribeToken: 't' },
    }),
  });

async function choose({ key }: TestUser, digest: string): Promise<void> {
  const request = { method: 'PUT', headers: key, body: { digest } };
  expect((await server.call('/auth/me/notifications', request)).status).toBe(200);
}

/** A member who gets daily digests. */
async function subscriber(role: UserOptions['role'] = 'viewer'): Promise<TestUser> {
  const person = await server.people.user({ tenant, role });
  await choose(person, 'daily');
  return person;
}

const change = (method: string, { id }: TestUser, body?: object) =>
  server.call(`/users/${id}`, {
    ...{ method, headers: admin.session },
    ...(body === undefined ? {} : { body }),
  });

describe('a queued digest', () => {
  it('a queued digest is sent to a person who is still a member', async () => {
    const person = await subscriber();
    await digestTo(person);
    expect(await send(await payloads())).toMatchObject([{ to: person.email, template: 'digest' }]);
  });

  it('a queued digest is not sent to a member whose role lost the permission to read findings meanwhile', async () => {
    const person = await subscriber(['findings.read']);
    await digestTo(person);
    await server.database.owner.query(
      "UPDATE identity.roles SET permissions = '{projects.read}' WHERE tenant_id = $1",
      [tenant.id],
    );
    expect((await server.call('/findings', { headers: person.key })).status).toBe(403);
    expect(await send(await payloads())).toEqual([]);
  });

  it('a queued digest is not sent to a member who turned the e-mails off meanwhile', async () => {
    const person = await subscriber();
    await digestTo(person);
    await choose(person, 'off');
    expect(await send(await payloads())).toEqual([]);
  });

  it('a queued digest is not sent to a member who unsubscribed meanwhile', async () => {
    const person = await subscriber();
    await digestTo(person);
    const token = server.services.unsubscribe.tokenFor({ tenantId: tenant.id, userId: person.id });
    const path = `/unsubscribe?token=${token}`;
    expect((await server.call(path, { method: 'POST' })).status).toBe(200);
    expect(await send(await payloads())).toEqual([]);
  });

  it.each([
    ['removed', 'DELETE', undefined],
    ['disabled', 'PATCH', { status: 'disabled' }],
  ])('a queued digest is not sent to a member who was %s meanwhile', async (_, method, body) => {
    const person = await subscriber();
    await digestTo(person);
    expect((await change(method, person, body)).status).toBeLessThan(300);
    const jobs = await payloads();
    expect(jobs).toHaveLength(1);
    expect(await send(jobs)).toEqual([]);
  });

  it('a queued digest is not sent to a removed member who has another tenant', async () => {
    const person = await subscriber();
    await server.people.join(person, await server.people.tenant(), 'viewer');
    await digestTo(person);
    expect((await change('DELETE', person)).status).toBe(204);
    expect(await send(await payloads())).toEqual([]);
  });

  it('a digest that an earlier release queued without its member is sent', async () => {
    const person = await subscriber();
    await digestTo(person);
    const [job] = await payloads();
    const { memberId, ...earlier } = messageIn(keys, job ?? { sealed: '' }) as Message;
    expect(memberId).toBe(person.id);
    const sealed = seal(keys, 'mail', JSON.stringify(earlier)).toString('base64');
    expect(await send([{ ofTenant: tenant.id, sealed }, { sealed }])).toHaveLength(2);
  });
});

describe('a queued notice', () => {
  const at = new Date('2026-11-20T08:00:00Z');
  const origin = { at, ip: '192.0.2.1' };

  it('a queued notice about schedules or webhooks is sent to the administrators who are left', async () => {
    const person = await server.people.user({ tenant, amr });
    const tenantName = tenant.name;
    await server.services.tenants.write(tenant.id, async (db) => {
      const { mail } = server.services;
      const count = { tenantName, count: 1, reason: 'CREATOR_REMOVED', at } as const;
      await tellAdmins(db, mail, schedulesDisabled(count));
      const host = { tenantName, host: 'example.com', reason: 'GONE', at } as const;
      await tellAdmins(db, mail, webhookDisabled(host));
    });
    expect((await change('DELETE', person)).status).toBe(204);
    const jobs = await payloads();
    expect(jobs).toHaveLength(4);
    const to = admin.email;
    expect(await send(jobs)).toMatchObject([
      { to, template: 'schedules-disabled' },
      { to, template: 'webhook-disabled' },
    ]);
  });

  it('an alarm, an invitation and a mail about an account are sent to people who are not members', async () => {
    const to = 'outside@example.com';
    const tenantName = tenant.name;
    await queue({ to, ...invitation({ token: 't', tenantName, newPerson: true }) });
    await queue({ to, ...confirmSignIn('t', origin) });
    await queue({ to, ...breakGlassUsed({ tenantName, reason: null }, origin) });
    const configured = { tenantName, change: 'configured', by: admin.email } as const;
    await queue({ to, ...singleSignOnChanged(configured, origin) });
    await queue({ to, ...passwordChanged(origin) });
    const templates = (await send(await payloads())).map(({ template }) => template);
    expect(templates).toEqual([
      ...['invitation', 'confirm-sign-in', 'break-glass', 'single-sign-on-changed'],
      'password-changed',
    ]);
  });
});
