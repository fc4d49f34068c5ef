import { FEATURES } from '@cspm/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Belongings } from '../../../tests/kit/fixtures.ts';
import { TestIdentityProvider } from '../../../tests/kit/identity-provider.ts';
import { rowsOf, waitingFor } from '../../../tests/kit/owner-queries.ts';
import type { TestUser } from '../../../tests/kit/people.ts';
import { type Reply, startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';
import { until } from '../../../tests/kit/until.ts';

// An administrator loses their permissions while a change of theirs waits for the lock of the tenant.

const provider = new TestIdentityProvider();
let server: TestServer;
let admin: TestUser;
let other: TestUser;
let role: string;
let domain: string;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

beforeEach(async () => {
  const tenant = await server.people.tenant(FEATURES);
  const amr = ['pwd', 'otp'];
  await server.people.user({ tenant, amr });
  admin = await server.people.user({ tenant, amr });
  other = await server.people.user({ tenant, role: 'viewer' });
  role = await server.people.role(tenant, ['scans.read']);
  const has = new Belongings(server.services, server.database, tenant);
  domain = await has.verifiedDomain();
  await has.samlConnection(provider, false);
});

const rows = (sql: string) => rowsOf(server.database, admin.tenant.id, sql);

/** Sends the request while the tenant is locked, and changes the admin when the request waits. */
async function duringChange(change: string, request: () => Promise<Reply>): Promise<Reply> {
  const { owner } = server.database;
  await owner.query('BEGIN');
  try {
    await rows('SELECT identity.lock_tenant()');
    const reply = request();
    const waits = async () => (await waitingFor(server.database, 'true')).length === 1;
    await until('the request to wait', waits);
    await owner.query(change, [admin.id]);
    await owner.query('COMMIT');
    return await reply;
  } finally {
    await owner.query('ROLLBACK');
  }
}

const DEMOTION = "SELECT identity.change_member($1, NULL, 'viewer', NULL, now())";

const ask = (method: string, path: string, body?: object) =>
  server.call(path, {
    method,
    headers: admin.session,
    ...(body === undefined ? {} : { body }),
  });

const invite = () => ask('POST', '/users', { email: 'accomplice@example.com', role: 'admin' });

const CHANGES: Record<string, () => Promise<Reply>> = {
  'POST /users': invite,
  'PATCH /users/{id}': () => ask('PATCH', `/users/${other.id}`, { role: 'admin' }),
  'DELETE /users/{id}': () => ask('DELETE', `/users/${other.id}`),
  'POST /roles': () => ask('POST', '/roles', { name: 'new', permissions: ['admin.users'] }),
  'PUT /roles/{name}': () => ask('PUT', `/roles/${role}`, { permissions: ['admin.users'] }),
  'DELETE /roles/{name}': () => ask('DELETE', `/roles/${role}`),
  'PUT /tenant/saml': () => ask('PUT', '/tenant/saml', provider.settings),
  'DELETE /tenant/saml': () => ask('DELETE', '/tenant/saml'),
  'DELETE /tenant/domains/{domain}': () => ask('DELETE', `/tenant/domains/${domain}`),
};

describe('a change by an administrator who loses their permissions meanwhile', () => {
  it.each(Object.entries(CHANGES))(
    '%s is refused when its administrator is demoted while it waits',
    async (_operation, request) => {
      const reply = await duringChange(DEMOTION, request);
      expect(reply).toMatchObject({ status: 403, json: { code: 'FORBIDDEN' } });
    },
  );

  it.each([
    ['is removed', 'SELECT identity.remove_member($1)'],
    ['ends their sessions', 'SELECT identity.revoke_sessions($1, NULL, now())'],
  ])('an invitation is refused when its administrator %s while it waits', async (_how, change) => {
    const reply = await duringChange(change, invite);
    expect(reply).toMatchObject({ status: 401, json: { code: 'UNAUTHORIZED' } });
    const invited = 'SELECT 1 FROM identity.users WHERE email = $1';
    const { rows: found } = await server.database.owner.query(invited, ['accomplice@example.com']);
    expect(found).toEqual([]);
  });
});
