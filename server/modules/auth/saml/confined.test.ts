import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeAt, enrol } from '../../../../tests/kit/authenticator.ts';
import { codeIn } from '../../../../tests/kit/identity-provider.ts';
import { mailsTo, tokenIn } from '../../../../tests/kit/mailbox.ts';
import type { TestUser } from '../../../../tests/kit/people.ts';
import { SingleSignOn } from '../../../../tests/kit/single-sign-on.ts';
import {
  startTestServer,
  TEST_APP_SECRET,
  type TestServer,
} from '../../../../tests/kit/test-server.ts';

let server: TestServer;
let sso: SingleSignOn;

beforeAll(async () => {
  server = await startTestServer();
  sso = await SingleSignOn.start(server);
});
afterAll(() => server.close());

const twoFactor = (step: string, headers: Record<string, string>, body: object) =>
  server.call(`/auth/2fa/${step}`, { method: 'POST', headers, body });

function amrOf(accessToken: string): unknown {
  const [, payload = ''] = accessToken.split('.');
  return JSON.parse(Buffer.from(payload, 'base64url').toString()).amr;
}

describe('a session opened by an identity provider', () => {
  it('a session opened by an identity provider does not satisfy an operation that requires a second factor', async () => {
    const user = await sso.person({ tenant: sso.tenant });
    const { session: headers } = await sso.enter({ email: user.email }, user.password);
    const reply = await server.call('/tenant/saml', { method: 'DELETE', headers });
    expect(reply.json.code).toBe('MFA_REQUIRED');
  });

  it('a session opened by an identity provider keeps its restrictions after a refresh', async () => {
    const { refreshToken } = await sso.enter({ email: sso.address() });
    const reply = await server.call('/auth/refresh', { method: 'POST', body: { refreshToken } });
    expect(amrOf(reply.json.accessToken)).toEqual(['saml']);
  });

  it('a session opened by an identity provider neither reaches nor reveals other tenants of the account', async () => {
    const user = await sso.person({ tenant: sso.tenant });
    const elsewhere = await server.people.tenant();
    await server.people.join(user, elsewhere, 'admin');
    const there = { 'x-tenant-id': elsewhere.id };
    const { session } = await sso.enter({ email: user.email }, user.password);
    const reply = await server.call('/auth/me', { headers: { ...session, ...there } });
    expect(reply.headers.get('x-tenant-id')).toBe(sso.tenant.id);
    expect(reply.json.memberships).toHaveLength(1);
    const own = await server.call('/auth/me', { headers: { ...user.session, ...there } });
    expect(own.headers.get('x-tenant-id')).toBe(elsewhere.id);
    expect(own.json.memberships).toHaveLength(2);
  });

  it('an API key made in a session of an identity provider does not reveal other tenants of the account', async () => {
    const user = await sso.person({ tenant: sso.tenant, role: 'viewer' });
    await server.people.join(user, await server.people.tenant(), 'viewer');
    const { session } = await sso.enter({ email: user.email });
    const made = await server.call('/api-keys', {
      method: 'POST',
      headers: session,
      body: { name: 'made by the provider' },
    });
    const byKey = await server.call('/auth/me', { headers: { 'x-api-key': made.json.key } });
    expect(byKey.json.memberships.map((one: { tenantId: string }) => one.tenantId)).toEqual([
      sso.tenant.id,
    ]);
    const own = await server.call('/auth/me', { headers: user.key });
    expect(own.json.memberships).toHaveLength(2);
  });

  it('a session opened by an identity provider cannot enrol a second factor for a verified account without its password', async () => {
    const user = await sso.person({ tenant: sso.tenant, role: 'viewer' });
    const { session } = await sso.enter({ email: user.email });
    expect((await twoFactor('setup', session, {})).json.code).toBe('REAUTH_REQUIRED');
    const { password } = user;
    const setup = await twoFactor('setup', session, { password });
    const code = codeAt(setup.json.secret, server.clock.now());
    expect((await twoFactor('enable', session, { code })).json.code).toBe('REAUTH_REQUIRED');
    expect((await twoFactor('enable', session, { code, password })).status).toBe(200);
  });

  it('a session opened by an identity provider cannot complete a second-factor enrolment once the account has joined another tenant', async () => {
    const { me, session } = await sso.enter({ email: sso.address() });
    const { secret } = (await twoFactor('setup', session, {})).json;
    await server.people.join(me.user, await server.people.tenant(), 'viewer');
    const code = codeAt(secret, server.clock.now());
    expect((await twoFactor('enable', session, { code })).json.code).toBe('REAUTH_REQUIRED');
    expect((await server.call('/auth/me', { headers: session })).json.user.twoFactorEnabled).toBe(
      false,
    );
  });

  it('a session opened by an identity provider cannot remove a second factor or create recovery codes without the password', async () => {
    const user = await sso.person({ tenant: sso.tenant, role: 'viewer' });
    const at = server.clock.now();
    const { secret } = await enrol(server.database, TEST_APP_SECRET, user, { at });
    const { session } = await sso.enter({ email: user.email });
    const code = codeAt(secret, at);
    for (const step of ['disable', 'recovery-codes']) {
      expect((await twoFactor(step, session, { code })).json.code, step).toBe('REAUTH_REQUIRED');
    }
    expect((await twoFactor('verify', session, { code })).status).toBe(200);
  });

  it('a session opened by an identity provider can enrol a factor for an account it created, until the owner verifies the address', async () => {
    const email = sso.address();
    const { me, session } = await sso.enter({ email });
    const { secret } = (await twoFactor('setup', session, {})).json;
    const code = codeAt(secret, server.clock.now());
    expect((await twoFactor('enable', session, { code })).status).toBe(200);
    const key = await server.call('/api-keys', {
      method: 'POST',
      headers: session,
      body: { name: 'made by the provider' },
    });
    await server.call('/auth/forgot-password', { method: 'POST', body: { email } });
    const token = tokenIn((await mailsTo(server, email)).at(-1));
    const password = 'a password that only the owner knows';
    const reset = await server.call('/auth/reset-password', {
      method: 'POST',
      body: { token, password },
    });
    expect(reset.status).toBe(204);
    for (const headers of [session, { 'x-api-key': key.json.key }]) {
      expect((await server.call('/auth/me', { headers })).status).toBe(401);
    }
    const login = await server.call('/auth/login', { method: 'POST', body: { email, password } });
    expect(login.status).toBe(200);
    const headers = { authorization: `Bearer ${login.json.accessToken}` };
    expect((await server.call('/auth/me', { headers })).json.user).toMatchObject({
      id: me.user.id,
      twoFactorEnabled: false,
    });
  });
});

describe('wrong second-factor codes of an identity provider', () => {
  const CODES = Array.from({ length: 5 }, (_, n) => `000000-000000-000000-00000${n}`);

  const signIn = (user: TestUser, totp: string) =>
    server.call('/auth/login', {
      method: 'POST',
      body: { email: user.email, password: user.password, totp },
    });

  it('wrong second-factor codes in a session of an identity provider are limited, and do not lock the owner out', async () => {
    const user = await sso.person({ tenant: sso.tenant, role: 'viewer' });
    const at = server.clock.now();
    const { secret } = await enrol(server.database, TEST_APP_SECRET, user, { at });
    const { session } = await sso.enter({ email: user.email });
    for (const code of CODES) await twoFactor('verify', session, { code });
    const right = codeAt(secret, at);
    expect((await twoFactor('verify', session, { code: right })).json.code).toBe('INVALID_CODE');
    expect((await signIn(user, right)).status).toBe(200);
  });

  it('wrong second-factor codes for the confirmation of an identity provider are limited, and do not lock the owner out', async () => {
    const user = await sso.person({ tenant: sso.tenant });
    const at = server.clock.now();
    const { secret } = await enrol(server.database, TEST_APP_SECRET, user, { at });
    const exchanged = await sso.exchange(codeIn(await sso.signIn({ email: user.email })));
    const { token } = exchanged.json.confirmation;
    for (const code of CODES) await sso.confirm({ token, code });
    const right = codeAt(secret, at);
    expect((await sso.confirm({ token, code: right })).json.code).toBe('INVALID_CODE');
    expect((await signIn(user, right)).status).toBe(200);
  });

  it('wrong second-factor codes of an identity provider do not use up those of another tenant', async () => {
    const other = await SingleSignOn.start(server, sso.provider);
    const user = await sso.person({ tenant: sso.tenant, role: 'viewer' });
    await server.people.join(user, other.tenant, 'viewer');
    const at = server.clock.now();
    const { secret } = await enrol(server.database, TEST_APP_SECRET, user, { at });
    const { session } = await sso.enter({ email: user.email });
    for (const code of CODES) await twoFactor('verify', session, { code });
    const elsewhere = await other.enter({ email: user.email });
    const code = codeAt(secret, at);
    expect((await twoFactor('verify', elsewhere.session, { code })).status).toBe(200);
  });
});

it('an exchange code becomes invalid once the owner verifies the address', async () => {
  const email = sso.address();
  await sso.enter({ email });
  const code = codeIn(await sso.signIn({ email }));
  await server.call('/auth/forgot-password', { method: 'POST', body: { email } });
  const token = tokenIn((await mailsTo(server, email)).at(-1));
  const body = { token, password: 'a password that only the owner knows' };
  expect((await server.call('/auth/reset-password', { method: 'POST', body })).status).toBe(204);
  expect((await sso.exchange(code)).json.code).toBe('INVALID_TOKEN');
});
