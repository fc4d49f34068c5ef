import { SignJWT, UnsecuredJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mailsTo } from '../../../../tests/kit/mailbox.ts';
import type { TestUser } from '../../../../tests/kit/people.ts';
import { type Reply, startTestServer, type TestServer } from '../../../../tests/kit/test-server.ts';
import { TokenIssuer } from '../../../../tests/kit/token-issuer.ts';
import { NO_TENANT, newId } from '../../../platform/ids.ts';

const BASE64URL = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

let issuer: TokenIssuer;
let server: TestServer;

beforeAll(async () => {
  issuer = await TokenIssuer.start();
  server = await startTestServer({ issuer });
});
afterAll(async () => {
  await server.close();
  await issuer.close();
});

function send(credential: string, to = server): Promise<Reply> {
  return to.call('/auth/google', { method: 'POST', body: { credential } });
}

interface Person {
  readonly sub: string;
  readonly email: string;
}

function somebody(email = `${newId()}@example.com`): Person {
  return { sub: `google-${newId()}`, email };
}

async function signIn(person: Person, to = server): Promise<Reply> {
  return send(await issuer.token(to.clock.now(), { ...person }), to);
}

async function meOf(reply: Reply) {
  expect(reply.status).toBe(200);
  const headers = { authorization: `Bearer ${reply.json.accessToken}` };
  return (await server.call('/auth/me', { headers })).json;
}

function expectRefused(reply: Reply, code = 'INVALID_CREDENTIALS', status = 401): void {
  expect({ status: reply.status, code: reply.json.code }).toEqual({ status, code });
}

async function sql(text: string, values: unknown[]) {
  return (await server.database.owner.query(text, values)).rows;
}

function unverified(user: TestUser) {
  return sql('UPDATE identity.users SET email_verified_at = NULL WHERE id = $1', [user.id]);
}

async function auditOf(tenantId: string, reply: Reply) {
  return server.services.tenants.read(tenantId, (db) =>
    db.sql({ name: 'test-google', text: 'SELECT * FROM audit_events WHERE correlation_id = $1' }, [
      reply.headers.get('x-correlation-id'),
    ]),
  );
}

describe('a person signing in with Google', () => {
  it('a person signing in with Google gets an account and a new tenant while registration is open', async () => {
    const person = somebody();
    const reply = await signIn(person);
    const me = await meOf(reply);
    expect(me).toMatchObject({
      user: { email: person.email, name: 'Ada Lovelace', emailVerified: true },
      tenant: { name: 'Ada Lovelace', features: [] },
      role: 'admin',
      credential: { kind: 'jwt', mfa: false },
    });
    expect(me.memberships).toHaveLength(1);
    expect(await auditOf(me.tenant.id, reply)).toMatchObject([
      { action: 'auth.google', outcome: 'success', actor_id: me.user.id },
    ]);
  });

  it('a person signing in with Google gets one account and one tenant from concurrent sign-ins', async () => {
    const person = somebody();
    const replies = await Promise.all(Array.from({ length: 4 }, () => signIn(person)));
    const all = await Promise.all(replies.map(meOf));
    expect(new Set(all.map(({ user }) => user.id)).size).toBe(1);
    expect(all.map(({ memberships }) => memberships.length)).toEqual([1, 1, 1, 1]);
  });

  it('a person signing in with Google is refused while registration is closed, unless the account exists', async () => {
    const closed = await startTestServer({
      issuer,
      database: server.database,
      config: { registration: 'closed' },
    });
    const person = somebody();
    expectRefused(await signIn(person, closed), 'REGISTRATION_CLOSED', 403);
    expect(await sql('SELECT * FROM identity.users WHERE email = $1', [person.email])).toEqual([]);
    const user = await server.people.user();
    expect((await signIn(somebody(user.email), closed)).status).toBe(200);
    // A refused sign-in must not link an account that has no tenant.
    const stray = await server.people.user();
    await sql('DELETE FROM identity.memberships WHERE user_id = $1', [stray.id]);
    expectRefused(await signIn(somebody(stray.email), closed), 'REGISTRATION_CLOSED', 403);
    const [row] = await sql('SELECT google_sub FROM identity.users WHERE id = $1', [stray.id]);
    expect(row?.google_sub).toBeNull();
    await closed.close();
  });

  it('a person signing in with Google is recognized first by e-mail address in any letter case, then by subject', async () => {
    const user = await server.people.user();
    const person = somebody(user.email.toUpperCase());
    const me = await meOf(await signIn(person));
    expect(me).toMatchObject({ user: { id: user.id }, tenant: { id: user.tenant.id } });
    const renamed = { ...person, email: `${newId()}@example.com` };
    expect((await meOf(await signIn(renamed))).user).toMatchObject({
      id: user.id,
      email: user.email,
    });
  });

  it('a person whose existing account is linked to a Google account gets one mail about it, and a new person none', async () => {
    const user = await server.people.user();
    const person = somebody(user.email);
    for (let time = 0; time < 2; time += 1) expect((await signIn(person)).status).toBe(200);
    const mails = await mailsTo(server, user.email);
    expect(mails.map(({ template }) => template)).toEqual(['google-linked']);
    const fresh = somebody();
    expect((await signIn(fresh)).status).toBe(200);
    expect(await mailsTo(server, fresh.email)).toEqual([]);
  });

  it('a person signing in with Google cannot enter an account linked to another Google account', async () => {
    const user = await server.people.user();
    await signIn(somebody(user.email));
    expectRefused(await signIn(somebody(user.email)));
  });

  it('a person signing in with Google cannot enter a disabled account and gets no second one', async () => {
    const user = await server.people.user({ disabled: true });
    const reply = await signIn(somebody(user.email));
    expectRefused(reply);
    expect(await auditOf(user.tenant.id, reply)).toMatchObject([
      { action: 'auth.google', outcome: 'failure', detail: { reason: 'refused' } },
    ]);
  });

  it('a person signing in with Google keeps the password of a verified account', async () => {
    const user = await server.people.user();
    await signIn(somebody(user.email));
    const { email, password } = user;
    const login = await server.call('/auth/login', { method: 'POST', body: { email, password } });
    expect(login.status).toBe(200);
  });

  it('a sign-in with Google does not satisfy an operation that requires a second factor', async () => {
    const reply = await signIn(somebody());
    const [, payload = ''] = reply.json.accessToken.split('.');
    expect(JSON.parse(Buffer.from(payload, 'base64url').toString()).amr).toEqual(['fed']);
    const refused = await server.call('/tenant', {
      method: 'PATCH',
      headers: { authorization: `Bearer ${reply.json.accessToken}` },
      body: { name: 'Other' },
    });
    expect(refused.json.code).toBe('MFA_REQUIRED');
  });
});

describe('an ID token signs in once', () => {
  it('an ID token signs in once until it has expired, even after its session was ended', async () => {
    const person = somebody();
    const token = await issuer.token(server.clock.now(), { ...person });
    const first = await send(token);
    const me = await meOf(first);
    const headers = { authorization: `Bearer ${first.json.accessToken}` };
    await server.call('/auth/logout-all', { method: 'POST', headers });
    const again = await send(token);
    expectRefused(again);
    expect(await auditOf(me.tenant.id, again)).toMatchObject([
      { action: 'auth.google', outcome: 'failure', detail: { reason: 'used' } },
    ]);
    server.clock.advance({ minutes: 59 });
    expectRefused(await send(token));
    server.clock.advance({ minutes: -59 });
    const kept = await sql('SELECT value FROM identity.one_time_values', []);
    expect(kept.map(({ value }) => value)).not.toContain(token);
  });

  it('an ID token signs in once when it is sent several times concurrently', async () => {
    const token = await issuer.token(server.clock.now(), { ...somebody() });
    const replies = await Promise.all(Array.from({ length: 4 }, () => send(token)));
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 401, 401, 401]);
  });

  it('an ID token signs in once, however the base64 of its signature is spelt', async () => {
    const token = await issuer.token(server.clock.now(), { ...somebody() });
    // The last character has bits that no decoder reads.
    const last = BASE64URL[BASE64URL.indexOf(token.at(-1) ?? '') ^ 1];
    expect((await send(token)).status).toBe(200);
    expectRefused(await send(token.slice(0, -1) + last));
    expectRefused(await send(`${token}=`));
  });

  it('an ID token that a refused sign-in did not use signs in later', async () => {
    const person = somebody();
    const options = { issuer, database: server.database };
    const closed = await startTestServer({ ...options, config: { registration: 'closed' } });
    const token = await issuer.token(server.clock.now(), { ...person });
    expectRefused(await send(token, closed), 'REGISTRATION_CLOSED', 403);
    expect((await send(token)).status).toBe(200);
    await closed.close();
  });
});

describe('an account that a stranger registered for the address', () => {
  it('an account that a stranger registered loses its credentials and sessions when the owner of the address signs in with Google', async () => {
    const squatter = await server.people.user();
    await unverified(squatter);
    await sql(
      "UPDATE identity.users SET totp_secret = 'x', totp_enabled_at = now() WHERE id = $1",
      [squatter.id],
    );
    await sql(
      `INSERT INTO identity.mail_tokens (hash, purpose, user_id, email, expires_at)
       VALUES ('x', 'verify-email', $1, $2, now() + interval '1 day')`,
      [squatter.id, squatter.email],
    );
    const me = await meOf(await signIn(somebody(squatter.email)));
    expect(me.user).toMatchObject({
      id: squatter.id,
      emailVerified: true,
      twoFactorEnabled: false,
    });
    const refreshToken = squatter.refreshToken;
    const { email, password } = squatter;
    expectRefused(await server.call('/auth/me', { headers: squatter.session }), 'UNAUTHORIZED');
    expectRefused(await server.call('/auth/me', { headers: squatter.key }), 'UNAUTHORIZED');
    const post = (path: string, body: object) => server.call(path, { method: 'POST', body });
    expectRefused(await post('/auth/refresh', { refreshToken }), 'UNAUTHORIZED');
    expectRefused(await post('/auth/login', { email, password }));
    const left = await sql('SELECT * FROM identity.mail_tokens WHERE user_id = $1', [squatter.id]);
    expect(left).toEqual([]);
  });
});

describe('an ID token is rejected', () => {
  const now = () => server.clock.now();
  const seconds = (plus: number) => Math.floor(now().getTime() / 1000) + plus;

  it.each<[string, () => Promise<string>]>([
    ['without a signature', async () => new UnsecuredJWT(issuer.claims(now())).encode()],
    [
      'signed with the public key as a shared secret',
      async () =>
        new SignJWT(issuer.claims(now()))
          .setProtectedHeader({ alg: 'HS256', kid: issuer.kid })
          .sign(new TextEncoder().encode(await issuer.publicKeyPem())),
    ],
    [
      'signed by another algorithm of the same key',
      async () =>
        new SignJWT(issuer.claims(now()))
          .setProtectedHeader({ alg: 'RS512', kid: issuer.kid })
          .sign(await issuer.keyFor('RS512')),
    ],
    [
      'signed with another key of the same id',
      async () => {
        const other = await TokenIssuer.start();
        const token = await other.token(now(), { iss: issuer.config.issuer }, { kid: issuer.kid });
        await other.close();
        return token;
      },
    ],
    [
      'that was altered',
      async () => {
        const [header, , signature] = (await issuer.token(now())).split('.');
        const claims = JSON.stringify(issuer.claims(now(), { email: 'boss@example.com' }));
        return [header, Buffer.from(claims).toString('base64url'), signature].join('.');
      },
    ],
    ['for another audience', () => issuer.token(now(), { aud: 'other-client' })],
    [
      'requested by another client',
      () => issuer.token(now(), { aud: ['test-client', 'x'], azp: 'x' }),
    ],
    [
      'for several audiences that names none as the client',
      () => issuer.token(now(), { aud: ['test-client', 'x'] }),
    ],
    ['from another issuer', () => issuer.token(now(), { iss: 'https://evil.example' })],
    [
      'from Google when another issuer is configured',
      () => issuer.token(now(), { iss: 'accounts.google.com' }),
    ],
    ['that has expired', () => issuer.token(now(), { iat: seconds(-3700), exp: seconds(-60) })],
    ['that never expires', () => issuer.token(now(), { exp: undefined })],
    ['that is older than an hour', () => issuer.token(now(), { iat: seconds(-7200) })],
    ['issued in the future', () => issuer.token(now(), { iat: seconds(600), exp: seconds(900) })],
    ['for an address that is not verified', () => issuer.token(now(), { email_verified: false })],
    ['whose email_verified is text', () => issuer.token(now(), { email_verified: 'true' })],
    ['without an address', () => issuer.token(now(), { email: undefined })],
    ['without a subject', () => issuer.token(now(), { sub: undefined })],
    ['whose subject contains NUL', () => issuer.token(now(), { sub: 'a\0b' })],
    [
      'that names its own key set',
      () => issuer.token(now(), {}, { jku: 'https://evil.example/keys', kid: 'x' }),
    ],
    [
      'that is one of our access tokens',
      async () => {
        const user = await server.people.user();
        return user.session.authorization.slice('Bearer '.length);
      },
    ],
    ['that is not a JWT', async () => 'hello'],
  ])('an ID token %s is rejected', async (_what, token) => {
    const reply = await send(await token());
    expectRefused(reply);
  });

  it('an ID token is rejected when sign-in with Google is not configured', async () => {
    const plain = await startTestServer();
    expectRefused(await send(await issuer.token(now()), plain));
    await plain.close();
  });

  it('each rejected ID token is audited', async () => {
    const reply = await send('hello');
    const rows = await auditOf('00000000-0000-0000-0000-000000000000', reply);
    expect(rows).toMatchObject([
      { action: 'auth.google', outcome: 'failure', detail: { reason: 'token' } },
    ]);
  });
});

describe('a Google sign-in is bound to the page that started it:', () => {
  const NONCE = 'a-nonce-of-the-page-itself';
  const browser = { origin: 'https://app.example.com' };

  async function post(said: { token?: string; sent?: string }, headers: Record<string, string>) {
    const claims = said.token === undefined ? {} : { nonce: said.token };
    const credential = await issuer.token(server.clock.now(), { ...somebody(), ...claims });
    const body = { credential, ...(said.sent === undefined ? {} : { nonce: said.sent }) };
    return server.call('/auth/google', { method: 'POST', headers, body });
  }

  it.each([
    ['a browser', browser],
    ['another client', {}],
  ])('a Google sign-in accepts an ID token with the nonce that %s sent', async (_who, headers) => {
    expect((await post({ token: NONCE, sent: NONCE }, headers)).status).toBe(200);
  });

  it('a Google sign-in accepts an ID token without a nonce from a client that is not a browser', async () => {
    expect((await post({}, {})).status).toBe(200);
  });

  it.each<[string, Record<string, string>]>([
    ['Origin', browser],
    ['Sec-Fetch-Site', { 'sec-fetch-site': 'cross-site' }],
  ])(
    'a Google sign-in requires the nonce from a browser, recognized by %s',
    async (_header, headers) => {
      for (const token of [undefined, NONCE]) {
        const reply = await post(token === undefined ? {} : { token }, headers);
        expect(reply.json).toMatchObject({ status: 400, errors: [{ path: 'body.nonce' }] });
      }
    },
  );

  it.each<[string, { token?: string; sent?: string }]>([
    ['with a nonce, sent without one', { token: NONCE }],
    ['without a nonce, sent with one', { sent: NONCE }],
    ['with the nonce of another page', { token: 'a-nonce-of-the-attacker', sent: NONCE }],
  ])('a Google sign-in refuses an ID token %s', async (_what, said) => {
    const reply = await post(said, said.sent === undefined ? {} : browser);
    expectRefused(reply);
    expect(await auditOf(NO_TENANT, reply)).toMatchObject([
      { action: 'auth.google', outcome: 'failure', detail: { reason: 'nonce' } },
    ]);
  });

  it('a Google sign-in refuses a nonce that is too short', async () => {
    expect((await post({ token: 'short', sent: 'short' }, browser)).status).toBe(400);
  });
});
