import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cloneDatabase } from '../../../../tests/kit/database.ts';
import type { TestTenant } from '../../../../tests/kit/people.ts';
import {
  masterKeyHeaders,
  SHARED_CREDENTIALS,
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

const servers: TestServer[] = [];

/** A server with its own database, so that no other test has used the master key. */
async function serverWith(config: Parameters<typeof startTestServer>[0] = {}): Promise<TestServer> {
  const server = await startTestServer(config);
  servers.push(server);
  return server;
}

afterAll(async () => {
  for (const server of servers.reverse()) await server.close();
});

describe('break-glass, while it is off,', () => {
  it('break-glass rejects every master key while it is off, and counts the attempt', async () => {
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
  ])(
    'break-glass in production rejects right and wrong keys in the same way when the reason is missing: %s',
    async (_what, reason) => {
      for (const key of [TEST_MASTER_KEY, 'wrong']) {
        const headers = { 'x-master-key': key, 'x-tenant-id': tenant.id, ...reason };
        const reply = await server.call('/auth/me', { headers });
        expect(reply).toMatchObject({ status: 400, json: { code: 'BREAK_GLASS_REASON_REQUIRED' } });
      }
      const { rows } = await server.database.owner.query(
        'SELECT * FROM identity.break_glass_windows',
      );
      expect(rows).toEqual([]);
    },
  );

  it('break-glass in production rejects a reason that is too long or has control characters with 400', async () => {
    for (const reason of ['x'.repeat(501), 'a\tb', 'a\u0085b']) {
      const headers = { ...masterKeyHeaders(tenant), 'x-break-glass-reason': reason };
      const reply = await server.call('/auth/me', { headers });
      expect(reply).toMatchObject({ status: 400, json: { code: 'VALIDATION_FAILED' } });
    }
  });

  it('break-glass in production checks reason, key, presence of the tenant and its existence in this order', async () => {
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

  it('break-glass in production prefers the master key to every other credential, valid or not', async () => {
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
  it('the attempts with a master key are limited to ten per hour and address, over all operations and results', async () => {
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
  it('the time limit of a master key starts once with the first request and ends for good, on all servers and across restarts', async () => {
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
