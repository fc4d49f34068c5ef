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
import {
  freshAddress,
  startTestServer,
  type TestServer,
} from '../../../../tests/kit/test-server.ts';
import { newId } from '../../../platform/ids.ts';

const { breakGlass } = SHARED_CREDENTIALS;
const DELIBERATE = { 'x-break-glass-reason': 'an emergency' };

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

describe('break-glass, while it is off,', () => {
  it('rejects every key like a wrong one, grants nothing and counts the attempt', async () => {
    const off = await serverWith();
    const on = await serverWith({
      config: { breakGlass: { ...breakGlass, key: `${TEST_MASTER_KEY}x` } },
    });
    const user = await off.people.user();
    const ask = (server: TestServer) =>
      server.call('/auth/me', { headers: { ...masterKeyHeaders(user.tenant), ...user.key } });
    const [refused, wrong] = [await ask(off), await ask(on)];
    expect(refused).toMatchObject({ status: 401, json: { code: 'UNAUTHORIZED' } });
    expect(comparable(refused)).toBe(comparable(wrong));
    expect(refused.headers.get('ratelimit')).toMatch(/"break-glass"; ?r=9; ?t=3600/);
    expect(refused.headers.get('ratelimit-policy')).toMatch(/"break-glass"; ?q=10; ?w=3600/);
  });
});

describe('break-glass in production', () => {
  let server: TestServer;
  let tenant: TestTenant;

  beforeAll(async () => {
    server = await serverWith({ config: { production: true, breakGlass } });
    tenant = await server.people.tenant();
  });

  it.each<[string, Record<string, string>]>([
    ['no header', {}],
    ['empty header', { 'x-break-glass-reason': '' }],
    ['only blanks', { 'x-break-glass-reason': '   ' }],
  ])('rejects right and wrong keys alike when the reason is missing: %s', async (_what, reason) => {
    for (const key of [TEST_MASTER_KEY, 'wrong']) {
      const headers = { 'x-master-key': key, 'x-tenant-id': tenant.id, ...reason };
      const reply = await server.call('/auth/me', { headers });
      expect(reply).toMatchObject({ status: 400, json: { code: 'BREAK_GLASS_REASON_REQUIRED' } });
    }
    const { rows } = await server.database.owner.query(
      'SELECT * FROM identity.break_glass_windows',
    );
    expect(rows).toEqual([]);
  });

  it('rejects a reason that is too long or has control characters with 400', async () => {
    for (const reason of ['x'.repeat(501), 'a\tb', 'a\u0085b']) {
      const headers = { ...masterKeyHeaders(tenant), 'x-break-glass-reason': reason };
      const reply = await server.call('/auth/me', { headers });
      expect(reply).toMatchObject({ status: 400, json: { code: 'VALIDATION_FAILED' } });
    }
  });

  it('checks reason, key, presence of the tenant and its existence in this order', async () => {
    const ask = async (headers: Record<string, string>) => {
      const { status, json } = await server.call('/auth/me', { headers });
      return `${status} ${json.code}`;
    };
    const wrong = { 'x-master-key': 'wrong' };
    const right = { 'x-master-key': TEST_MASTER_KEY };
    expect(await ask({ ...wrong })).toBe('400 BREAK_GLASS_REASON_REQUIRED');
    expect(await ask({ ...wrong, ...DELIBERATE })).toBe('401 UNAUTHORIZED');
    expect(await ask({ ...right, ...DELIBERATE })).toBe('400 TENANT_REQUIRED');
    for (const named of [newId(), 'none', "' OR true --"]) {
      const headers = { ...right, ...DELIBERATE, 'x-tenant-id': named };
      expect(await ask(headers)).toBe('404 NOT_FOUND');
    }
  });

  it('prefers the master key to every other credential, valid or not', async () => {
    const user = await server.people.user();
    const other = { ...user.session, ...user.key };
    const good = await server.call('/auth/me', {
      headers: { ...other, ...masterKeyHeaders(tenant) },
    });
    expect(good.json.credential.kind).toBe('master_key');
    const bad = await server.call('/auth/me', {
      headers: { ...other, ...DELIBERATE, 'x-master-key': 'wrong' },
    });
    expect(bad.status).toBe(401);
  });
});

describe('the attempts with a master key', () => {
  it('are limited to ten per hour and address, whatever the operation and the result', async () => {
    const server = await serverWith({ config: { breakGlass } });
    const tenant = await server.people.tenant();
    const ip = freshAddress();
    const good = masterKeyHeaders(tenant);
    const attempts: [string, Record<string, string>, number][] = [
      ['/auth/me', good, 200],
      ['/api/v1/auth/me', good, 200],
      ['/auth/me', { ...good, 'x-master-key': 'wrong' }, 401],
      ['/auth/me', { ...good, 'x-master-key': '' }, 401],
      ['/auth/me', { ...good, 'x-master-key': 'a, b' }, 400],
      ['/nothing', good, 404],
      ['/scans/none', good, 404],
      ['/rules', good, 403],
      ['/problems/forbidden', good, 200],
      ['/auth/me', { 'x-master-key': TEST_MASTER_KEY }, 400],
      ['/auth/me', good, 429],
      ['/API/v1/AUTH/me/', good, 429],
    ];
    for (const [path, headers, status] of attempts) {
      expect([path, (await server.call(path, { headers, ip })).status]).toEqual([path, status]);
    }
    const refused = await server.call('/auth/me', { headers: good, ip });
    expect(refused.json.limit).toBe('break-glass');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3500);
    expect((await server.call('/problems/forbidden', { ip })).status).toBe(200);
    expect((await server.call('/auth/me', { headers: good })).status).toBe(200);
  });
});

describe('the time limit of a master key', () => {
  it('starts once with the first request and ends for good, on all servers and across restarts', async () => {
    const own = await cloneDatabase();
    const config = { breakGlass: { key: TEST_MASTER_KEY, ttlMinutes: 30 } };
    const [one, other] = [
      await startTestServer({ database: own, config }),
      await startTestServer({ database: own, config }),
    ];
    try {
      const headers = masterKeyHeaders(await one.people.tenant());
      const ask = (server: TestServer) => server.call('/auth/me', { headers });
      const first = await Promise.all([one, other, one, other].map(ask));
      const ends = first.map(({ json }) => json.credential.expiresAt);
      expect(new Set(ends).size).toBe(1);
      const left = Date.parse(ends[0]) - one.clock.now().getTime();
      expect(left).toBeLessThanOrEqual(30 * 60_000);
      expect(left).toBeGreaterThan(29 * 60_000);
      one.clock.advance({ minutes: 29 });
      expect((await ask(one)).status).toBe(200);
      one.clock.advance({ minutes: 1 });
      other.clock.advance({ days: 400 });
      for (const server of [one, other]) expect((await ask(server)).status).toBe(401);
      const restarted = await startTestServer({ database: own, config });
      restarted.clock.advance({ hours: 1 });
      expect((await ask(restarted)).status).toBe(401);
      await restarted.close();
      const replaced = await startTestServer({
        database: own,
        config: {
          breakGlass: { ...config.breakGlass, key: 'another-key-of-thirty-two-characters' },
        },
      });
      const renewed = { ...headers, 'x-master-key': 'another-key-of-thirty-two-characters' };
      expect((await replaced.call('/auth/me', { headers: renewed })).status).toBe(200);
      await replaced.close();
    } finally {
      await one.close();
      await other.close();
      await own.drop();
    }
  });
});

describe('a request with a master key', () => {
  let server: TestServer;
  let admin: TestUser;
  let headers: Record<string, string>;

  beforeAll(async () => {
    server = await serverWith({ config: { breakGlass } });
    admin = await server.people.user();
    headers = masterKeyHeaders(admin.tenant, 'the admin lost her phone');
  });

  it('has no user, a small set of permissions and ends with the time limit', async () => {
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

  it('is refused every operation outside that set', async () => {
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

  it('may give a built-in role it does not hold, without a second factor, but no custom role', async () => {
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

  it('cannot see another tenant', async () => {
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

  it('is audited before the action with reason, route and origin, and mailed to the admins', async () => {
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

  it('is not executed when it cannot be audited', async () => {
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

  it('cannot be sent by a web page, because CORS never allows the header', async () => {
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
  it('never contains a master key, a global key or a reason, even after an internal error', async () => {
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

  it('answers 503 for a right key, even beside a weaker credential, and 401 for a wrong one', async () => {
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
