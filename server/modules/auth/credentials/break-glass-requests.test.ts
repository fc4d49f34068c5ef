import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BreakableDatabase, breakable } from '../../../../tests/kit/breakable-database.ts';
import { cloneDatabase, type TestDatabase } from '../../../../tests/kit/database.ts';
import { mailsTo } from '../../../../tests/kit/mailbox.ts';
import { rowsOf } from '../../../../tests/kit/owner-queries.ts';
import type { TestTenant, TestUser } from '../../../../tests/kit/people.ts';
import {
  GLOBAL_KEY_TENANT_ID,
  globalKeyHeaders,
  masterKeyHeaders,
  SHARED_CREDENTIALS,
  TEST_GLOBAL_KEY,
  TEST_MASTER_KEY,
} from '../../../../tests/kit/shared-credentials.ts';
import { comparable } from '../../../../tests/kit/surface-checks.ts';
import { startTestServer, type TestServer } from '../../../../tests/kit/test-server.ts';
import { newId } from '../../../platform/ids.ts';

const { breakGlass } = SHARED_CREDENTIALS;

let database: TestDatabase;
const servers: TestServer[] = [];

/** A server with its own database, so that no other test has used the master key. */
async function serverWith(config: Parameters<typeof startTestServer>[0] = {}): Promise<TestServer> {
  const server = await startTestServer(config);
  servers.push(server);
  return server;
}

beforeAll(async () => {
  database = await cloneDatabase();
});

afterAll(async () => {
  for (const server of servers.reverse()) await server.close();
  await database.drop();
});

const usesIn = (server: TestServer, tenant: TestTenant) =>
  rowsOf(
    server.database,
    tenant.id,
    "SELECT * FROM audit_events WHERE action = 'break_glass.used' ORDER BY id",
  );

describe('a request with a master key', () => {
  let server: TestServer;
  let admin: TestUser;
  let headers: Record<string, string>;

  beforeAll(async () => {
    server = await serverWith({ config: { breakGlass } });
    admin = await server.people.user();
    headers = masterKeyHeaders(admin.tenant, 'the admin lost her phone');
  });

  it('a request with a master key has no user, few permissions, and ends with the time limit', async () => {
    const reply = await server.call('/auth/me', { headers });
    expect(reply.headers.get('x-tenant-id')).toBe(admin.tenant.id);
    expect(reply.json).toMatchObject({
      user: null,
      tenant: { id: admin.tenant.id },
      credential: { kind: 'master_key', mfa: false, expiresAt: expect.any(String) },
      memberships: [],
    });
    expect([...reply.json.permissions].sort()).toEqual([
      'admin.audit',
      'admin.settings',
      'admin.users',
      'findings.read',
      'projects.read',
      'scans.read',
    ]);
  });

  it('a request with a master key is refused every operation outside its permissions', async () => {
    const blocked: [string, string, unknown][] = [
      ['POST', '/scans', { projects: ['x'], profile: 'full' }],
      ['POST', '/projects', { name: 'x' }],
      ['GET', '/rules', undefined],
      ['GET', '/api-keys', undefined],
      ['POST', '/api-keys', { name: 'x' }],
    ];
    for (const [method, path, body] of blocked) {
      expect((await server.call(path, { method, headers, body })).status).toBe(403);
    }
    for (const path of ['/scans', '/findings', '/projects', '/users', '/audit-events']) {
      expect((await server.call(path, { headers })).status).toBe(200);
    }
  });

  it('a master key may assign a built-in role that it does not have, without a second factor, but no custom role', async () => {
    const viewer = await server.people.user({ tenant: admin.tenant, role: 'viewer' });
    const role = await server.people.role(admin.tenant, ['scans.launch']);
    const give = (name: string) =>
      server.call(`/users/${viewer.id}`, { method: 'PATCH', headers, body: { role: name } });
    expect((await give('admin')).json).toMatchObject({ role: 'admin' });
    expect(await give(role)).toMatchObject({ status: 403, json: { permission: 'scans.launch' } });
    const define = await server.call('/roles', {
      method: 'POST',
      headers,
      body: { name: 'more', permissions: ['scans.launch'] },
    });
    expect(define.status).toBe(403);
  });

  it('a request with a master key cannot see another tenant', async () => {
    const stranger = await server.people.user();
    const [theirs, nobody] = [
      await server.call(`/users/${stranger.id}`, { headers }),
      await server.call(`/users/${newId()}`, { headers }),
    ];
    expect(theirs.status).toBe(404);
    const plain = (reply: typeof theirs) =>
      comparable(reply).replaceAll(/"break-glass"; ?r=\d+/g, '');
    expect(plain(theirs)).toBe(plain(nobody));
  });

  it('a request with a master key is audited before the action with reason, route and origin, and mailed to the admins', async () => {
    const owner = await server.people.user();
    await server.people.user({ tenant: owner.tenant, role: 'analyst' });
    const use = masterKeyHeaders(owner.tenant, 'to look at the users');
    await server.call('/users', {
      headers: { ...use, 'x-correlation-id': 'look' },
      ip: '198.51.100.9',
    });
    await server.call('/rules', { headers: use });
    const rows = await usesIn(server, owner.tenant);
    expect(rows.map(({ subject }) => subject)).toEqual(['users.list', 'rules.list']);
    expect(rows[0]).toMatchObject({
      outcome: 'success',
      actor_kind: 'master_key',
      actor_id: null,
      actor_label: 'master key',
      ip: '198.51.100.9',
      correlation_id: 'look',
      detail: { reason: 'to look at the users' },
    });
    const mails = await mailsTo(server, owner.email);
    expect(mails).toHaveLength(2);
    expect(mails[0]?.text).toContain('to look at the users');
    const { rows: all } = await server.database.owner.query(
      'SELECT u.email FROM identity.memberships m JOIN identity.users u ON u.id = m.user_id WHERE m.tenant_id = $1 AND m.role = $2',
      [owner.tenant.id, 'analyst'],
    );
    expect(await mailsTo(server, all[0].email)).toEqual([]);
  });

  it('a request with a master key is not executed when it cannot be audited', async () => {
    const owner = await server.people.user();
    const viewer = await server.people.user({ tenant: owner.tenant, role: 'viewer' });
    const { owner: db } = server.database;
    await db.query(
      "ALTER TABLE audit_events ADD CONSTRAINT no_use CHECK (action <> 'break_glass.used') NOT VALID",
    );
    try {
      const reply = await server.call(`/users/${viewer.id}`, {
        method: 'DELETE',
        headers: masterKeyHeaders(owner.tenant),
      });
      expect(reply).toMatchObject({ status: 503, json: { code: 'AUTH_UNAVAILABLE' } });
      expect((await server.call('/auth/me', { headers: viewer.key })).status).toBe(200);
    } finally {
      await db.query('ALTER TABLE audit_events DROP CONSTRAINT no_use');
    }
  });

  it('a request with a master key cannot be sent by a web page, because CORS never allows the header', async () => {
    const open = await startTestServer({
      database: server.database,
      config: { breakGlass, corsOrigins: ['https://app.example.com'] },
    });
    const reply = await open.call('/auth/me', {
      method: 'OPTIONS',
      headers: {
        origin: 'https://app.example.com',
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'x-master-key',
      },
    });
    expect(reply.headers.get('access-control-allow-headers')?.toLowerCase()).not.toContain(
      'master',
    );
    await open.close();
  });
});

describe('the log', () => {
  it('the log never contains a master key, a global key or a reason, even after an internal error', async () => {
    const lines: string[] = [];
    const server = await serverWith({
      config: SHARED_CREDENTIALS,
      log: { write: (line: string) => void lines.push(line) },
    });
    const tenant = await server.people.tenant([], GLOBAL_KEY_TENANT_ID);
    const right = masterKeyHeaders(tenant, 'REASONofTheUse');
    const { owner: db } = server.database;
    for (const headers of [
      right,
      { ...right, 'x-master-key': 'WRONGmasterKey' },
      globalKeyHeaders,
    ]) {
      for (const path of ['/auth/me', '/users', '/nothing']) await server.call(path, { headers });
      await db.query('ALTER TABLE audit_events ADD CONSTRAINT none CHECK (false) NOT VALID');
      await server.call('/users', { headers });
      await db.query('ALTER TABLE audit_events DROP CONSTRAINT none');
    }
    const all = lines.join('');
    expect(lines.length).toBeGreaterThan(12);
    expect(all).toContain('"principal":"master_key"');
    for (const secret of [TEST_MASTER_KEY, 'WRONGmasterKey', TEST_GLOBAL_KEY, 'REASONofTheUse']) {
      expect(all).not.toContain(secret);
    }
  });
});

describe('break-glass while the database is unreachable', () => {
  let way: BreakableDatabase;

  it('break-glass answers 503 for a correct key and 401 for a wrong one while the database is unreachable', async () => {
    way = await breakable(database);
    const server = await startTestServer({ database: way.database, config: SHARED_CREDENTIALS });
    const user = await server.people.user();
    await way.cut();
    const right = masterKeyHeaders(user.tenant);
    for (const headers of [right, { ...right, ...user.key }, { ...right, ...user.session }]) {
      const reply = await server.call('/auth/me', { headers });
      expect(reply).toMatchObject({ status: 503, json: { code: 'AUTH_UNAVAILABLE' } });
    }
    const wrong = { ...right, 'x-master-key': 'wrong' };
    expect((await server.call('/auth/me', { headers: wrong })).status).toBe(401);
    await way.mend();
    await server.close();
    await way.close();
  });
});
