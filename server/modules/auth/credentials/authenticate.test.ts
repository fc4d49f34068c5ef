import { PERMISSIONS } from '@cspm/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TestUser } from '../../../../tests/kit/people.ts';
import { rawRequest } from '../../../../tests/kit/raw-request.ts';
import { comparable } from '../../../../tests/kit/surface-checks.ts';
import { startTestServer, type TestServer } from '../../../../tests/kit/test-server.ts';

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

describe('an API key in the Authorization header', () => {
  it.each(['Bearer', 'bearer', 'BEARER '])(
    'an API key in the Authorization header is refused with 401 and a hint to the X-API-Key header: %s',
    async (scheme) => {
      const key = user.key['x-api-key'];
      const reply = await me({ authorization: `${scheme} ${key}` });
      expect(reply.status).toBe(401);
      expect(reply.headers.get('www-authenticate')).toBe('Bearer');
      expect(reply.json).toMatchObject({
        code: 'UNAUTHORIZED',
        detail:
          'The Authorization header contains an API key. Send API keys in the X-API-Key header.',
      });
      expect(reply.text).not.toContain(key);
    },
  );

  it('an API key in the Authorization header gets the same answer whether the key is valid or not', async () => {
    const valid = await me({ authorization: `Bearer ${user.key['x-api-key']}` });
    const invalid = await me({ authorization: `Bearer ${changed(user.key['x-api-key'], -1)}` });
    expect(comparable(invalid)).toBe(comparable(valid));
  });
});

describe('a per-user key', () => {
  /** Each case creates a key that must not work. */
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
    'whose owner is no longer a member': async () => {
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
    'with a trailing character': async () => `${user.key['x-api-key']}x`,
    'cut short': async () => user.key['x-api-key'].slice(0, -1),
    'without its secret': async () => user.key['x-api-key'].slice(0, 17),
    'with another prefix': async () => user.key['x-api-key'].replace('cspm_', 'other_'),
    'with SQL in it': async () => "cspm_x' OR '1'='1",
    empty: async () => '',
    'of 10 kB': async () => `cspm_${'x'.repeat(10_000)}`,
  };

  it.each(Object.entries(dead))(
    'an API key is rejected like a missing credential: %s',
    async (_what, make) => {
      const nobody = comparable(await me());
      const key = await make();
      expect(comparable(await me({ 'x-api-key': key }))).toBe(nobody);
    },
  );

  it('a per-user API key is rejected from the moment it expires', async () => {
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

  it('a per-user API key authenticates its owner in its one tenant, even if the owner has others', async () => {
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

/** Replaces one character of a key with another valid one. */
function changed(key: string, at: number): string {
  const index = at < 0 ? key.length + at : at;
  return key.slice(0, index) + (key[index] === 'a' ? 'b' : 'a') + key.slice(index + 1);
}

describe('access changes apply to a key and to a session from the next request on:', () => {
  const statusOf = async (path: string, call: { method?: string; body?: unknown } = {}) => {
    const statuses = await Promise.all(
      [user.key, user.session].map(
        async (headers) => (await server.call(path, { ...call, headers })).status,
      ),
    );
    expect(statuses[0]).toBe(statuses[1]);
    return statuses[0];
  };

  it('a new role applies to keys and sessions from the next request on', async () => {
    const blocked = { method: 'POST', body: { projects: ['none'], profile: 'full' } };
    expect(await statusOf('/scans', blocked)).toBe(422);
    await server.people.join(user, user.tenant, 'viewer');
    expect(await statusOf('/scans', blocked)).toBe(403);
    expect(await statusOf('/scans')).toBe(200);
    await server.people.join(user, user.tenant, 'analyst');
    expect(await statusOf('/scans', blocked)).toBe(422);
  });

  it('a permission that a custom role loses or gains applies to keys and sessions from the next request on', async () => {
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

  it('an ended membership is rejected from the next request on, and a new membership does not revive the key', async () => {
    await run('DELETE FROM identity.memberships WHERE user_id = $1', [user.id]);
    expect(await statusOf('/rules')).toBe(401);
    await server.people.join(user, user.tenant, 'admin');
    expect(await statusOf('/rules')).toBe(401);
  });

  it('a disabled user is rejected from the next request on, and accepted again when enabled', async () => {
    await run('UPDATE identity.users SET disabled_at = now() WHERE id = $1', [user.id]);
    expect(await statusOf('/rules')).toBe(401);
    await run('UPDATE identity.users SET disabled_at = NULL WHERE id = $1', [user.id]);
    expect(await statusOf('/rules')).toBe(200);
  });

  it('a feature that the tenant gains is available from the next request on', async () => {
    expect((await me(user.key)).json.tenant.features).toEqual([]);
    await run('UPDATE identity.tenants SET features = $2 WHERE id = $1', [user.tenant.id, ['sso']]);
    expect((await me(user.key)).json.tenant.features).toEqual(['sso']);
  });

  it('a revoked session is rejected from the next request on', async () => {
    await run('UPDATE identity.sessions SET revoked_at = now() WHERE id = $1', [user.sessionId]);
    expect((await me(user.session)).status).toBe(401);
    expect((await me(user.key)).status).toBe(200);
  });
});

describe('a request with several credentials', () => {
  let second: TestUser;

  beforeEach(async () => {
    second = await server.people.user();
  });

  it('a request with several credentials uses the session rather than the key', async () => {
    expect((await me({ ...user.session, ...second.key })).json.user.id).toBe(user.id);
    expect((await me({ ...user.session, 'x-api-key': 'cspm_none' })).status).toBe(200);
  });

  it.each<[string, Record<string, string>]>([
    ['an invalid token', { authorization: 'Bearer none' }],
    ['an empty Authorization', { authorization: '' }],
    ['Bearer without a token', { authorization: 'Bearer' }],
    ['another scheme', { authorization: 'Basic YTpi' }],
    [
      'a master key while break-glass is off',
      { 'x-master-key': 'a master key of thirty-two bytes' },
    ],
    ['an empty master key', { 'x-master-key': '' }],
  ])('a request with %s is rejected, although its API key is valid', async (_what, headers) => {
    const reply = await me({ ...headers, ...user.key });
    expect(reply).toMatchObject({ status: 401, json: { code: 'UNAUTHORIZED' } });
  });

  it('a request with a master key is rejected while break-glass is off, although its session is valid', async () => {
    expect((await me({ 'x-master-key': 'x', ...user.session })).status).toBe(401);
    const reason = { 'x-break-glass-reason': 'an emergency', 'x-tenant-id': user.tenant.id };
    expect((await me({ 'x-master-key': 'x', ...reason })).status).toBe(401);
  });

  it('a request with an invalid API key is rejected, although it carries a cookie and a name in the URL', async () => {
    const reply = await rawRequest(server.url, {
      line: 'GET http://user:password@test/auth/me HTTP/1.1',
      headers: ['X-API-Key: cspm_none', `Cookie: ${user.session.authorization}`],
    });
    expect(reply.status).toBe(401);
  });
});

describe('an operation that needs no credential', () => {
  it.each([
    { authorization: 'Bearer dead' },
    { authorization: '' },
    { 'x-api-key': 'cspm_dead' },
    { 'x-master-key': 'dead' },
  ])('an operation that needs no credential ignores an invalid credential: %o', async (headers) => {
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
  it('GET /auth/me shows the user, tenant, permissions and expiry of a session, and the other tenants of the user', async () => {
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

  it('GET /auth/me works with every credential, regardless of its permissions', async () => {
    const powerless = await server.people.user({ role: [] });
    const { status, json } = await me(powerless.key);
    expect(status).toBe(200);
    expect(json.permissions).toEqual([]);
  });
});
