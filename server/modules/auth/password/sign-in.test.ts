import bcrypt from 'bcryptjs';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import type { QueryResultRow } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestUser } from '../../../../tests/kit/people.ts';
import { comparable } from '../../../../tests/kit/surface-checks.ts';
import { type Reply, startTestServer, type TestServer } from '../../../../tests/kit/test-server.ts';
import { NO_TENANT, newId } from '../../../platform/ids.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

function signIn(email: string, password: string, more: Record<string, unknown> = {}) {
  return server.call('/auth/login', { method: 'POST', body: { email, password, ...more } });
}

const run = (statement: string, values: unknown[]) =>
  server.database.owner.query(statement, values);

async function tenantOf(reply: Reply): Promise<string> {
  const headers = { authorization: `Bearer ${reply.json.accessToken}` };
  return (await server.call('/auth/me', { headers })).json.tenant.id;
}

describe('a sign-in with the right password', () => {
  it('a sign-in with the right password opens a session with an access token for 15 minutes and a refresh token', async () => {
    const user = await server.people.user();
    const reply = await signIn(user.email, user.password);
    expect(reply.status).toBe(200);
    expect(reply.json).toEqual({
      accessToken: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      refreshToken: expect.stringMatching(/^[\w-]{43}$/),
      tokenType: 'Bearer',
      expiresIn: 900,
    });
    expect(await tenantOf(reply)).toBe(user.tenant.id);
  });

  it('an access token contains user, tenant and method but no permissions', async () => {
    const user = await server.people.user();
    const { accessToken } = (await signIn(user.email, user.password)).json;
    const claims = decodeJwt(accessToken);
    expect(decodeProtectedHeader(accessToken)).toEqual({
      alg: 'HS256',
      typ: 'at+jwt',
      kid: expect.stringMatching(/^[0-9a-f]{8}$/),
    });
    expect(Object.keys(claims).sort()).toEqual(
      ['amr', 'aud', 'exp', 'iat', 'iss', 'jti', 'sid', 'sub', 'tenant_id'].sort(),
    );
    expect(claims).toMatchObject({ sub: user.id, tenant_id: user.tenant.id, amr: ['pwd'] });
    expect((claims.exp ?? 0) - (claims.iat ?? 0)).toBe(900);
  });

  it('a sign-in with the right password accepts the address in any letter case', async () => {
    const user = await server.people.user();
    expect((await signIn(user.email.toUpperCase(), user.password)).status).toBe(200);
  });

  it('a sign-in with the right password is audited without the password or the tokens', async () => {
    const user = await server.people.user();
    const { json } = await signIn(user.email, user.password);
    const rows = await trailOf(user.tenant.id);
    expect(rows).toMatchObject([
      {
        action: 'auth.login',
        outcome: 'success',
        actor_kind: 'person',
        actor_id: user.id,
      },
    ]);
    for (const secret of [user.password, json.accessToken, json.refreshToken]) {
      expect(JSON.stringify(rows)).not.toContain(secret);
    }
  });

  it('a sign-in with the right password stores only the hash of the refresh token', async () => {
    const user = await server.people.user();
    const { refreshToken } = (await signIn(user.email, user.password)).json;
    const { rows } = await run(
      `SELECT t::text, encode(t.hash, 'escape') AS hash FROM identity.refresh_tokens t
       JOIN identity.sessions s ON s.id = t.session_id WHERE s.user_id = $1`,
      [user.id],
    );
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain(refreshToken);
  });
});

describe('a refused sign-in', () => {
  const hashOf = (password: string) => bcrypt.hashSync(password, 4);
  const long = 'x'.repeat(72);

  /** Each case returns the address, the password and optional further members of the request body. */
  const reasons: Record<string, () => Promise<[string, string, Record<string, unknown>?]>> = {
    'the wrong password': async () => [(await server.people.user()).email, 'wrong'],
    'a user who is disabled': async () => by(await server.people.user({ disabled: true })),
    'a user who is disabled, and the wrong password': async () => [
      (await server.people.user({ disabled: true })).email,
      'wrong',
    ],
    'an address that is not verified': async () =>
      by(await server.people.user({ verified: false })),
    'a user without a tenant': async () => {
      const user = await server.people.user();
      await run('DELETE FROM identity.memberships WHERE user_id = $1', [user.id]);
      return by(user);
    },
    'a user who has no password': async () => {
      const user = await server.people.user();
      await run('UPDATE identity.users SET password_hash = NULL WHERE id = $1', [user.id]);
      return by(user);
    },
    'a tenant in which the user is not a member': async () => {
      const { tenant } = await server.people.user();
      return by(await server.people.user(), { tenantId: tenant.id });
    },
    'a tenant that does not exist': async () =>
      by(await server.people.user(), { tenantId: newId() }),
    'a longer password whose first 72 bytes are right': async () => {
      const user = await server.people.user();
      await run('UPDATE identity.users SET password_hash = $2 WHERE id = $1', [
        user.id,
        hashOf(long),
      ]);
      expect((await signIn(user.email, long)).status).toBe(200);
      return [user.email, `${long}x`];
    },
    'a password of 74 bytes in 26 characters, whose first 72 are right': async () => {
      const user = await server.people.user();
      const euros = '€'.repeat(24);
      await run('UPDATE identity.users SET password_hash = $2 WHERE id = $1', [
        user.id,
        hashOf(euros),
      ]);
      expect((await signIn(user.email, euros)).status).toBe(200);
      return [user.email, `${euros}ab`];
    },
    'the right password in another letter case': async () => {
      const user = await server.people.user();
      return [user.email, user.password.toUpperCase()];
    },
    'the right password with a space': async () => {
      const user = await server.people.user();
      return [user.email, `${user.password} `];
    },
  };

  const by = (user: TestUser, more = {}): [string, string, Record<string, unknown>?] => [
    user.email,
    user.password,
    more,
  ];

  let unknown: Reply;

  beforeAll(async () => {
    unknown = await signIn(`${newId()}@example.com`, 'wrong');
  });

  it('a refused sign-in gets the same response for an unknown address as for a wrong password', () => {
    expect(unknown).toMatchObject({ status: 401, json: { code: 'INVALID_CREDENTIALS' } });
    expect(unknown.headers.get('www-authenticate')).toBe('Bearer');
  });

  it.each(Object.entries(reasons))(
    'a refused sign-in gets the same response for %s as for a wrong password',
    async (_reason, make) => {
      const [email, password, more] = await make();
      expect(comparable(await signIn(email, password, more))).toBe(comparable(unknown));
    },
  );

  it('a refused sign-in is audited only in the tenant of a known person', async () => {
    const user = await server.people.user();
    await signIn(user.email, 'wrong');
    expect(await trailOf(user.tenant.id)).toMatchObject([
      { action: 'auth.login', outcome: 'failure', actor_id: user.id },
    ]);
    const id = unknown.headers.get('x-correlation-id');
    const rows = await trailOf(NO_TENANT);
    expect(rows.filter((row) => row['correlation_id'] === id)).toMatchObject([
      { action: 'auth.login', outcome: 'failure', actor_id: null },
    ]);
  });

  it.each([
    { email: 'no address', password: 'a' },
    { email: 'a@example.com' },
    { email: 'a@example.com', password: '' },
    { email: 'a@example.com', password: 'x'.repeat(513) },
    { email: 'a\0@example.com', password: 'a' },
    { email: 'a@example.com', password: 'a', tenantId: 'x' },
    { email: ['a@example.com'], password: 'a' },
    { email: { contains: '' }, password: { not: '' } },
  ])('a malformed sign-in is answered 400 instead of being refused: %o', async (body) => {
    const reply = await server.call('/auth/login', { method: 'POST', body });
    expect(reply).toMatchObject({ status: 400, json: { code: 'VALIDATION_FAILED' } });
  });
});

describe('a sign-in of a user with several tenants', () => {
  it('a sign-in of a user with several tenants enters the requested tenant', async () => {
    const user = await server.people.user();
    const second = await server.people.tenant();
    await server.people.join(user, second, 'viewer');
    for (const tenantId of [second.id, user.tenant.id]) {
      const reply = await signIn(user.email, user.password, { tenantId });
      expect(await tenantOf(reply)).toBe(tenantId);
    }
  });

  it('a sign-in of a user with several tenants enters the last one used, or the oldest at the first sign-in', async () => {
    const user = await server.people.user();
    const second = await server.people.tenant();
    server.clock.advance({ seconds: 1 });
    await server.people.join(user, second, 'viewer');
    expect(await tenantOf(await signIn(user.email, user.password))).toBe(user.tenant.id);
    server.clock.advance({ seconds: 1 });
    await signIn(user.email, user.password, { tenantId: second.id });
    server.clock.advance({ seconds: 1 });
    expect(await tenantOf(await signIn(user.email, user.password))).toBe(second.id);
  });

  it('a sign-in of a user with several tenants enters another tenant when the membership of the last one has ended', async () => {
    const user = await server.people.user();
    const second = await server.people.tenant();
    await server.people.join(user, second, 'viewer');
    await signIn(user.email, user.password, { tenantId: second.id });
    await run('DELETE FROM identity.memberships WHERE tenant_id = $1', [second.id]);
    expect(await tenantOf(await signIn(user.email, user.password))).toBe(user.tenant.id);
  });
});

function trailOf(tenantId: string) {
  return server.services.tenants.read(tenantId, (db) =>
    db.sql<QueryResultRow>({ name: 'test-trail', text: 'SELECT * FROM audit_events ORDER BY id' }),
  );
}
