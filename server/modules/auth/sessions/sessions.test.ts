import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TestUser } from '../../../../tests/kit/people.ts';
import { comparable } from '../../../../tests/kit/surface-checks.ts';
import { type Reply, startTestServer, type TestServer } from '../../../../tests/kit/test-server.ts';

let server: TestServer;
let user: TestUser;
let tokens: { accessToken: string; refreshToken: string };

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

beforeEach(async () => {
  user = await server.people.user();
  tokens = await signIn();
});

async function signIn() {
  const { email, password } = user;
  const reply = await server.call('/auth/login', { method: 'POST', body: { email, password } });
  expect(reply.status).toBe(200);
  return reply.json;
}

const refresh = (refreshToken: string, headers: Record<string, string> = {}) =>
  server.call('/auth/refresh', { method: 'POST', headers, body: { refreshToken } });

const logout = (refreshToken: string) =>
  server.call('/auth/logout', { method: 'POST', body: { refreshToken } });

const statusOf = async (accessToken: string) =>
  (await server.call('/auth/me', { headers: { authorization: `Bearer ${accessToken}` } })).status;

/** The tenant's audit rows of refreshes and logouts. */
async function trail(): Promise<string[]> {
  const rows = await server.services.tenants.read(user.tenant.id, (db) =>
    db.sql<{ action: string; outcome: string; how: string | null; actor_id: string | null }>({
      name: 'test-session-trail',
      text: `SELECT action, outcome, detail->>'outcome' AS how, actor_id FROM audit_events
             WHERE action <> 'auth.login' ORDER BY at, id`,
    }),
  );
  expect(rows.every((row) => row['actor_id'] === user.id)).toBe(true);
  return rows.map((row) => [row['action'], row['outcome'], row['how']].filter(Boolean).join(' '));
}

function isRefused(reply: Reply): boolean {
  return reply.status === 401 && reply.json.code === 'UNAUTHORIZED';
}

describe('a refresh token', () => {
  it('a refresh token gives a new pair, and the previous access token stays valid until it expires', async () => {
    const reply = await refresh(tokens.refreshToken);
    expect(reply.status).toBe(200);
    expect(reply.json).toEqual({
      accessToken: expect.any(String),
      refreshToken: expect.stringMatching(/^[\w-]{43}$/),
      tokenType: 'Bearer',
      expiresIn: 900,
    });
    expect(reply.json.refreshToken).not.toBe(tokens.refreshToken);
    expect(await statusOf(reply.json.accessToken)).toBe(200);
    expect(await statusOf(tokens.accessToken)).toBe(200);
    expect(await trail()).toEqual(['auth.refresh success']);
  });

  it('a refresh token works after the access token has expired, even with an invalid credential in the same request', async () => {
    server.clock.advance({ hours: 2 });
    expect(await statusOf(tokens.accessToken)).toBe(401);
    const reply = await refresh(tokens.refreshToken, {
      authorization: `Bearer ${tokens.accessToken}`,
    });
    expect(reply.status).toBe(200);
    expect(await statusOf(reply.json.accessToken)).toBe(200);
  });

  it('a refresh token preserves how the person signed in', async () => {
    const strong = await server.people.session(user, ['pwd', 'otp']);
    const { json } = await refresh(strong.refreshToken);
    const headers = { authorization: `Bearer ${json.accessToken}` };
    expect((await server.call('/auth/me', { headers })).json.credential.mfa).toBe(true);
  });

  it('a refresh token used ten times concurrently succeeds once, and the session remains', async () => {
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => refresh(tokens.refreshToken)),
    );
    const winners = replies.filter(({ status }) => status === 200);
    expect(winners).toHaveLength(1);
    expect(replies.filter(isRefused)).toHaveLength(9);
    const [winner] = winners;
    expect(await statusOf(winner?.json.accessToken)).toBe(200);
    expect((await refresh(winner?.json.refreshToken)).status).toBe(200);
    expect((await trail()).sort()).toEqual([
      ...Array(9).fill('auth.refresh failure repeated'),
      'auth.refresh success',
      'auth.refresh success',
    ]);
  });

  it('a spent refresh token is refused for 10 seconds without ending the session', async () => {
    const next = (await refresh(tokens.refreshToken)).json;
    server.clock.advance({ seconds: 9 });
    expect(isRefused(await refresh(tokens.refreshToken))).toBe(true);
    expect(await statusOf(next.accessToken)).toBe(200);
    expect((await refresh(next.refreshToken)).status).toBe(200);
  });

  it('a refresh token ends the session when it is reused 11 seconds after it was spent, which is audited', async () => {
    const next = (await refresh(tokens.refreshToken)).json;
    server.clock.advance({ seconds: 11 });
    expect(isRefused(await refresh(tokens.refreshToken))).toBe(true);
    expect(await statusOf(next.accessToken)).toBe(401);
    expect(await statusOf(tokens.accessToken)).toBe(401);
    expect(isRefused(await refresh(next.refreshToken))).toBe(true);
    expect(await trail()).toEqual([
      'auth.refresh success',
      'auth.refresh failure reused',
      'auth.refresh failure refused',
    ]);
  });

  it('a refresh token ends the session immediately when it is two generations old', async () => {
    const second = (await refresh(tokens.refreshToken)).json;
    server.clock.advance({ seconds: 1 });
    const third = (await refresh(second.refreshToken)).json;
    server.clock.advance({ seconds: 1 });
    expect(isRefused(await refresh(tokens.refreshToken))).toBe(true);
    expect(await statusOf(third.accessToken)).toBe(401);
    expect(isRefused(await refresh(third.refreshToken))).toBe(true);
  });

  it('a refresh token ends only its own session when it was stolen', async () => {
    const elsewhere = await signIn();
    await refresh(tokens.refreshToken);
    server.clock.advance({ seconds: 11 });
    await refresh(tokens.refreshToken);
    expect(await statusOf(elsewhere.accessToken)).toBe(200);
  });

  it('a refresh token expires after 7 days unused, which revokes nothing', async () => {
    server.clock.advance({ days: 6, hours: 23, minutes: 59 });
    const next = (await refresh(tokens.refreshToken)).json;
    server.clock.advance({ days: 7, seconds: 1 });
    expect(isRefused(await refresh(next.refreshToken))).toBe(true);
    const { rows } = await server.database.owner.query(
      'SELECT revoked_at FROM identity.sessions WHERE user_id = $1 AND id <> $2',
      [user.id, user.sessionId],
    );
    expect(rows).toEqual([{ revoked_at: null }]);
  });

  it('a refresh token expires 30 days after the sign-in, even if it is refreshed', async () => {
    let token = tokens.refreshToken;
    for (const day of [6, 12, 18, 24, 29.9]) {
      server.clock.advance({ days: day === 29.9 ? 5.9 : 6 });
      const reply = await refresh(token);
      expect(reply.status).toBe(200);
      token = reply.json.refreshToken;
    }
    server.clock.advance({ days: 0.2 });
    expect(isRefused(await refresh(token))).toBe(true);
  });

  it('a refresh token becomes invalid with its session, and so does the last access token', async () => {
    server.clock.advance({ days: 6 });
    let next = (await refresh(tokens.refreshToken)).json;
    for (const _week of [1, 2, 3]) {
      server.clock.advance({ days: 6 });
      next = (await refresh(next.refreshToken)).json;
    }
    server.clock.advance({ days: 5, hours: 23, minutes: 55 });
    next = (await refresh(next.refreshToken)).json;
    expect(await statusOf(next.accessToken)).toBe(200);
    server.clock.advance({ minutes: 6 });
    expect(await statusOf(next.accessToken)).toBe(401);
  });

  it('a refresh token is refused in the same way when it is unknown, spent, expired or revoked, or its user or membership is inactive', async () => {
    const { owner } = server.database;
    const unknown = await refresh('x'.repeat(43));
    await refresh(tokens.refreshToken);
    const replies = [await refresh(tokens.refreshToken), await refresh(tokens.accessToken)];
    await owner.query('UPDATE identity.users SET disabled_at = now() WHERE id = $1', [user.id]);
    replies.push(await refresh(user.refreshToken));
    await owner.query('UPDATE identity.users SET disabled_at = NULL WHERE id = $1', [user.id]);
    const expired = await server.people.session(user);
    server.clock.advance({ days: 31 });
    replies.push(await refresh(expired.refreshToken));
    await owner.query('DELETE FROM identity.memberships WHERE user_id = $1', [user.id]);
    replies.push(await refresh(user.refreshToken));
    for (const reply of replies) expect(comparable(reply)).toBe(comparable(unknown));
    expect(unknown.headers.get('www-authenticate')).toBe('Bearer');
  });

  it.each([{}, { refreshToken: '' }, { refreshToken: 'x'.repeat(513) }, { refreshToken: 1 }])(
    'a refresh token is rejected with 400 when malformed: %o',
    async (body) => {
      const reply = await server.call('/auth/refresh', { method: 'POST', body });
      expect(reply.status).toBe(400);
    },
  );
});

describe('signing out', () => {
  it('signing out ends the session and its access tokens immediately', async () => {
    const next = (await refresh(tokens.refreshToken)).json;
    const reply = await logout(next.refreshToken);
    expect(reply.status).toBe(204);
    expect(reply.text).toBe('');
    expect(await statusOf(tokens.accessToken)).toBe(401);
    expect(await statusOf(next.accessToken)).toBe(401);
    expect(isRefused(await refresh(next.refreshToken))).toBe(true);
  });

  it('signing out with a spent token ends the session', async () => {
    const next = (await refresh(tokens.refreshToken)).json;
    expect((await logout(tokens.refreshToken)).status).toBe(204);
    expect(await statusOf(next.accessToken)).toBe(401);
  });

  it('signing out keeps the other sessions and the keys of the user', async () => {
    await logout(tokens.refreshToken);
    expect((await server.call('/auth/me', { headers: user.session })).status).toBe(200);
    expect((await server.call('/auth/me', { headers: user.key })).status).toBe(200);
  });

  it('signing out with an unknown or ended token gets the same response and is audited once', async () => {
    const replies = [
      await logout(tokens.refreshToken),
      await logout(tokens.refreshToken),
      await logout('x'.repeat(43)),
      await logout(tokens.accessToken),
    ];
    for (const reply of replies) {
      expect(comparable(reply)).toBe(comparable(replies[0] ?? reply));
      expect(reply.status).toBe(204);
    }
    expect(await trail()).toEqual(['auth.logout success']);
  });
});
