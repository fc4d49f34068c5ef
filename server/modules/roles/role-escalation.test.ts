import { FEATURES, PERMISSIONS, type Permission } from '@cspm/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { TestIdentityProvider } from '../../../tests/kit/identity-provider.ts';
import { mailsTo } from '../../../tests/kit/mailbox.ts';
import type { TestTenant, TestUser } from '../../../tests/kit/people.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';
import { newId } from '../../platform/ids.ts';

const provider = new TestIdentityProvider();
let server: TestServer;
let tenant: TestTenant;
let chief: TestUser;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

beforeEach(async () => {
  tenant = await server.people.tenant(FEATURES);
  chief = await server.people.user({ tenant, amr: ['pwd', 'otp'] });
});

/** A member with these permissions whose session has passed a second factor. */
const holder = (...role: Permission[]) => server.people.user({ tenant, role, amr: ['pwd', 'otp'] });
const ask = (by: TestUser, method: string, path: string, body?: unknown) =>
  server.call(path, { method, headers: by.session, body });
const put = (by: TestUser, more: object = {}) =>
  ask(by, 'PUT', '/tenant/saml', { ...provider.settings, ...more });

async function permissionsOf(user: TestUser): Promise<string[]> {
  return (await server.call('/auth/me', { headers: user.session })).json.permissions;
}

describe('configuring an identity provider', () => {
  it('configuring an identity provider is refused to a person with admin.settings only', async () => {
    const attacker = await holder('admin.settings');
    for (const reply of [await put(attacker), await ask(attacker, 'DELETE', '/tenant/saml')]) {
      expect(reply).toMatchObject({
        status: 403,
        json: { code: 'FORBIDDEN', permission: 'admin.users' },
      });
    }
  });

  it('configuring an identity provider is refused to a person with fewer permissions than a member whose address it could assert', async () => {
    const attacker = await holder('admin.settings', 'admin.users', 'scans.read');
    const emailDomains = [(chief.email.split('@')[1] ?? '').toUpperCase()];
    const reply = await put(attacker, {
      emailDomains,
      defaultRole: await server.people.role(tenant, []),
    });
    expect(reply).toMatchObject({ status: 403, json: { code: 'FORBIDDEN' } });
    expect(PERMISSIONS).toContain(reply.json.permission);
    expect(await permissionsOf(attacker)).not.toContain(reply.json.permission);
    expect((await put(chief, { emailDomains })).status).toBe(200);
  });

  it('configuring an identity provider is refused to a person with fewer permissions than the role for newcomers', async () => {
    const attacker = await holder('admin.settings', 'admin.users');
    const reply = await put(attacker, { defaultRole: 'analyst' });
    expect(reply).toMatchObject({ status: 403, json: { code: 'FORBIDDEN' } });
  });

  it('configuring an identity provider is refused without a second factor', async () => {
    const weak = await server.people.user({ tenant });
    expect((await put(weak)).json.code).toBe('MFA_REQUIRED');
    const reply = await server.call('/tenant/saml', {
      method: 'PUT',
      headers: chief.key,
      body: provider.settings,
    });
    expect(reply.json.code).toBe('MFA_REQUIRED');
  });

  it('configuring an identity provider notifies every admin of the tenant by mail, however many other mails they received', async () => {
    const second = await server.people.user({ tenant });
    for (let count = 0; count < 4; count += 1) {
      await server.call('/auth/forgot-password', { method: 'POST', body: { email: second.email } });
    }
    await put(chief);
    await ask(chief, 'DELETE', '/tenant/saml');
    for (const { email } of [chief, second]) {
      const told = (await mailsTo(server, email)).filter(
        ({ template }) => template === 'single-sign-on-changed',
      );
      expect(told.map(({ text }) => / was (\w+) by (\S+)/.exec(text)?.slice(1))).toEqual([
        ['configured', chief.email],
        ['removed', chief.email],
      ]);
    }
  });
});

describe('a member cannot gain a permission', () => {
  it('members gain no permission by changing the settings of the tenant', async () => {
    const attacker = await holder('admin.settings');
    for (const body of [
      { features: FEATURES },
      { settings: { allowedDomains: ['example.com'], role: 'admin' } },
      { role: 'admin' },
    ]) {
      expect((await ask(attacker, 'PATCH', '/tenant', body)).json.code).toBe('VALIDATION_FAILED');
    }
    await ask(attacker, 'PATCH', '/tenant', { settings: { allowedDomains: ['example.com'] } });
    expect(await permissionsOf(attacker)).toEqual(['admin.settings']);
  });

  it('members gain no permission by creating a role, extending their own role or inviting a helper', async () => {
    const attacker = await holder('admin.users');
    const { role } = (await server.call('/auth/me', { headers: attacker.session })).json;
    const wanted = ['admin.users', 'admin.settings'];
    const email = `${newId()}@example.com`;
    for (const [method, path, body] of [
      ['POST', '/roles', { name: 'wide', permissions: wanted }],
      ['PUT', `/roles/${role}`, { permissions: wanted }],
      ['POST', '/users', { email, role: 'admin' }],
      ['POST', '/users', { email, role: 'viewer' }],
    ] as const) {
      expect(await ask(attacker, method, path, body)).toMatchObject({
        status: 403,
        json: { code: 'FORBIDDEN' },
      });
    }
    expect(await permissionsOf(attacker)).toEqual(['admin.users']);
  });

  it('members cannot promote themselves or an accomplice', async () => {
    const attacker = await holder('admin.users');
    const confederate = await server.people.user({ tenant, role: [] });
    expect((await ask(attacker, 'PATCH', `/users/${attacker.id}`, { role: 'admin' })).status).toBe(
      409,
    );
    const reply = await ask(attacker, 'PATCH', `/users/${confederate.id}`, { role: 'admin' });
    expect(reply.status).toBe(403);
  });

  it('an API key has no permission that its owner lacks', async () => {
    const attacker = await holder('keys.own');
    const { json } = await ask(attacker, 'POST', '/api-keys', { name: 'mine' });
    const me = await server.call('/auth/me', { headers: { 'x-api-key': json.key } });
    expect(me.json.permissions).toEqual(['keys.own']);
    expect((await ask(attacker, 'GET', `/api-keys?userId=${chief.id}`)).status).toBe(403);
  });

  it('X-Tenant-ID applies the permissions of the membership in the named tenant', async () => {
    const elsewhere = await server.people.tenant(FEATURES);
    await server.people.join(chief, elsewhere, 'viewer');
    const headers = { ...chief.session, 'x-tenant-id': elsewhere.id };
    expect((await server.call('/auth/me', { headers })).json.role).toBe('viewer');
    const reply = await server.call('/tenant/saml', {
      method: 'PUT',
      headers,
      body: provider.settings,
    });
    expect(reply.json.code).toBe('FORBIDDEN');
  });
});
