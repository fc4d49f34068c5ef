import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { linkIn, mailsTo, tokenIn } from '../../../tests/kit/mailbox.ts';
import { rowsOf } from '../../../tests/kit/owner-queries.ts';
import type { TestUser } from '../../../tests/kit/people.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';
import { newId } from '../../platform/ids.ts';

const amr = ['pwd', 'otp'];
let server: TestServer;
let admin: TestUser;

beforeAll(async () => {
  server = await startTestServer();
  admin = await server.people.user({ amr });
});

afterAll(() => server.close());

function ask(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
  return server.call(path, {
    method,
    headers: { ...admin.session, ...headers },
    ...(body === undefined ? {} : { body }),
  });
}

const address = () => `${newId()}@example.com`;
const invite = (email: string, more: object = {}) =>
  ask('POST', '/users', { email, role: 'viewer', ...more });
const lastMailTo = async (email: string) => (await mailsTo(server, email)).at(-1);

describe('an invitation', () => {
  it('an invitation of a new person creates a pending member and a mail for choosing a password', async () => {
    const email = address();
    const reply = await invite(email.toUpperCase(), { name: 'Ada' });
    expect(reply.status).toBe(201);
    expect(reply.json).toEqual({
      id: expect.any(String),
      email,
      name: 'Ada',
      role: 'viewer',
      status: 'invited',
      twoFactorEnabled: false,
      lastLoginAt: null,
      createdAt: expect.any(String),
    });
    const mail = await lastMailTo(email);
    expect(mail?.text).toContain(admin.tenant.name);
    expect(linkIn(mail).pathname).toBe('/reset-password');
    const password = 'a first password of one’s own';
    const accepted = await server.call('/auth/reset-password', {
      method: 'POST',
      body: { token: tokenIn(mail), password },
    });
    expect(accepted.status).toBe(204);
    expect((await lastMailTo(email))?.subject).toBe('Your password was set');
    const login = await server.call('/auth/login', { method: 'POST', body: { email, password } });
    expect(login.status).toBe(200);
    const member = (await ask('GET', `/users/${reply.json.id}`)).json;
    expect(member).toMatchObject({ id: reply.json.id, status: 'active', name: 'Ada' });
    expect(member.lastLoginAt).not.toBeNull();
  });

  it('an invitation of a person with an account takes effect when that person accepts it', async () => {
    const known = await server.people.user();
    const { json: invited } = await invite(known.email);
    const body = { email: known.email, password: known.password, tenantId: admin.tenant.id };
    expect((await server.call('/auth/login', { method: 'POST', body })).status).toBe(401);
    const mail = await lastMailTo(known.email);
    expect(linkIn(mail).pathname).toBe('/accept-invite');
    const accepted = await server.call('/auth/accept-invite', {
      method: 'POST',
      body: { token: tokenIn(mail) },
    });
    expect(accepted.status).toBe(204);
    expect((await server.call('/auth/login', { method: 'POST', body })).status).toBe(200);
    // After acceptance the API shows the user id, and the id of the invitation still works.
    for (const id of [invited.id, known.id]) {
      expect((await ask('GET', `/users/${id}`)).json).toMatchObject({
        id: known.id,
        status: 'active',
        name: 'Test Person',
      });
    }
  });

  it('the id of an accepted invitation finds the API keys and audit events of the member', async () => {
    const known = await server.people.user();
    const { json: invited } = await invite(known.email);
    const token = tokenIn(await lastMailTo(known.email));
    await server.call('/auth/accept-invite', { method: 'POST', body: { token } });
    const body = { email: known.email, password: known.password, tenantId: admin.tenant.id };
    const { accessToken } = (await server.call('/auth/login', { method: 'POST', body })).json;
    const headers = { Authorization: `Bearer ${accessToken}` };
    const made = await server.call('/api-keys', { method: 'POST', body: { name: 'x' }, headers });
    expect(made.status).toBe(201);
    for (const id of [invited.id, known.id]) {
      const keys = await ask('GET', `/api-keys?userId=${id}`);
      expect(keys.json.items).toMatchObject([{ id: made.json.id, userId: known.id }]);
      const events = await ask('GET', `/audit-events?actor=${id}&action=api_key.created`);
      expect(events.json.items).toMatchObject([{ subject: made.json.id, actor: { id: known.id } }]);
    }
  });

  it('an invitation does not let the tenant see in its audit trail whether the address has an account elsewhere', async () => {
    const emails = [(await server.people.user()).email, address()];
    for (const email of emails) {
      await invite(email);
      const body = { email, password: 'a good password of one’s own', tenantName: 'T' };
      for (const path of ['forgot-password', 'register', 'resend-verification']) {
        const reply = await server.call(`/auth/${path}`, {
          method: 'POST',
          body: path === 'register' ? body : { email },
        });
        expect(reply.status, path).toBe(202);
        const correlation = reply.headers.get('x-correlation-id');
        const seen = await rowsOf(
          server.database,
          admin.tenant.id,
          'SELECT action FROM audit_events WHERE correlation_id = $1',
          [correlation],
        );
        expect(seen, path).toEqual([]);
      }
    }
  });

  it('an invitation to an address that has an account elsewhere shows no id, name or second factor', async () => {
    const long = new Date(Date.now() - 10 * 24 * 3600 * 1000);
    const known = await server.people.user();
    // This person has a second factor.
    await server.database.owner.query(
      'UPDATE identity.users SET totp_enabled_at = $2, created_at = $2 WHERE id = $1',
      [known.id, long],
    );
    const seen = [];
    for (const email of [known.email, address()]) {
      const before = Date.now();
      const created = await invite(email, { name: 'Guest' });
      const { id } = created.json;
      // A UUIDv7 contains its creation time (RFC 9562 §5.7).
      const madeAt = Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);
      expect(madeAt).toBeGreaterThanOrEqual(before - 5);
      expect(id).not.toBe(known.id);
      const got = await ask('GET', `/users/${id}`);
      const named = await ask('PATCH', `/users/${id}`, { name: 'Renamed' });
      const roled = await ask('PATCH', `/users/${id}`, { role: 'analyst' });
      const listed = await ask('GET', '/users?limit=1');
      const again = await invite(email);
      const enabled = await ask('PATCH', `/users/${id}`, { status: 'active' });
      const removed = await ask('DELETE', `/users/${id}`);
      const gone = await ask('GET', `/users/${id}`);
      const replies = [created, got, named, roled, listed, again, enabled, removed, gone];
      const bytes = replies.map(({ status, text, headers }) =>
        `${status} ${text}`
          .replaceAll(id, '<id>')
          .replaceAll(email, '<email>')
          .replaceAll(headers.get('x-correlation-id') ?? '', '<correlation>')
          .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
          .replace(/"nextCursor":"[^"]*"/, ''),
      );
      seen.push(bytes);
      expect(replies.map(({ status }) => status)).toEqual([
        201, 200, 200, 200, 200, 409, 409, 204, 404,
      ]);
    }
    expect(seen[0]).toEqual(seen[1]);
    const me = await server.call('/auth/me', { headers: known.session });
    expect(me.json.user.name).toBe('Test Person');
  });

  it('an invitation does not show the id that the person has in another tenant', async () => {
    const known = await server.people.user();
    await invite(known.email);
    for (const [method, body] of [
      ['GET', undefined],
      ['PATCH', { name: 'x' }],
      ['DELETE', undefined],
    ] as const) {
      expect((await ask(method, `/users/${known.id}`, body)).status).toBe(404);
    }
  });

  it('an invitation cannot be accepted by an administrator, not even by disabling and enabling', async () => {
    const { json } = await invite(address());
    for (const status of ['active', 'disabled', 'active']) {
      expect((await ask('PATCH', `/users/${json.id}`, { status })).json.code).toBe('CONFLICT');
    }
    expect((await ask('GET', `/users/${json.id}`)).json.status).toBe('invited');
  });

  it('an invitation cannot be accepted after it was withdrawn', async () => {
    const known = await server.people.user();
    for (const email of [address(), known.email]) {
      const { json } = await invite(email);
      const token = tokenIn(await lastMailTo(email));
      expect((await ask('DELETE', `/users/${json.id}`)).status).toBe(204);
      for (const [path, body] of [
        ['/auth/accept-invite', { token }],
        ['/auth/reset-password', { token, password: 'another password 123' }],
      ] as const) {
        const late = await server.call(path, { method: 'POST', body });
        expect(late.json.code).toBe('INVALID_TOKEN');
      }
    }
    expect((await server.call('/auth/me', { headers: known.session })).status).toBe(200);
  });

  it.each([
    [
      'the person is a member',
      async () => (await server.people.user({ tenant: admin.tenant })).email,
    ],
    [
      'the person is invited',
      async () => {
        const email = address();
        await invite(email);
        return email;
      },
    ],
  ])('an invitation is refused with 409 and no mail when %s', async (_who, make) => {
    const email = await make();
    const mails = (await mailsTo(server, email)).length;
    expect((await invite(email)).json.code).toBe('CONFLICT');
    expect((await mailsTo(server, email)).length).toBe(mails);
  });

  it.each([
    ['an unknown role', { role: 'no-such-role' }],
    ['an invalid address', { email: 'nobody' }],
    ['a status', { status: 'active' }],
    ['an id', { id: newId() }],
    ['a tenant', { tenantId: newId() }],
    ['a password', { password: 'a password of my choice' }],
    ['a verified address', { emailVerified: true }],
  ])('an invitation is refused with 400 for %s', async (_what, more) => {
    const reply = await ask('POST', '/users', { email: address(), role: 'viewer', ...more });
    expect(reply.json.code).toBe('VALIDATION_FAILED');
  });

  it('an invitation is sent once when its request is repeated with the same Idempotency-Key', async () => {
    const email = address();
    const headers = { 'idempotency-key': newId() };
    const replies = [];
    for (const _ of [1, 2]) {
      replies.push(await ask('POST', '/users', { email, role: 'viewer' }, headers));
    }
    expect(replies[1]?.headers.get('idempotency-replayed')).toBe('true');
    expect(replies[1]?.text).toBe(replies[0]?.text);
    expect(await mailsTo(server, email)).toHaveLength(1);
  });

  it('an invitation that is withdrawn while it is accepted stays withdrawn, without a deadlock', async () => {
    for (let round = 0; round < 8; round += 1) {
      const known = await server.people.user();
      const { json } = await invite(known.email);
      const token = tokenIn(await lastMailTo(known.email));
      const [accepted, removed] = await Promise.all([
        server.call('/auth/accept-invite', { method: 'POST', body: { token } }),
        ask('DELETE', `/users/${json.id}`),
      ]);
      expect([204, 400]).toContain(accepted.status);
      expect(removed.status).toBe(204);
      expect((await ask('GET', `/users/${known.id}`)).status).toBe(404);
    }
  });

  it('two tenants that invite one person at the same time create two invitations', async () => {
    const email = address();
    const other = await server.people.user({ amr });
    const replies = await Promise.all([
      invite(email),
      server.call('/users', {
        method: 'POST',
        headers: other.session,
        body: { email, role: 'viewer' },
      }),
    ]);
    expect(replies.map(({ status }) => status)).toEqual([201, 201]);
    expect(replies[0]?.json.id).not.toBe(replies[1]?.json.id);
    expect(await mailsTo(server, email)).toHaveLength(2);
  });
});

describe('an invitation that is sent again', () => {
  const resend = (id: string, headers = {}) =>
    ask('POST', `/users/${id}/resend-invitation`, undefined, headers);
  const accept = (token: string) =>
    server.call('/auth/accept-invite', { method: 'POST', body: { token } });

  // The clock moves on, and access tokens are short-lived.
  beforeEach(async () => {
    admin = await server.people.user({ amr });
  });

  it('an invitation that is sent again has a new link, voids the old one and is audited', async () => {
    const known = await server.people.user();
    const { json: invited } = await invite(known.email);
    const old = tokenIn(await lastMailTo(known.email));
    server.clock.advance({ minutes: 10 });
    const reply = await resend(invited.id);
    expect([reply.status, reply.json]).toEqual([202, invited]);
    const mails = await mailsTo(server, known.email);
    const token = tokenIn(mails.at(-1));
    expect(token).not.toBe(old);
    expect((await accept(old)).json.code).toBe('INVALID_TOKEN');
    expect((await accept(token)).status).toBe(204);
    const events = await ask('GET', '/audit-events?action=user.invitation_resent');
    expect(events.json.items).toMatchObject([{ subject: invited.id, outcome: 'success' }]);
    expect((await resend(invited.id)).json).toMatchObject({ status: 409, code: 'CONFLICT' });
  });

  it('an invitation is not sent again within 10 minutes after the last mail, and the last link stays valid', async () => {
    const known = await server.people.user();
    const { json: invited } = await invite(known.email);
    const before = await mailsTo(server, known.email);
    server.clock.advance({ minutes: 9 });
    const replies = await Promise.all([1, 2, 3].map(() => resend(invited.id)));
    expect(replies.map(({ status }) => status)).toEqual([409, 409, 409]);
    expect(await mailsTo(server, known.email)).toHaveLength(before.length);
    server.clock.advance({ minutes: 1 });
    const racing = await Promise.all([1, 2, 3].map(() => resend(invited.id)));
    expect(racing.map(({ status }) => status).toSorted()).toEqual([202, 409, 409]);
    expect(await mailsTo(server, known.email)).toHaveLength(before.length + 1);
    expect((await accept(tokenIn(await lastMailTo(known.email)))).status).toBe(204);
  });

  it('an invitation is sent again once for one Idempotency-Key', async () => {
    const { json: invited } = await invite(address());
    server.clock.advance({ minutes: 10 });
    const key = { 'idempotency-key': newId() };
    expect((await resend(invited.id, key)).status).toBe(202);
    const again = await resend(invited.id, key);
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([202, 'true']);
    expect(await mailsTo(server, invited.email)).toHaveLength(2);
  });
});
