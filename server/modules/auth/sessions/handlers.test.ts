import { decodeJwt } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TestUser } from '../../../../tests/kit/people.ts';
import { comparable } from '../../../../tests/kit/surface-checks.ts';
import { startTestServer, type TestServer } from '../../../../tests/kit/test-server.ts';
import { newId } from '../../../platform/ids.ts';

let server: TestServer;
let user: TestUser;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

beforeEach(async () => {
  user = await server.people.user();
});

type Headers = Record<string, string>;

const list = async (headers: Headers = user.session, query = '') =>
  (await server.call(`/sessions${query}`, { headers })).json;
const end = (id: string, headers: Headers = user.session) =>
  server.call(`/sessions/${id}`, { method: 'DELETE', headers });
const statusOf = async (headers: Headers) => (await server.call('/auth/me', { headers })).status;
const idsOf = (page: { items: { id: string }[] }) => page.items.map(({ id }) => id);

async function signIn(tenantId?: string) {
  const { email, password } = user;
  const body = { email, password, ...(tenantId === undefined ? {} : { tenantId }) };
  const { json } = await server.call('/auth/login', { method: 'POST', body });
  const id = String(decodeJwt(json.accessToken)['sid']);
  return {
    id,
    headers: { authorization: `Bearer ${json.accessToken}` },
    refreshToken: json.refreshToken,
  };
}

describe('the list of sessions', () => {
  it("the list of sessions shows one's own sessions, newest first, and marks the current one", async () => {
    const second = await signIn();
    await server.people.user({ tenant: user.tenant });
    const { items, nextCursor } = await list(second.headers);
    expect(idsOf({ items })).toEqual([second.id, user.sessionId]);
    expect(nextCursor).toBeNull();
    expect(items.map((item: { current: boolean }) => item.current)).toEqual([true, false]);
    expect(items[0]).toEqual({
      id: second.id,
      tenantId: user.tenant.id,
      current: true,
      mfa: false,
      createdAt: expect.any(String),
      lastUsedAt: items[0].createdAt,
      expiresAt: new Date(Date.parse(items[0].createdAt) + 7 * 24 * 3600 * 1000).toISOString(),
    });
  });

  it('the list of sessions includes sessions in other tenants', async () => {
    const elsewhere = await server.people.tenant();
    await server.people.join(user, elsewhere, 'viewer');
    const there = await signIn(elsewhere.id);
    const { items } = await list();
    expect(items[0]).toMatchObject({ id: there.id, tenantId: elsewhere.id, current: false });
    expect((await end(there.id)).status).toBe(204);
    expect(await statusOf(there.headers)).toBe(401);
  });

  it('the list of sessions shows when a session was last refreshed, and whether it has passed a second factor', async () => {
    const raised = await server.people.session(user, ['pwd', 'otp']);
    server.clock.advance({ hours: 1 });
    const { refreshToken } = raised;
    await server.call('/auth/refresh', { method: 'POST', body: { refreshToken } });
    const { items } = await list((await signIn()).headers);
    const [shown] = items.filter(({ id }: { id: string }) => id === raised.id);
    expect(shown.mfa).toBe(true);
    expect(Date.parse(shown.lastUsedAt) - Date.parse(shown.createdAt)).toBeGreaterThanOrEqual(
      3.6e6,
    );
  });

  it('the list of sessions omits sessions that were signed out, revoked, or unused for 7 days', async () => {
    const [out, revoked, idle] = [await signIn(), await signIn(), await signIn()];
    await server.call('/auth/logout', { method: 'POST', body: { refreshToken: out.refreshToken } });
    await end(revoked.id);
    expect(idsOf(await list())).toEqual([idle.id, user.sessionId]);
    server.clock.advance({ days: 7 });
    const fresh = await signIn();
    const listed = idsOf(await list(fresh.headers));
    expect(listed).toContain(fresh.id);
    expect(listed).not.toContain(idle.id);
  });

  it('the list of sessions is paged, with each session once', async () => {
    for (let count = 0; count < 4; count += 1) await signIn();
    const first = await list(user.session, '?limit=2');
    const second = await list(user.session, `?limit=2&cursor=${first.nextCursor}`);
    const third = await list(user.session, `?limit=2&cursor=${second.nextCursor}`);
    const walked = [first, second, third].flatMap(idsOf);
    expect(walked).toEqual(idsOf(await list()));
    expect(new Set(walked).size).toBe(5);
    expect(third.nextCursor).toBeNull();
  });
});

describe('ending a session', () => {
  it('ending a session rejects its access tokens and its refresh token from the next request on, and keeps other sessions', async () => {
    const second = await signIn();
    expect((await end(second.id)).status).toBe(204);
    expect(await statusOf(second.headers)).toBe(401);
    const { refreshToken } = second;
    const refreshed = await server.call('/auth/refresh', {
      method: 'POST',
      body: { refreshToken },
    });
    expect(refreshed.status).toBe(401);
    expect(await statusOf(user.session)).toBe(200);
  });

  it('a person may end the current session', async () => {
    expect((await end(user.sessionId)).status).toBe(204);
    expect(await statusOf(user.session)).toBe(401);
  });

  it("ending another person's session is answered like ending an unknown one, and changes neither", async () => {
    const colleague = await server.people.user({ tenant: user.tenant });
    const stranger = await server.people.user();
    const unknown = await end(newId());
    expect(unknown).toMatchObject({ status: 404, json: { code: 'NOT_FOUND' } });
    for (const other of [colleague, stranger]) {
      expect(comparable(await end(other.sessionId))).toBe(comparable(unknown));
      expect(await statusOf(other.session)).toBe(200);
    }
  });

  it('ending a session that has already ended is answered 404', async () => {
    const second = await signIn();
    const replies = await Promise.all([1, 2, 3].map(() => end(second.id)));
    expect(replies.map(({ status }) => status).sort()).toEqual([204, 404, 404]);
    const rows = await server.services.tenants.read(user.tenant.id, (db) =>
      db.sql({
        name: 'test-revocations',
        text: `SELECT subject FROM audit_events WHERE action = 'session.revoked' AND outcome = 'success'`,
      }),
    );
    expect(rows).toEqual([{ subject: second.id }]);
  });

  it('ending a session requires a session: an API key, which may be stolen, is refused', async () => {
    const reply = await end(user.sessionId, user.key);
    expect(reply).toMatchObject({ status: 403, json: { code: 'CREDENTIAL_NOT_ALLOWED' } });
    expect(await statusOf(user.session)).toBe(200);
  });
});

describe("a session opened by a tenant's identity provider", () => {
  it("a session opened by a tenant's identity provider lists and ends only sessions in that tenant", async () => {
    const elsewhere = await server.people.tenant();
    await server.people.join(user, elsewhere, 'viewer');
    const there = await signIn(elsewhere.id);
    const here = await signIn(user.tenant.id);
    const { id, headers } = await server.people.session(user, ['saml']);
    expect(idsOf(await list(headers))).toEqual([id, here.id, user.sessionId]);
    expect((await end(there.id, headers)).status).toBe(404);
    expect((await end(here.id, headers)).status).toBe(204);
    await server.call('/auth/logout-all', { method: 'POST', headers });
    expect(await statusOf(user.session)).toBe(401);
    expect(await statusOf(there.headers)).toBe(200);
  });
});

describe('POST /auth/logout-all', () => {
  it('POST /auth/logout-all ends every session of the person in every tenant from the next request on, and nothing else', async () => {
    const elsewhere = await server.people.tenant();
    await server.people.join(user, elsewhere, 'viewer');
    const colleague = await server.people.user({ tenant: user.tenant });
    const sessions = [await signIn(user.tenant.id), await signIn(elsewhere.id)];
    const reply = await server.call('/auth/logout-all', { method: 'POST', headers: user.session });
    expect(reply.status).toBe(204);
    for (const { headers } of [{ headers: user.session }, ...sessions]) {
      expect(await statusOf(headers)).toBe(401);
    }
    for (const { refreshToken } of [user, ...sessions]) {
      const refreshed = await server.call('/auth/refresh', {
        method: 'POST',
        body: { refreshToken },
      });
      expect(refreshed.status).toBe(401);
    }
    expect(await statusOf(user.key)).toBe(200);
    expect(await statusOf(colleague.session)).toBe(200);
    expect(await statusOf((await signIn()).headers)).toBe(200);
    const [row] = await server.services.tenants.read(user.tenant.id, (db) =>
      db.sql({
        name: 'test-logout-all',
        text: `SELECT actor_id, detail FROM audit_events WHERE action = 'auth.logout_all'`,
      }),
    );
    expect(row).toMatchObject({ actor_id: user.id, detail: { ended: 3 } });
  });

  it('POST /auth/logout-all takes effect on every instance immediately', async () => {
    const other = await startTestServer({ database: server.database });
    other.clock.advance({ days: 7, hours: 1 });
    expect((await other.call('/auth/me', { headers: user.session })).status).toBe(200);
    await server.call('/auth/logout-all', { method: 'POST', headers: user.session });
    expect((await other.call('/auth/me', { headers: user.session })).status).toBe(401);
    await other.close();
  });
});
