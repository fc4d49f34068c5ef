import { PERMISSIONS } from '@cspm/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rowsOf } from '../../../tests/kit/owner-queries.ts';
import type { TestTenant, TestUser } from '../../../tests/kit/people.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';
import { until } from '../../../tests/kit/until.ts';
import { newId } from '../../platform/ids.ts';

const amr = ['pwd', 'otp'];
let server: TestServer;
let admin: TestUser;

beforeAll(async () => {
  server = await startTestServer();
  admin = await server.people.user({ amr });
});

afterAll(() => server.close());

function ask(by: TestUser, method: string, path: string, body?: unknown) {
  return server.call(path, {
    method,
    headers: by.session,
    ...(body === undefined ? {} : { body }),
  });
}

const WAITING = `SELECT 1 FROM pg_stat_activity
  WHERE datname = current_database() AND usename = current_user AND wait_event_type = 'Lock'`;

const address = () => `${newId()}@example.com`;
const member = (role: string, tenant: TestTenant = admin.tenant) =>
  server.people.user({ tenant, role: role as 'viewer', amr });

describe('a member of a tenant', () => {
  it('a member of a tenant has the fields of the contract, with the last sign-in to this tenant', async () => {
    const { id, email } = await member('viewer');
    const reply = await ask(admin, 'GET', `/users/${id}`);
    expect(reply.status).toBe(200);
    expect(reply.json).toEqual({
      id,
      email,
      name: 'Test Person',
      role: 'viewer',
      status: 'active',
      twoFactorEnabled: false,
      lastLoginAt: null,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    });
  });

  it('an unknown role is refused before an unknown member', async () => {
    const path = `/users/${newId()}`;
    expect((await ask(admin, 'PATCH', path, { role: 'no-such-role' })).status).toBe(400);
    expect((await ask(admin, 'PATCH', path, { role: 'viewer' })).status).toBe(404);
  });

  it('the list of members contains each member once over all pages, newest first', async () => {
    const boss = await server.people.user();
    const ids = [boss.id];
    for (let count = 0; count < 6; count += 1)
      ids.unshift((await member('viewer', boss.tenant)).id);
    // Give all members the same time, so that the order depends on the id too.
    await server.database.owner.query(
      'UPDATE identity.memberships SET created_at = $2 WHERE tenant_id = $1 AND user_id = ANY ($3)',
      [boss.tenant.id, new Date('2026-01-01T00:00:00.123Z'), ids.slice(3)],
    );
    const seen: string[] = [];
    let cursor = '';
    do {
      const { status, json } = await ask(boss, 'GET', `/users?limit=2${cursor}`);
      expect(status).toBe(200);
      seen.push(...json.items.map(({ id }: { id: string }) => id));
      cursor = json.nextCursor === null ? '' : `&cursor=${json.nextCursor}`;
    } while (cursor !== '');
    expect(seen.slice(0, 3)).toEqual(ids.slice(0, 3));
    expect([...seen].sort()).toEqual([...ids].sort());
    expect(seen.slice(3)).toEqual(ids.slice(3).sort().reverse());
  });

  it('the list of members refuses the cursor of another tenant', async () => {
    const others = await server.people.user();
    await member('viewer', others.tenant);
    const { json } = await ask(others, 'GET', '/users?limit=1');
    const own = (await ask(admin, 'GET', '/users?limit=100')).json.items;
    const { items } = (await ask(admin, 'GET', `/users?limit=100&cursor=${json.nextCursor}`)).json;
    expect(items).toEqual(own);
  });

  it.each([
    '!',
    'bm9uZQ',
    Buffer.from(`9999-99-99T00:00:00.000Z ${newId()}`).toString('base64url'),
  ])('the list of members refuses an invalid cursor (%s)', async (cursor) => {
    const reply = await ask(admin, 'GET', `/users?cursor=${cursor}`);
    expect(reply.json).toMatchObject({ code: 'VALIDATION_FAILED' });
  });
});

describe('changing a member', () => {
  it('a changed role applies to a member from the next request on, by session and by key', async () => {
    const person = await member('analyst');
    const tryOut = async (headers: Record<string, string>) =>
      (await server.call('/projects', { method: 'POST', headers, body: { name: `p-${newId()}` } }))
        .status;
    expect([await tryOut(person.session), await tryOut(person.key)]).toEqual([201, 201]);
    const reply = await ask(admin, 'PATCH', `/users/${person.id}`, { role: 'viewer' });
    expect(reply.json).toMatchObject({ id: person.id, role: 'viewer', status: 'active' });
    expect([await tryOut(person.session), await tryOut(person.key)]).toEqual([403, 403]);
  });

  it('a disabled member is locked out immediately; once enabled again, their key works and their session does not', async () => {
    const person = await member('viewer');
    const me = async (headers: Record<string, string>) =>
      (await server.call('/auth/me', { headers })).status;
    const disabled = await ask(admin, 'PATCH', `/users/${person.id}`, { status: 'disabled' });
    expect(disabled.json.status).toBe('disabled');
    expect([await me(person.session), await me(person.key)]).toEqual([401, 401]);
    await ask(admin, 'PATCH', `/users/${person.id}`, { status: 'active' });
    expect([await me(person.session), await me(person.key)]).toEqual([401, 200]);
  });

  it("changing a member's name is allowed only if this is their only tenant", async () => {
    const alone = await member('viewer');
    await ask(admin, 'PATCH', `/users/${alone.id}`, { name: 'Alone' });
    const me = await server.call('/auth/me', { headers: alone.session });
    expect(me.json.user.name).toBe('Alone');

    const other = await server.people.user({ amr });
    const shared = await member('viewer');
    await server.people.join(shared, other.tenant, 'viewer');
    const changed = await ask(admin, 'PATCH', `/users/${shared.id}`, { name: 'Nickname' });
    expect(changed.json.name).toBe('Nickname');
    expect((await ask(other, 'GET', `/users/${shared.id}`)).json.name).toBe('Test Person');
    expect((await server.call('/auth/me', { headers: shared.key })).json.user.name).toBe(
      'Test Person',
    );
  });

  it('changing a member to the current values returns the current member', async () => {
    const person = await member('viewer');
    for (const body of [{}, { role: 'viewer' }, { status: 'active' }]) {
      const reply = await ask(admin, 'PATCH', `/users/${person.id}`, body);
      expect(reply.json).toMatchObject({ role: 'viewer', status: 'active' });
    }
  });

  it.each([
    ['to an unknown role', { role: 'no-such-role' }],
    ['to invited', { status: 'invited' }],
    ['of the address', { email: 'new@example.com' }],
    ['of the password', { passwordHash: 'x' }],
    ['of the tenant', { tenantId: newId() }],
    ['of the permissions', { permissions: ['admin.users'] }],
    ['to a name with a NUL', { name: 'a\0b' }],
  ])('changing a member %s is refused with 400 (mass assignment)', async (_what, body) => {
    const person = await member('viewer');
    const reply = await ask(admin, 'PATCH', `/users/${person.id}`, body);
    expect(reply.json).toMatchObject({ status: 400, code: 'VALIDATION_FAILED' });
  });

  it('changing a member is audited with ids, without names or addresses', async () => {
    const person = await member('viewer');
    await ask(admin, 'PATCH', `/users/${person.id}`, { name: 'Marker Name', role: 'analyst' });
    const [row] = await rowsOf(
      server.database,
      admin.tenant.id,
      'SELECT e::text AS whole, e.* FROM audit_events e WHERE subject = $1',
      [person.id],
    );
    expect(row).toMatchObject({
      action: 'user.updated',
      actor_id: admin.id,
      detail: { role: 'analyst', named: true },
    });
    expect(row?.['whole']).not.toMatch(/Marker|example\.com/);
  });
});

describe('a member cannot raise or remove', () => {
  it('a member cannot give anybody a role with permissions they do not have', async () => {
    const clerk = await server.people.user({
      tenant: admin.tenant,
      role: ['admin.users', 'scans.read'],
      amr,
    });
    const person = await member('legacy');
    const within = await server.people.role(admin.tenant, ['scans.read']);
    const beyond = await server.people.role(admin.tenant, ['scans.read', 'scans.launch']);
    const give = (role: string) => ask(clerk, 'PATCH', `/users/${person.id}`, { role });
    for (const role of ['admin', 'analyst', beyond]) {
      expect((await give(role)).json).toMatchObject({
        code: 'FORBIDDEN',
        permission: expect.any(String),
      });
      const invited = await ask(clerk, 'POST', '/users', { email: address(), role });
      expect(invited.json.code).toBe('FORBIDDEN');
    }
    expect((await give(within)).status).toBe(200);
  });

  it('a member cannot enable a disabled member with more permissions', async () => {
    const clerk = await server.people.user({ tenant: admin.tenant, role: ['admin.users'], amr });
    const boss = await member('admin');
    await ask(admin, 'PATCH', `/users/${boss.id}`, { status: 'disabled' });
    const reply = await ask(clerk, 'PATCH', `/users/${boss.id}`, { status: 'active' });
    expect(reply.json.code).toBe('FORBIDDEN');
  });

  it('a member cannot change their own role or status or remove themselves, but may change their name', async () => {
    const boss = await member('admin');
    for (const body of [{ role: 'viewer' }, { status: 'disabled' }]) {
      expect((await ask(boss, 'PATCH', `/users/${boss.id}`, body)).json.code).toBe('CONFLICT');
    }
    expect((await ask(boss, 'DELETE', `/users/${boss.id}`)).json.code).toBe('CONFLICT');
    expect((await ask(boss, 'PATCH', `/users/${boss.id}`, { name: 'Me' })).status).toBe(200);
  });

  it.each([
    ['demoted', 'PATCH', { role: 'viewer' }],
    ['disabled', 'PATCH', { status: 'disabled' }],
    ['removed', 'DELETE', undefined],
  ])('the last active admin cannot be %s', async (_what, method, body) => {
    const last = await server.people.user({ amr });
    // The deputy has all permissions of an admin without being one. The second admin is disabled and does not count.
    const deputy = await server.people.user({
      tenant: last.tenant,
      role: PERMISSIONS,
      amr,
    });
    const off = await member('admin', last.tenant);
    await ask(last, 'PATCH', `/users/${off.id}`, { status: 'disabled' });
    const attempt = await ask(deputy, method, `/users/${last.id}`, body);
    expect(attempt.json).toMatchObject({ code: 'CONFLICT', detail: expect.stringMatching('last') });
    expect((await ask(last, 'GET', `/users/${last.id}`)).json).toMatchObject({
      role: 'admin',
      status: 'active',
    });
  });

  it('two admins who remove each other concurrently leave one admin', async () => {
    for (const [method, body] of [
      ['PATCH', { role: 'viewer' }],
      ['PATCH', { status: 'disabled' }],
      ['DELETE', undefined],
    ] as const) {
      const one = await server.people.user({ amr });
      const other = await member('admin', one.tenant);
      // Let both requests pass their checks before either takes effect.
      const { owner } = server.database;
      await owner.query('BEGIN');
      await owner.query('SELECT 1 FROM identity.tenants WHERE id = $1 FOR UPDATE', [one.tenant.id]);
      const asked = Promise.all([
        ask(one, method, `/users/${other.id}`, body),
        ask(other, method, `/users/${one.id}`, body),
      ]);
      await until('both to wait for their turn', async () => {
        const { rows } = await server.services.authenticator.pool.query(WAITING);
        return rows.length === 2;
      });
      await owner.query('COMMIT');
      const statuses = (await asked).map(({ status }) => status).sort();
      expect(statuses).toEqual([method === 'DELETE' ? 204 : 200, 409]);
      const { rows } = await server.database.owner.query(
        "SELECT 1 FROM identity.memberships WHERE tenant_id = $1 AND role = 'admin' AND status = 'active'",
        [one.tenant.id],
      );
      expect(rows).toHaveLength(1);
    }
  });
});

describe('changes of members', () => {
  it('changes of members require a session with a second factor, and refuse every key', async () => {
    const plain = await server.people.user({ tenant: admin.tenant });
    const person = await member('viewer');
    for (const headers of [plain.session, plain.key]) {
      for (const [method, path, body] of [
        ['POST', '/users', { email: address(), role: 'viewer' }],
        ['PATCH', `/users/${person.id}`, { role: 'legacy' }],
        ['DELETE', `/users/${person.id}`, undefined],
      ] as const) {
        const reply = await server.call(path, {
          method,
          headers,
          ...(body === undefined ? {} : { body }),
        });
        expect([method, reply.json?.code]).toEqual([method, 'MFA_REQUIRED']);
      }
    }
  });
});
