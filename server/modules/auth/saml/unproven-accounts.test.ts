import { PERMISSIONS } from '@cspm/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Belongings } from '../../../../tests/kit/fixtures.ts';
import { mailsTo, tokenIn } from '../../../../tests/kit/mailbox.ts';
import { rowsOf } from '../../../../tests/kit/owner-queries.ts';
import { TEST_PASSWORD } from '../../../../tests/kit/people.ts';
import { SingleSignOn } from '../../../../tests/kit/single-sign-on.ts';
import { type Reply, startTestServer, type TestServer } from '../../../../tests/kit/test-server.ts';
import { TokenIssuer } from '../../../../tests/kit/token-issuer.ts';
import { newId } from '../../../platform/ids.ts';

let issuer: TokenIssuer;
let server: TestServer;
/** A tenant whose provider asserts addresses of a domain that the tenant has not verified. */
let sso: SingleSignOn;
let email: string;
/** The person to whom that provider has given an account with this address. */
let made: Awaited<ReturnType<SingleSignOn['enter']>>;

beforeAll(async () => {
  issuer = await TokenIssuer.start();
  server = await startTestServer({ issuer });
});
afterAll(async () => {
  await server.close();
  await issuer.close();
});
beforeEach(async () => {
  sso = await SingleSignOn.start(server, undefined, false);
  email = sso.address();
  made = await sso.enter({ email, name: 'Name by the provider' });
});

const post = (path: string, body: object) => server.call(path, { method: 'POST', body });
const register = (tenantName: string) =>
  post('/auth/register', { email, password: TEST_PASSWORD, tenantName, name: 'Victoria' });
const login = () => post('/auth/login', { email, password: TEST_PASSWORD });

async function google(): Promise<Reply> {
  const credential = await issuer.token(server.clock.now(), { sub: `google-${email}`, email });
  return post('/auth/google', { credential });
}

async function mailed(template: string): Promise<string> {
  return tokenIn((await mailsTo(server, email)).findLast((mail) => mail.template === template));
}

async function meOf(tokens: Reply) {
  expect(tokens.status).toBe(200);
  const headers = { authorization: `Bearer ${tokens.json.accessToken}` };
  return (await server.call('/auth/me', { headers })).json;
}

async function membersOf(tenantId: string) {
  const admin = await server.people.user({ tenant: { id: tenantId, name: '' } });
  const { json } = await server.call('/users', { headers: admin.key });
  return json.items.filter((one: { id: string }) => one.id !== admin.id);
}

function verifyDomain() {
  return sso.trust(true);
}

describe('an account made by an identity provider of an unverified domain', () => {
  it('the owner of the address gets a tenant of their own by the first sign-in with Google, and leaves that of the provider', async () => {
    const reply = await google();
    const me = await meOf(reply);
    expect(me).toMatchObject({ user: { id: made.me.user.id, email }, role: 'admin' });
    expect(me.memberships).toEqual([expect.objectContaining({ tenantId: me.tenant.id })]);
    expect(me.tenant.id).not.toBe(sso.tenant.id);
    expect(await membersOf(sso.tenant.id)).toEqual([]);
    expect(await sso.trailOf(reply)).toEqual([]);
    expect(await sso.trailOf(reply, me.tenant.id)).toEqual([['auth.google', 'success', undefined]]);
    expect((await server.call('/auth/me', { headers: made.session })).status).toBe(401);
  });

  it('the owner of the address can register a tenant, and leaves that of the provider with the confirmation', async () => {
    expect((await register('Mine')).status).toBe(202);
    expect((await login()).status).toBe(401);
    expect((await mailsTo(server, email)).map(({ template }) => template)).toEqual([
      'verify-email',
    ]);
    const verified = await post('/auth/verify-email', { token: await mailed('verify-email') });
    expect(verified.status).toBe(204);
    expect(await sso.trailOf(verified)).toEqual([]);
    expect(await meOf(await login())).toMatchObject({
      user: { id: made.me.user.id, name: 'Victoria' },
      tenant: { name: 'Mine' },
      role: 'admin',
      memberships: [{ tenantName: 'Mine' }],
    });
    expect(await membersOf(sso.tenant.id)).toEqual([]);
  });

  it('the owner of the address who sets a password by an invitation enters the tenant that invited them', async () => {
    const inviting = await server.people.user({ amr: ['pwd', 'otp'] });
    const body = { email, role: 'viewer' };
    await server.call('/users', { method: 'POST', headers: inviting.session, body });
    const token = await mailed('invitation');
    const set = await post('/auth/reset-password', { token, password: TEST_PASSWORD });
    expect(set.status).toBe(204);
    expect(await meOf(await login())).toMatchObject({
      tenant: { id: inviting.tenant.id },
      memberships: [{ tenantId: inviting.tenant.id }],
    });
  });

  it('the owner of the address who accepts an invitation from before memberships recorded the provider stays a member', async () => {
    const inviting = await server.people.user({ amr: ['pwd', 'otp'] });
    const body = { email, role: 'viewer' };
    await server.call('/users', { method: 'POST', headers: inviting.session, body });
    await sso.sql('UPDATE identity.memberships SET by_provider = NULL WHERE user_id = $1', [
      made.me.user.id,
    ]);
    const token = await mailed('invitation');
    await post('/auth/reset-password', { token, password: TEST_PASSWORD });
    expect((await meOf(await login())).memberships).toMatchObject([
      { tenantId: inviting.tenant.id },
    ]);
  });

  it('the owner of the address leaves the tenant of the provider by a password reset, which is not told to that tenant', async () => {
    await post('/auth/forgot-password', { email });
    const token = await mailed('reset-password');
    const reset = await post('/auth/reset-password', { token, password: TEST_PASSWORD });
    expect(reset.status).toBe(204);
    expect(await sso.trailOf(reset)).toEqual([]);
    expect(await membersOf(sso.tenant.id)).toEqual([]);
    expect((await login()).status).toBe(401);
  });

  it('the tenant of the provider cannot keep the owner of the address by disabling them or saving its settings again', async () => {
    await sso.trust(false);
    await sso.setStatus(made.me.user, 'disabled');
    expect((await meOf(await google())).tenant.id).not.toBe(sso.tenant.id);
    expect(await membersOf(sso.tenant.id)).toEqual([]);
    const reply = await sso.signIn({ email });
    expect(reply.status).toBe(401);
    expect(await sso.reasonOf(reply)).toBe('unverified_domain');
  });

  it('the owner of the address leaves a tenant that they were added to before memberships recorded it, and keeps a registered one', async () => {
    await register('Mine');
    await sso.sql('UPDATE identity.memberships SET by_provider = NULL WHERE user_id = $1', [
      made.me.user.id,
    ]);
    await post('/auth/verify-email', { token: await mailed('verify-email') });
    expect((await meOf(await login())).memberships).toMatchObject([{ tenantName: 'Mine' }]);
    expect(await membersOf(sso.tenant.id)).toEqual([]);
  });

  it('a registration that nobody confirmed does not shut the person out of the provider, nor rename them in its tenant', async () => {
    expect((await register('Not theirs')).status).toBe(202);
    expect((await sso.enter({ email })).me).toMatchObject({
      user: { id: made.me.user.id },
      tenant: { id: sso.tenant.id },
    });
    expect(await membersOf(sso.tenant.id)).toMatchObject([{ name: 'Name by the provider' }]);
    expect((await login()).status).toBe(401);
  });

  it('the owner of the address stays in the tenant once it has verified the domain, and their address cannot be registered', async () => {
    await verifyDomain();
    expect((await register('Not created')).status).toBe(202);
    expect((await mailsTo(server, email)).map(({ template }) => template)).toEqual([
      'account-exists',
    ]);
    expect(await meOf(await google())).toMatchObject({
      user: { id: made.me.user.id },
      tenant: { id: sso.tenant.id },
      role: 'viewer',
    });
  });
});

/** Tables of a tenant with rows that contain this text. */
async function tablesWith(text: string, tenantId: string): Promise<string[]> {
  const { rows: tables } = await server.database.owner.query<{ name: string }>(
    `SELECT format('public.%I', table_name) AS name FROM information_schema.tables
     WHERE table_schema = 'public' AND table_type = 'BASE TABLE' ORDER BY 1`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const sql = `SELECT 1 FROM ${name} t WHERE t::text LIKE '%' || $1 || '%' LIMIT 1`;
    if ((await rowsOf(server.database, tenantId, sql, [text])).length > 0) found.push(name);
  }
  return found;
}

async function resetPassword() {
  await post('/auth/forgot-password', { email });
  const token = await mailed('reset-password');
  return post('/auth/reset-password', { token, password: TEST_PASSWORD });
}

async function registerAndVerify() {
  await register('Mine');
  return post('/auth/verify-email', { token: await mailed('verify-email') });
}

/** What the person does in the tenant of the provider, so that each table with their address or settings has a row. */
async function useTenant() {
  const { user } = made.me;
  await server.people.join(user, sso.tenant, 'analyst');
  const { name } = await new Belongings(server.services, server.database, sso.tenant).project();
  for (const [method, path, body] of [
    ['POST', '/scans', { projects: [name], profile: 'full' }],
    ['POST', '/views', { name: 'Mine', query: 'severity=high', shared: false }],
    ['PUT', '/auth/me/notifications', { digest: 'daily' }],
  ] as const) {
    const reply = await server.call(path, { method, headers: made.session, body });
    expect(reply.status, reply.text).toBeLessThan(300);
  }
  const event = { type: 'api_key.created', data: { user: { id: user.id, email } } };
  await rowsOf(
    server.database,
    sso.tenant.id,
    'INSERT INTO webhook_events (tenant_id, id, type, body, created_at) VALUES ($1, $2, $3, $4, now())',
    [sso.tenant.id, newId(), event.type, JSON.stringify(event)],
  );
}

describe('a tenant that people leave by proof of their address', () => {
  it.each([
    ['a password reset', resetPassword],
    ['the confirmation of a registration', registerAndVerify],
    ['a sign-in with Google', google],
  ])(
    'keeps no address, private view or notification setting of a person who leaves by %s',
    async (_by, prove) => {
      await useTenant();
      expect(await tablesWith(email, sso.tenant.id)).toEqual(
        ['audit_labels', 'scans', 'webhook_events'].map((name) => `public.${name}`),
      );
      expect((await prove()).status).toBeLessThan(300);
      expect(await tablesWith(email, sso.tenant.id)).toEqual([]);
      for (const sql of ['saved_views WHERE owner_id', 'notification_settings WHERE user_id']) {
        const rows = await rowsOf(server.database, sso.tenant.id, `SELECT 1 FROM ${sql} = $1`, [
          made.me.user.id,
        ]);
        expect(rows).toEqual([]);
      }
      const admin = await server.people.user({ tenant: sso.tenant });
      const trail = await server.call('/audit-events', { headers: admin.key });
      expect(trail.text).toContain(made.me.user.id);
      expect(trail.text).not.toContain(email);
    },
  );

  it('erases the person in its own rows only, not in those of their other tenants', async () => {
    const other = await server.people.user();
    await server.people.join(made.me.user, other.tenant, 'analyst');
    const label = 'INSERT INTO audit_labels (tenant_id, actor_id, label) VALUES ($1, $2, $3)';
    await rowsOf(server.database, other.tenant.id, label, [
      other.tenant.id,
      made.me.user.id,
      email,
    ]);
    await useTenant();
    expect((await resetPassword()).status).toBe(204);
    expect(await tablesWith(email, sso.tenant.id)).toEqual([]);
    expect(await tablesWith(email, other.tenant.id)).toEqual(['public.audit_labels']);
  });

  it('cannot remove its last admin who stays, until a verified domain keeps the others', async () => {
    const amr = ['pwd', 'otp'];
    const admin = await server.people.user({ tenant: sso.tenant, amr });
    const deputy = await server.people.user({ tenant: sso.tenant, role: PERMISSIONS, amr });
    await server.people.join(made.me.user, sso.tenant, 'admin');
    const call = { method: 'DELETE', headers: deputy.session };
    expect((await server.call(`/users/${admin.id}`, call)).json).toMatchObject({
      code: 'CONFLICT',
      detail: expect.stringMatching('last active admin'),
    });
    await verifyDomain();
    expect((await server.call(`/users/${admin.id}`, call)).status).toBe(204);
    expect((await meOf(await google())).role).toBe('admin');
  });
});
