import { BUILT_IN_ROLES, contract, PERMISSIONS, type RoutePolicy } from '@cspm/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../tests/kit/test-server.ts';
import { RouteTable } from './match.ts';

const { rules, profiles } = contract;

/** No route of the contract has these guards yet, so the tests add them to a route. */
const guarded = new RouteTable({
  ...contract,
  profiles: { list: { ...profiles.list, metadata: { ...profiles.list.metadata, mfa: true } } },
  rules: {
    list: { ...rules.list, metadata: { ...rules.list.metadata, feature: 'sso' } },
    get: { ...rules.get, metadata: strictest(rules.get.metadata) },
  },
});

function strictest(policy: RoutePolicy): RoutePolicy {
  return { ...policy, credentials: ['jwt'], feature: 'sso', mfa: true };
}

describe('a guarded operation', () => {
  let server: TestServer;

  beforeAll(async () => {
    server = await startTestServer({ routes: guarded });
  });

  afterAll(() => server.close());

  it('a guarded operation that requires a second factor refuses keys and sessions without one', async () => {
    const { people, call } = server;
    const user = await people.user();
    for (const headers of [user.session, user.key]) {
      const reply = await call('/profiles', { headers });
      expect(reply).toMatchObject({ status: 403, json: { code: 'MFA_REQUIRED' } });
      expect(reply.headers.get('x-tenant-id')).toBe(user.tenant.id);
    }
  });

  it('a guarded operation that requires a second factor accepts a session that has passed one', async () => {
    const user = await server.people.user({ amr: ['pwd', 'otp'] });
    expect((await server.call('/profiles', { headers: user.session })).status).toBe(200);
  });

  it('a guarded operation of a licensed feature refuses a tenant without the feature, and names it', async () => {
    const tenant = await server.people.tenant(['custom_rules', 'audit_export']);
    const user = await server.people.user({ tenant });
    for (const headers of [user.session, user.key]) {
      const reply = await server.call('/rules', { headers });
      expect(reply).toMatchObject({
        status: 403,
        json: { code: 'FEATURE_NOT_LICENSED', feature: 'sso' },
      });
    }
  });

  it('a guarded operation of a licensed feature accepts a tenant that has it', async () => {
    const user = await server.people.user({ tenant: await server.people.tenant(['sso']) });
    expect((await server.call('/rules', { headers: user.key })).status).toBe(200);
  });

  it('a guarded operation names the first missing requirement: kind of credential, permission, feature, second factor', async () => {
    const { people, call } = server;
    const licensed = await people.tenant(['sso']);
    const role = PERMISSIONS.filter((permission) => permission !== 'rules.read');
    const weakest = await people.user({ role });
    const permitted = await people.user();
    const single = await people.user({ tenant: licensed });
    const whole = await people.user({ tenant: licensed, amr: ['pwd', 'otp'] });
    const codeFor = async (headers: Record<string, string>) => {
      const reply = await call('/rules/bucket-public', { headers });
      return reply.json.code ?? reply.status;
    };
    expect(await codeFor(weakest.key)).toBe('CREDENTIAL_NOT_ALLOWED');
    expect(await codeFor(weakest.session)).toBe('FORBIDDEN');
    expect(await codeFor(permitted.session)).toBe('FEATURE_NOT_LICENSED');
    expect(await codeFor(single.session)).toBe('MFA_REQUIRED');
    expect(await codeFor(whole.session)).toBe(200);
  });
});

describe('the built-in roles', () => {
  let server: TestServer;

  beforeAll(async () => {
    server = await startTestServer();
  });

  afterAll(() => server.close());

  it.each(['admin', 'analyst', 'viewer', 'legacy'] as const)(
    'the built-in role %s has the permissions of the catalogue, as its owner sees them',
    async (role) => {
      const user = await server.people.user({ role });
      const { json } = await server.call('/auth/me', { headers: user.key });
      expect(json.role).toBe(role);
      expect([...json.permissions].sort()).toEqual([...BUILT_IN_ROLES[role]].sort());
    },
  );

  it('the built-in roles have exactly the specified permissions', () => {
    expect(BUILT_IN_ROLES.admin).toEqual(PERMISSIONS);
    expect(BUILT_IN_ROLES.analyst).toEqual(PERMISSIONS.filter((p) => !p.startsWith('admin.')));
    expect([...BUILT_IN_ROLES.viewer].sort()).toEqual(
      [
        'findings.read',
        'keys.own',
        'preflight.run',
        'projects.read',
        'rules.read',
        'scans.read',
      ].sort(),
    );
    expect([...BUILT_IN_ROLES.legacy].sort()).toEqual(
      ['findings.read', 'preflight.run', 'projects.read', 'scans.read'].sort(),
    );
  });

  it('built-in roles keep their built-in meaning when a tenant has a custom role of the same name', async () => {
    const user = await server.people.user({ role: 'viewer' });
    await server.database.owner.query(
      `INSERT INTO identity.roles (tenant_id, name, permissions) VALUES ($1, 'viewer', $2)`,
      [user.tenant.id, ['admin.users']],
    );
    const { json } = await server.call('/auth/me', { headers: user.key });
    expect(json.permissions).not.toContain('admin.users');
  });

  it('a built-in role that no longer exists has no permissions', async () => {
    const user = await server.people.user({ role: ['rules.read'] });
    await server.database.owner.query('DELETE FROM identity.roles WHERE tenant_id = $1', [
      user.tenant.id,
    ]);
    const reply = await server.call('/rules', { headers: user.key });
    expect(reply).toMatchObject({ status: 403, json: { permission: 'rules.read' } });
  });
});
