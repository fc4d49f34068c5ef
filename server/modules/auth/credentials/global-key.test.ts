import { BUILT_IN_ROLES } from '@cspm/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { breakable } from '../../../../tests/kit/breakable-database.ts';
import { ownerOf } from '../../../../tests/kit/case-inputs.ts';
import { cloneDatabase } from '../../../../tests/kit/database.ts';
import { rowsOf } from '../../../../tests/kit/owner-queries.ts';
import type { TestUser } from '../../../../tests/kit/people.ts';
import {
  GLOBAL_KEY_TENANT_ID,
  globalKeyHeaders,
  SHARED_CREDENTIALS,
  TEST_GLOBAL_KEY,
} from '../../../../tests/kit/shared-credentials.ts';
import { comparable } from '../../../../tests/kit/surface-checks.ts';
import { type Call, startTestServer, type TestServer } from '../../../../tests/kit/test-server.ts';

let server: TestServer;
let production: TestServer;
let user: TestUser;

beforeAll(async () => {
  server = await startTestServer({ config: SHARED_CREDENTIALS });
  const config = { ...SHARED_CREDENTIALS, production: true };
  production = await startTestServer({ database: server.database, config });
  const tenant = await server.people.tenant([], GLOBAL_KEY_TENANT_ID);
  user = await server.people.user({ tenant });
});

afterAll(async () => {
  await production.close();
  await server.close();
});

const ask = (path: string, call: Call = {}, of = server) =>
  of.call(path, { ...call, headers: { ...globalKeyHeaders, ...call.headers } });

describe('the global API key', () => {
  it('the global API key has no user and one tenant, with the role legacy in production and analyst elsewhere', async () => {
    const expected = { user: null, tenant: { id: GLOBAL_KEY_TENANT_ID }, memberships: [] };
    const here = (await ask('/auth/me')).json;
    const there = (await ask('/auth/me', {}, production)).json;
    expect(here).toMatchObject({ ...expected, role: 'analyst' });
    expect(there).toMatchObject({ ...expected, role: 'legacy' });
    expect(here.permissions).toEqual(BUILT_IN_ROLES.analyst);
    expect(there.permissions).toEqual(BUILT_IN_ROLES.legacy);
    expect(here.credential).toEqual({ kind: 'global_api_key', mfa: false, expiresAt: null });
  });

  it('responses to the global API key have deprecation headers, refusals included; those to other credentials do not', async () => {
    for (const path of ['/auth/me', '/users', '/scans/none']) {
      expect((await ask(path)).headers.get('deprecation')).toMatch(/^@\d+$/);
    }
    const other = await server.call('/auth/me', { headers: user.key });
    expect(other.headers.has('deprecation')).toBe(false);
  });

  it('the global API key cannot use administration or session endpoints', async () => {
    for (const path of ['/users', '/audit-events', '/roles']) {
      expect((await ask(path)).status).toBe(403);
    }
    const mine = await ask('/api-keys', { method: 'POST', body: { name: 'x' } });
    expect(mine.json.code).toBe('CREDENTIAL_NOT_ALLOWED');
    expect((await ask(`/api-keys/${user.keyId}`, { method: 'DELETE' })).status).toBe(404);
    expect((await ask('/api-keys')).json).toEqual({ items: [], nextCursor: null });
    expect((await ask(`/api-keys?userId=${user.id}`)).status).toBe(403);
    expect((await server.call('/auth/me', { headers: user.key })).status).toBe(200);
  });

  it('the global API key works only in its tenant, regardless of X-Tenant-ID', async () => {
    const stranger = await server.people.user();
    const reply = await ask('/auth/me', { headers: { 'x-tenant-id': stranger.tenant.id } });
    expect(reply.json.tenant.id).toBe(GLOBAL_KEY_TENANT_ID);
  });

  it.each([
    ['another one', 'another-key-of-thirty-two-characters'],
    ['one character more', `${TEST_GLOBAL_KEY}x`],
    ['one character less', TEST_GLOBAL_KEY.slice(0, -1)],
    ['in upper case', TEST_GLOBAL_KEY.toUpperCase()],
    ['per-user by its form', `cspm_${TEST_GLOBAL_KEY}`],
    ['empty', ''],
  ])(
    'the global API key is rejected like a missing credential when it is %s',
    async (_what, key) => {
      const [wrong, nobody] = [
        await server.call('/auth/me', { headers: { 'x-api-key': key } }),
        await server.call('/auth/me'),
      ];
      expect(comparable(wrong)).toBe(comparable(nobody));
    },
  );

  it('the global API key is ignored when a session is sent too, so an invalid token is answered 401', async () => {
    expect((await ask('/auth/me', { headers: user.session })).json.credential.kind).toBe('jwt');
    expect((await ask('/auth/me', { headers: { authorization: 'Bearer x' } })).status).toBe(401);
  });

  it('the global API key is audited on each use, in addition to the operation itself', async () => {
    const before = (await usesOf()).length;
    const name = (await ownerOf(server, user).has.project()).name;
    const scan = await ask('/scans', {
      method: 'POST',
      body: { projects: [name], profile: 'full' },
    });
    expect(scan.json.createdBy).toEqual({
      kind: 'global_api_key',
      id: null,
      label: 'global API key',
    });
    await ask('/scans');
    const rows = (await usesOf()).slice(before);
    expect(rows.map(({ action, subject }) => [action, subject])).toEqual([
      ['global_key.used', 'scans.launch'],
      ['scan.launched', scan.json.id],
      ['global_key.used', 'scans.list'],
    ]);
  });

  it('the global API key replays a request by its Idempotency-Key, separately from any user', async () => {
    const make = (headers: Record<string, string>, name: string) =>
      server.call('/projects', {
        method: 'POST',
        headers: { ...headers, 'idempotency-key': 'once' },
        body: { name },
      });
    const first = await make(globalKeyHeaders, 'by-nobody');
    const again = await make(globalKeyHeaders, 'by-nobody');
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(again.json).toEqual(first.json);
    expect((await make(user.key, 'by-somebody')).status).toBe(201);
  });

  const usesOf = () =>
    rowsOf(
      server.database,
      GLOBAL_KEY_TENANT_ID,
      "SELECT * FROM audit_events WHERE actor_kind = 'global_api_key' ORDER BY id",
    );
});

describe('the global API key is rejected', () => {
  it('the global API key is rejected when its tenant does not exist', async () => {
    const alone = await startTestServer({ config: SHARED_CREDENTIALS });
    expect((await ask('/auth/me', {}, alone)).status).toBe(401);
    await alone.close();
  });

  it('the global API key is rejected when none is configured', async () => {
    const without = await startTestServer({ database: server.database });
    expect((await ask('/auth/me', {}, without)).status).toBe(401);
    await without.close();
  });

  it('the global API key is answered 503 while the database is unreachable', async () => {
    const real = await cloneDatabase();
    const way = await breakable(real);
    const away = await startTestServer({ database: way.database, config: SHARED_CREDENTIALS });
    const somebody = await away.people.user();
    await way.cut();
    for (const headers of [
      globalKeyHeaders,
      somebody.key,
      { ...somebody.session, ...globalKeyHeaders },
    ]) {
      const reply = await away.call('/auth/me', { headers });
      expect(reply).toMatchObject({ status: 503, json: { code: 'AUTH_UNAVAILABLE' } });
    }
    await way.mend();
    await away.close();
    await way.close();
    await real.drop();
  });
});
