import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TestTenant, TestUser } from '../../../tests/kit/people.ts';
import { comparable } from '../../../tests/kit/surface-checks.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';
import { newId } from '../../platform/ids.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

const at = (tenantId: string) => ({ 'x-tenant-id': tenantId });

describe('X-Tenant-ID in a response', () => {
  it.each([
    ['200', '/projects', 'GET', undefined],
    ['404 unknown id', `/scans/${newId()}`, 'GET', undefined],
    ['404 malformed id', '/scans/none', 'GET', undefined],
    ['400 query', '/projects?surplus=1', 'GET', undefined],
    ['400 body', '/projects', 'POST', { name: '' }],
    ['415', '/projects', 'POST', 'text'],
    ['422', '/scans', 'POST', { projects: ['none'], profile: 'full' }],
  ])(
    'X-Tenant-ID in a response names the tenant of the credential: %s',
    async (status, path, method, body) => {
      const user = await server.people.user();
      for (const headers of [user.key, user.session]) {
        const reply = await server.call(path, { method, headers, body });
        expect(reply.status).toBe(Number.parseInt(status, 10));
        expect(reply.headers.get('x-tenant-id')).toBe(user.tenant.id);
      }
    },
  );

  it('X-Tenant-ID in a response is missing when no credential was accepted or needed', async () => {
    const { key } = await server.people.user();
    const invalid = { authorization: 'Bearer x' };
    for (const reply of [
      await server.call('/projects'),
      await server.call('/projects', { headers: invalid }),
      await server.call('/nothing', { headers: key }),
      await server.call('/projects', { method: 'PATCH', headers: key }),
      await server.call('/health/live', { headers: key }),
    ]) {
      expect(reply.headers.has('x-tenant-id')).toBe(false);
    }
  });
});

describe('X-Tenant-ID of a session that may administer users and settings', () => {
  let user: TestUser;
  let second: TestTenant;

  beforeEach(async () => {
    user = await server.people.user();
    second = await server.people.tenant();
    await server.people.join(user, second, 'viewer');
  });

  const me = (headers: Record<string, string>) =>
    server.call('/auth/me', { headers: { ...user.session, ...headers } });

  it("X-Tenant-ID of an administrator's session selects another tenant of the user, with the permissions there", async () => {
    for (const tenantId of [second.id, second.id.toUpperCase()]) {
      const reply = await me(at(tenantId));
      expect(reply).toMatchObject({
        status: 200,
        json: { tenant: { id: second.id }, role: 'viewer', user: { id: user.id } },
      });
      expect(reply.headers.get('x-tenant-id')).toBe(second.id);
      expect(reply.json.permissions).not.toContain('admin.users');
    }
    const write = await server.call('/projects', {
      method: 'POST',
      headers: { ...user.session, ...at(second.id) },
      body: { name: 'a' },
    });
    expect(write).toMatchObject({ status: 403, json: { permission: 'projects.write' } });
    expect(write.headers.get('x-tenant-id')).toBe(second.id);
  });

  it("X-Tenant-ID of an administrator's session restricts reads and changes to that tenant, and the audit trail shows the origin", async () => {
    await server.people.join(user, second, 'admin');
    const headers = { ...user.session, ...at(second.id) };
    const name = `only-there-${newId()}`;
    expect(
      (await server.call('/projects', { method: 'POST', headers, body: { name } })).status,
    ).toBe(201);
    expect((await server.call(`/projects/${name}`, { headers })).status).toBe(200);
    expect((await server.call(`/projects/${name}`, { headers: user.session })).status).toBe(404);
    const [row] = await server.services.tenants.read(second.id, (db) =>
      db.sql({ name: 'test-trail', text: 'SELECT * FROM audit_events' }),
    );
    expect(row).toMatchObject({ actor_id: user.id, target_tenant_id: second.id, subject: name });
  });

  it("X-Tenant-ID of an administrator's session has no effect when it names the session's own tenant", async () => {
    for (const tenantId of [user.tenant.id, user.tenant.id.toUpperCase()]) {
      expect((await me(at(tenantId))).json.tenant.id).toBe(user.tenant.id);
    }
  });

  it("X-Tenant-ID of an administrator's session is refused with one answer for a malformed, unknown or foreign tenant", async () => {
    const foreign = await server.people.tenant();
    const replies = await Promise.all(
      [foreign.id, newId(), 'not-an-id', `${second.id} `.trim().slice(1), ' ', '*'].map((id) =>
        me(at(id)),
      ),
    );
    for (const reply of replies) {
      expect(reply).toMatchObject({ status: 403, json: { code: 'FORBIDDEN' } });
      expect(reply.headers.get('x-tenant-id')).toBe(user.tenant.id);
      expect(comparable(reply)).toBe(comparable(replies[0] ?? reply));
    }
  });

  it("X-Tenant-ID of an administrator's session is refused as soon as the membership there ends", async () => {
    expect((await me(at(second.id))).status).toBe(200);
    await server.database.owner.query(
      'DELETE FROM identity.memberships WHERE user_id = $1 AND tenant_id = $2',
      [user.id, second.id],
    );
    expect((await me(at(second.id))).status).toBe(403);
  });

  it("X-Tenant-ID of an administrator's session does not give access to a third tenant", async () => {
    await server.people.join(user, user.tenant, 'viewer');
    await server.people.join(user, second, 'admin');
    expect((await me(at(second.id))).json.tenant.id).toBe(user.tenant.id);
  });

  it('X-Tenant-ID does not change the 401 for an invalid credential', async () => {
    const reply = await server.call('/auth/me', {
      headers: { authorization: 'Bearer none', ...at(second.id) },
    });
    expect(reply.status).toBe(401);
  });
});

describe('X-Tenant-ID is ignored', () => {
  async function tenantSeenBy(headers: Record<string, string>, asked: string) {
    const reply = await server.call('/auth/me', { headers: { ...headers, ...at(asked) } });
    return { status: reply.status, id: reply.json.tenant.id };
  }

  it('X-Tenant-ID is ignored with an API key, even for an admin with two tenants', async () => {
    const user = await server.people.user();
    const second = await server.people.tenant();
    await server.people.join(user, second, 'admin');
    for (const asked of [second.id, newId(), 'nonsense']) {
      expect(await tenantSeenBy(user.key, asked)).toEqual({ status: 200, id: user.tenant.id });
    }
  });

  it.each([
    ['a viewer', 'viewer' as const],
    ['an analyst', 'analyst' as const],
    ['a member with admin.users only', ['admin.users', 'keys.own'] as const],
    ['a member with admin.settings only', ['admin.settings'] as const],
  ])('X-Tenant-ID is ignored with the session of %s', async (_who, role) => {
    const user = await server.people.user({ role });
    const second = await server.people.tenant();
    await server.people.join(user, second, 'admin');
    for (const asked of [second.id, newId(), 'nonsense']) {
      expect(await tenantSeenBy(user.session, asked)).toEqual({ status: 200, id: user.tenant.id });
    }
  });
});
