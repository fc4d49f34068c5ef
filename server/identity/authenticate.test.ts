import { PERMISSIONS } from '@cspm/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TestUser } from '../testing/people.ts';
import { rawRequest } from '../testing/raw-request.ts';
import { comparable } from '../testing/surface-checks.ts';
import { startTestServer, type TestServer } from '../testing/test-server.ts';

let server: TestServer;
let user: TestUser;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

beforeEach(async () => {
  user = await server.people.user();
});

const me = (headers: Record<string, string> = {}) => server.call('/auth/me', { headers });
const run = (statement: string, values: unknown[]) =>
  server.database.owner.query(statement, values);

describe('a per-user key', () => {
  /** Each leaves a key that must not open anything. */
  const dead: Record<string, () => Promise<string>> = {
    'that was revoked': async () => {
      await run('UPDATE identity.api_keys SET revoked_at = now() WHERE id = $1', [user.keyId]);
      return user.key['x-api-key'];
    },
    'that has expired': async () => {
      const past = new Date(server.clock.now().getTime() - 1);
      return (await server.people.key(user, past)).key;
    },
    'whose owner is disabled': async () => {
      await run('UPDATE identity.users SET disabled_at = now() WHERE id = $1', [user.id]);
      return user.key['x-api-key'];
    },
    'whose owner is no member any more': async () => {
      await run('DELETE FROM identity.memberships WHERE user_id = $1', [user.id]);
      return user.key['x-api-key'];
    },
    'whose tenant is gone': async () => {
      await run('DELETE FROM identity.tenants WHERE id = $1', [user.tenant.id]);
      return user.key['x-api-key'];
    },
    'with another secret': async () => changed(user.key['x-api-key'], -1),
    'with another id': async () => changed(user.key['x-api-key'], 6),
    'with the secret of another key': async () => {
      const { key } = await server.people.key(user);
      return `${user.key['x-api-key'].slice(0, 18)}${key.slice(18)}`;
    },
    'in lower case': async () => user.key['x-api-key'].toLowerCase(),
    'with something after it': async () => `${user.key['x-api-key']}x`,
    'that is cut': async () => user.key['x-api-key'].slice(0, -1),
    'without its secret': async () => user.key['x-api-key'].slice(0, 17),
    'of another prefix': async () => user.key['x-api-key'].replace('cspm_', 'other_'),
    'of SQL': async () => "cspm_x' OR '1'='1",
    'that is empty': async () => '',
    'of 10 kB': async () => `cspm_${'x'.repeat(10_000)}`,
  };

  it.each(Object.entries(dead))(
    '%s is refused in the bytes of no credential',
    async (_what, make) => {
      const nobody = comparable(await me());
      const key = await make();
      expect(comparable(await me({ 'x-api-key': key }))).toBe(nobody);
    },
  );

  it('is refused from the moment that it expires, and not before', async () => {
    const later = await startTestServer({ database: server.database });
    try {
      const end = new Date(later.clock.now().getTime() + 3600_000);
      const { headers } = await later.people.key(user, end);
      later.clock.advance({ minutes: 59 });
      const reply = await later.call('/auth/me', { headers });
      expect(reply.json.credential.expiresAt).toBe(end.toISOString());
      later.clock.advance({ minutes: 2 });
      expect((await later.call('/auth/me', { headers })).status).toBe(401);
    } finally {
      await later.close();
    }
  });

  it('stands for its owner in its one tenant, whatever others the owner has', async () => {
    const second = await server.people.user();
    await server.people.join(user, second.tenant, 'admin');
    const { json } = await me(user.key);
    expect(json).toMatchObject({
      user: { id: user.id, email: user.email },
      tenant: { id: user.tenant.id },
      credential: { kind: 'api_key', mfa: false, expiresAt: null },
    });
  });
});

/** A key with one character changed for another that a key may hold. */
function changed(key: string, at: number): string {
  const index = at < 0 ? key.length + at : at;
  return key.slice(0, index) + (key[index] === 'a' ? 'b' : 'a') + key.slice(index + 1);
}

describe('on the very next request, of a key and of a session alike,', () => {
  const statusOf = async (path: string, call: { method?: string; body?: unknown } = {}) => {
    const statuses = await Promise.all(
      [user.key, user.session].map(
        async (headers) => (await server.call(path, { ...call, headers })).status,
      ),
    );
    expect(statuses[0]).toBe(statuses[1]);
    return statuses[0];
  };

  it('another role has the permissions of that role', async () => {
    const blocked = { method: 'POST', body: { projects: ['none'], profile: 'full' } };
    expect(await statusOf('/scans', blocked)).toBe(422);
    await server.people.join(user, user.tenant, 'viewer');
    expect(await statusOf('/scans', blocked)).toBe(403);
    expect(await statusOf('/scans')).toBe(200);
    await server.people.join(user, user.tenant, 'analyst');
    expect(await statusOf('/scans', blocked)).toBe(422);
  });

  it('a permission taken from the role of a tenant is gone, and one given to it is there', async () => {
    await server.people.join(user, user.tenant, ['rules.read']);
    expect(await statusOf('/rules')).toBe(200);
    expect(await statusOf('/projects')).toBe(403);
    await run('UPDATE identity.roles SET permissions = $2 WHERE tenant_id = $1', [
      user.tenant.id,
      ['projects.read'],
    ]);
    expect(await statusOf('/rules')).toBe(403);
    expect(await statusOf('/projects')).toBe(200);
  });

  it('a membership that ended is refused, and one begun anew does not revive it', async () => {
    await run('DELETE FROM identity.memberships WHERE user_id = $1', [user.id]);
    expect(await statusOf('/rules')).toBe(401);
    await server.people.join(user, user.tenant, 'admin');
    expect(await statusOf('/rules')).toBe(401);
  });

  it('a disabled user is refused, and served again when enabled', async () => {
    await run('UPDATE identity.users SET disabled_at = now() WHERE id = $1', [user.id]);
    expect(await statusOf('/rules')).toBe(401);
    await run('UPDATE identity.users SET disabled_at = NULL WHERE id = $1', [user.id]);
    expect(await statusOf('/rules')).toBe(200);
  });

  it('a feature that the tenant was given is there', async () => {
    expect((await me(user.key)).json.tenant.features).toEqual([]);
    await run('UPDATE identity.tenants SET features = $2 WHERE id = $1', [user.tenant.id, ['sso']]);
    expect((await me(user.key)).json.tenant.features).toEqual(['sso']);
  });

  it('a session that was revoked is refused', async () => {
    await run('UPDATE identity.sessions SET revoked_at = now() WHERE id = $1', [user.sessionId]);
    expect((await me(user.session)).status).toBe(401);
    expect((await me(user.key)).status).toBe(200);
  });
});

describe('of several credentials, the first presented decides:', () => {
  let second: TestUser;

  beforeEach(async () => {
    second = await server.people.user();
  });

  it('a session goes before a key', async () => {
    expect((await me({ ...user.session, ...second.key })).json.user.id).toBe(user.id);
    expect((await me({ ...user.session, 'x-api-key': 'cspm_none' })).status).toBe(200);
  });

  it.each<[string, Record<string, string>]>([
    ['an invalid token', { authorization: 'Bearer none' }],
    ['an empty Authorization', { authorization: '' }],
    ['Bearer without a token', { authorization: 'Bearer' }],
    ['another scheme', { authorization: 'Basic YTpi' }],
    ['a master key, which is off', { 'x-master-key': 'a master key of thirty-two bytes' }],
    ['an empty master key', { 'x-master-key': '' }],
  ])('%s is not passed over for a valid key', async (_what, headers) => {
    const reply = await me({ ...headers, ...user.key });
    expect(reply).toMatchObject({ status: 401, json: { code: 'UNAUTHORIZED' } });
  });

  it('a master key, which is off, is not passed over for a valid session', async () => {
    expect((await me({ 'x-master-key': 'x', ...user.session })).status).toBe(401);
    const reason = { 'x-break-glass-reason': 'an emergency', 'x-tenant-id': user.tenant.id };
    expect((await me({ 'x-master-key': 'x', ...reason })).status).toBe(401);
  });

  it('an invalid key is not passed over for a cookie or a name in the address', async () => {
    const reply = await rawRequest(server.url, {
      line: 'GET http://user:password@test/auth/me HTTP/1.1',
      headers: ['X-API-Key: cspm_none', `Cookie: ${user.session.authorization}`],
    });
    expect(reply.status).toBe(401);
  });
});

describe('where no credential is wanted,', () => {
  it.each([
    { authorization: 'Bearer dead' },
    { authorization: '' },
    { 'x-api-key': 'cspm_dead' },
    { 'x-master-key': 'dead' },
  ])('a dead one is in nobody’s way: %o', async (headers) => {
    for (const path of ['/health/live', '/openapi.json', '/problems/forbidden']) {
      expect((await server.call(path, { headers })).status).toBe(200);
    }
    const login = await server.call('/auth/login', {
      method: 'POST',
      headers,
      body: { email: user.email, password: user.password },
    });
    expect(login.status).toBe(200);
  });
});

describe('GET /auth/me', () => {
  it('tells of a session who, where, what and until when, and where else', async () => {
    const second = await server.people.user();
    await server.people.join(user, second.tenant, 'viewer');
    const both = await server.people.session(user, ['pwd', 'otp']);
    const { json } = await me(both.headers);
    expect(json).toEqual({
      user: {
        id: user.id,
        email: user.email,
        name: 'Test Person',
        emailVerified: true,
        twoFactorEnabled: false,
      },
      tenant: { id: user.tenant.id, name: user.tenant.name, features: [] },
      role: 'admin',
      permissions: [...PERMISSIONS],
      credential: { kind: 'jwt', mfa: true, expiresAt: expect.stringMatching(/^\d{4}-.*Z$/) },
      memberships: [
        { tenantId: user.tenant.id, tenantName: user.tenant.name, role: 'admin' },
        { tenantId: second.tenant.id, tenantName: second.tenant.name, role: 'viewer' },
      ],
    });
  });

  it('is open to whoever has a credential, whatever it may do', async () => {
    const powerless = await server.people.user({ role: [] });
    const { status, json } = await me(powerless.key);
    expect(status).toBe(200);
    expect(json.permissions).toEqual([]);
  });
});
