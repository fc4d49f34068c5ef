import { BUILT_IN_ROLES, PERMISSIONS } from '@cspm/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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

function ask(by: TestUser, method: string, path: string, body?: unknown) {
  return server.call(path, {
    method,
    headers: by.session,
    ...(body === undefined ? {} : { body }),
  });
}

const define = (name: string, permissions: readonly string[], by = admin) =>
  ask(by, 'POST', '/roles', { name, permissions });
const redefine = (name: string, permissions: readonly string[], by = admin) =>
  ask(by, 'PUT', `/roles/${name}`, { permissions });
const name = () => `role-${newId()}`;

describe('roles', () => {
  it('the list of roles is complete, with built-in ones first, then custom ones by name', async () => {
    const boss = await server.people.user({ amr });
    for (const each of ['zeta', 'alpha']) await define(each, ['scans.read'], boss);
    const { json } = await ask(boss, 'GET', '/roles');
    expect(json.nextCursor).toBeNull();
    const builtIn = Object.entries(BUILT_IN_ROLES).map(([role, permissions]) => ({
      name: role,
      permissions,
      builtIn: true,
    }));
    const own = ['alpha', 'zeta'].map((role) => ({
      name: role,
      permissions: ['scans.read'],
      builtIn: false,
    }));
    expect(json.items).toEqual([...builtIn, ...own]);
  });

  it('a role stores each permission once, in the order of the catalogue', async () => {
    const role = name();
    const reply = await define(role, ['admin.audit', 'scans.read', 'admin.audit']);
    expect(reply.status).toBe(201);
    const view = { name: role, permissions: ['scans.read', 'admin.audit'], builtIn: false };
    expect(reply.json).toEqual(view);
    expect((await ask(admin, 'GET', '/roles')).json.items).toContainEqual(view);
  });

  it('members lose a permission that is removed from their role with the next request', async () => {
    const role = name();
    await define(role, ['rules.read', 'scans.read']);
    const person = await server.people.user({ tenant: admin.tenant, role: 'viewer' });
    await ask(admin, 'PATCH', `/users/${person.id}`, { role });
    const statuses = async () =>
      Promise.all(
        [person.session, person.key].map(
          async (headers) => (await server.call('/rules', { headers })).status,
        ),
      );
    expect(await statuses()).toEqual([200, 200]);
    const changed = await redefine(role, ['scans.read']);
    expect(changed).toMatchObject({ status: 200, json: { permissions: ['scans.read'] } });
    expect(await statuses()).toEqual([403, 403]);
  });

  it('a role cannot get permissions that its author lacks, when created or changed', async () => {
    const clerk = await server.people.user({
      tenant: admin.tenant,
      role: ['admin.users', 'scans.read'],
      amr,
    });
    const role = name();
    for (const permission of PERMISSIONS.filter(
      (each) => !['admin.users', 'scans.read'].includes(each),
    )) {
      const reply = await define(role, ['scans.read', permission], clerk);
      expect(reply.json).toMatchObject({ code: 'FORBIDDEN', permission });
    }
    expect((await define(role, ['scans.read'], clerk)).status).toBe(201);
    expect((await redefine(role, ['scans.launch'], clerk)).json.code).toBe('FORBIDDEN');
    // This includes their own role, which would be a way to gain permissions.
    const own = (await server.call('/auth/me', { headers: clerk.session })).json.role;
    expect((await redefine(own, [...PERMISSIONS], clerk)).json.code).toBe('FORBIDDEN');
    expect((await redefine('admin', [...PERMISSIONS], clerk)).json.code).toBe('FORBIDDEN');
  });

  it('a role with an existing name is refused with 409, and the name remains free in other tenants', async () => {
    const role = name();
    expect((await define(role, ['scans.read'])).status).toBe(201);
    for (const taken of [role, 'admin', 'legacy']) {
      expect((await define(taken, ['scans.read'])).json.code).toBe('CONFLICT');
    }
    const other = await server.people.user({ amr });
    expect((await define(role, ['scans.read'], other)).status).toBe(201);
  });

  it('a role is refused when the tenant already has 500, also when two are created at the same time', async () => {
    const boss = await server.people.user({ amr });
    await server.database.owner.query(
      `INSERT INTO identity.roles (tenant_id, name, permissions)
       SELECT $1, 'role-' || n, '{scans.read}' FROM generate_series(1, 499) n`,
      [boss.tenant.id],
    );
    const replies = await Promise.all(
      ['last', 'late'].map((role) => define(role, ['scans.read'], boss)),
    );
    expect(replies.map(({ status }) => status).toSorted()).toEqual([201, 409]);
    const refused = replies.find(({ status }) => status === 409);
    expect(refused?.json).toMatchObject({
      code: 'CONFLICT',
      detail: expect.stringContaining('500'),
    });
    expect((await ask(boss, 'DELETE', '/roles/role-1')).status).toBe(204);
    expect((await define('another', ['scans.read'], boss)).status).toBe(201);
  });

  it('built-in roles cannot be changed or deleted', async () => {
    for (const role of Object.keys(BUILT_IN_ROLES)) {
      expect((await redefine(role, ['scans.read'])).json.code).toBe('CONFLICT');
      expect((await ask(admin, 'DELETE', `/roles/${role}`)).json.code).toBe('CONFLICT');
    }
  });

  it('a role in use by a member, an invitation or single sign-on cannot be deleted', async () => {
    const role = name();
    await define(role, ['scans.read']);
    const drop = () => ask(admin, 'DELETE', `/roles/${role}`);
    const person = await server.people.user({ tenant: admin.tenant, role: 'viewer' });
    await ask(admin, 'PATCH', `/users/${person.id}`, { role });
    expect((await drop()).json.code).toBe('CONFLICT');
    await ask(admin, 'DELETE', `/users/${person.id}`);
    const email = `${newId()}@example.com`;
    const { json: invited } = await ask(admin, 'POST', '/users', { email, role });
    expect((await drop()).json.code).toBe('CONFLICT');
    await ask(admin, 'DELETE', `/users/${invited.id}`);
    await server.database.owner.query(
      `INSERT INTO identity.saml_connections
         (tenant_id, id, entity_id, sso_url, certificates, email_domains, default_role, created_at)
       VALUES ($1, $2, 'idp', 'https://idp.example', '{}', '{}', $3, now())`,
      [admin.tenant.id, newId(), role],
    );
    expect((await drop()).json.code).toBe('CONFLICT');
    await server.database.owner.query(
      'DELETE FROM identity.saml_connections WHERE tenant_id = $1',
      [admin.tenant.id],
    );
    expect((await drop()).status).toBe(204);
    expect((await drop()).status).toBe(404);
  });

  it('a role is not deleted while it is being assigned', async () => {
    const person = await server.people.user({ tenant: admin.tenant, role: 'viewer' });
    for (let round = 0; round < 5; round += 1) {
      const role = name();
      await define(role, ['scans.read']);
      const [given, dropped] = await Promise.all([
        ask(admin, 'PATCH', `/users/${person.id}`, { role }),
        ask(admin, 'DELETE', `/roles/${role}`),
      ]);
      expect([
        [200, 409],
        [400, 204],
      ]).toContainEqual([given.status, dropped.status]);
    }
  });

  it.each([
    ['an invalid name', { name: 'Boss!' }],
    ['an empty name', { name: '' }],
    ['an unknown permission', { permissions: ['*'] }],
    ['no permission', { permissions: [] }],
    ['the field builtIn', { builtIn: true }],
  ])('a role with %s is refused with 400', async (_what, more) => {
    const body = { name: name(), permissions: ['scans.read'], ...more };
    expect((await ask(admin, 'POST', '/roles', body)).json.code).toBe('VALIDATION_FAILED');
  });

  it('roles of another tenant cannot be assigned, changed or deleted, and are answered like unknown ones', async () => {
    const stranger = await server.people.user();
    const theirs = await server.people.role(stranger.tenant, ['scans.read']);
    const person = await server.people.user({ tenant: admin.tenant, role: 'viewer' });
    const texts = async (role: string) => {
      const replies = [
        await redefine(role, ['rules.read']),
        await ask(admin, 'DELETE', `/roles/${role}`),
        await ask(admin, 'PATCH', `/users/${person.id}`, { role }),
      ];
      return replies.map(({ status, json }) => [status, json.code, json.detail]);
    };
    expect(await texts(theirs)).toEqual(await texts(name()));
    const { json } = await ask(admin, 'GET', '/roles');
    expect(json.items.map((role: { name: string }) => role.name)).not.toContain(theirs);
  });
});
