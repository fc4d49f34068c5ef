import { createHash } from 'node:crypto';
import type { QueryResultRow } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CookieJar } from '../../../../tests/kit/cookie-jar.ts';
import {
  beginGoogle,
  type GoogleRequest,
  googleForm,
  postGoogle,
} from '../../../../tests/kit/google-redirect.ts';
import { codeIn } from '../../../../tests/kit/identity-provider.ts';
import { mailsTo, tokenIn } from '../../../../tests/kit/mailbox.ts';
import { type Reply, startTestServer, type TestServer } from '../../../../tests/kit/test-server.ts';
import { TokenIssuer } from '../../../../tests/kit/token-issuer.ts';
import { NO_TENANT, newId } from '../../../platform/ids.ts';

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

function somebody() {
  return { sub: newId(), email: `${newId()}@example.com` };
}

const exchange = (code: string, { headers }: CookieJar, to = server) =>
  to.call('/auth/exchange', { method: 'POST', headers, body: { code } });

const sql = async (text: string, values: unknown[] = []) =>
  (await server.database.owner.query(text, values)).rows;

async function trailOf(reply: Reply, tenantId: string = NO_TENANT) {
  const rows = await server.services.tenants.read(tenantId, (db) =>
    db.sql<QueryResultRow>(
      { name: 'test-trail', text: 'SELECT * FROM audit_events WHERE correlation_id = $1' },
      [reply.headers.get('x-correlation-id')],
    ),
  );
  return rows.map((row) => [row['action'], row['outcome'], row['detail'].reason]);
}

async function expectRefused(reply: Reply, code: string, reason: string) {
  expect(reply.json).toMatchObject({ code });
  expect(reply.headers.get('location')).toBeNull();
  expect(await trailOf(reply)).toEqual([['auth.google', 'failure', reason]]);
}

/** Starts a sign-in, and gives the form that Google sends back for somebody. */
async function begun(browser: CookieJar, claims: Record<string, unknown> = {}) {
  const request = await beginGoogle(server, browser);
  return { request, form: await googleForm(server, request, { ...somebody(), ...claims }) };
}

describe('a sign-in with Google by redirect', () => {
  it('a sign-in with Google by redirect asks Google for an ID token with a new state and nonce each time', async () => {
    const browser = new CookieJar();
    const [one, other] = [await beginGoogle(server, browser), await beginGoogle(server, browser)];
    const { origin, pathname, searchParams } = one.address;
    expect(origin + pathname).toBe(issuer.config.authUrl);
    expect(Object.fromEntries(searchParams)).toEqual({
      client_id: issuer.config.clientId,
      redirect_uri: `${server.url}/auth/google/callback`,
      response_type: 'id_token',
      response_mode: 'form_post',
      scope: 'openid email profile',
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^cspm-redirect\.[\w-]{43}$/),
    });
    expect(other.state).not.toBe(one.state);
    expect(other.nonce).not.toBe(one.nonce);
  });

  it('a sign-in with Google by redirect ends with a code that opens a session in the same browser', async () => {
    const browser = new CookieJar();
    const { sub, email } = somebody();
    for (const registered of [true, false]) {
      const { form } = await begun(browser, { sub, email });
      const reply = await postGoogle(server, form, browser);
      expect(reply.status).toBe(303);
      expect(reply.headers.get('location')).toMatch(
        `${server.url}/auth/callback?code=${codeIn(reply)}`,
      );
      const tokens = await exchange(codeIn(reply), browser);
      expect(tokens.status).toBe(200);
      const headers = { authorization: `Bearer ${tokens.json.accessToken}` };
      const me = (await server.call('/auth/me', { headers })).json;
      expect(me).toMatchObject({
        user: { email, emailVerified: true },
        credential: { mfa: false },
      });
      const [entry] = await server.services.tenants.read(me.tenant.id, (db) =>
        db.sql<QueryResultRow>(
          { name: 'test-entry', text: 'SELECT * FROM audit_events WHERE correlation_id = $1' },
          [reply.headers.get('x-correlation-id')],
        ),
      );
      expect(entry).toMatchObject({ action: 'auth.google', detail: { registered } });
      expect(await trailOf(tokens, me.tenant.id)).toEqual([
        ['auth.exchange', 'success', undefined],
      ]);
    }
  });

  it('a sign-in with Google is audited under the address of the account, also when Google asserts another one', async () => {
    const { sub, email } = somebody();
    const browser = new CookieJar();
    const code = codeIn(
      await postGoogle(server, (await begun(browser, { sub, email })).form, browser),
    );
    const headers = { authorization: `Bearer ${(await exchange(code, browser)).json.accessToken}` };
    const claims = { sub, email: 'ceo@corp.example.com' };
    await postGoogle(server, (await begun(browser, claims)).form, browser);
    const credential = await issuer.token(server.clock.now(), claims);
    const posted = await server.call('/auth/google', { method: 'POST', body: { credential } });
    expect(posted.status).toBe(200);
    const { json } = await server.call('/audit-events?action=auth.google', { headers });
    expect(json.items.map((one: { actor: { label: string } }) => one.actor.label)).toEqual([
      email,
      email,
      email,
    ]);
  });

  it('a sign-in with Google by redirect keeps state, nonce, cookie and code only as hashes', async () => {
    const browser = new CookieJar();
    const { request, form } = await begun(browser);
    const code = codeIn(await postGoogle(server, form, browser));
    const { state, nonce } = await beginGoogle(server, browser);
    const [, cookie = 'none'] = (browser.headers['cookie'] ?? '').split('=');
    const kept = JSON.stringify(await sql('SELECT * FROM identity.one_time_values'));
    for (const secret of [request.state, state, request.nonce, nonce, cookie, code]) {
      expect(kept).not.toContain(secret);
    }
  });

  it('a sign-in with Google by redirect may be started in several tabs of one browser, and each may be completed', async () => {
    const browser = new CookieJar();
    const forms = [await begun(browser), await begun(browser), await begun(browser)];
    for (const { form } of forms.reverse()) {
      const code = codeIn(await postGoogle(server, form, browser));
      expect((await exchange(code, browser)).status).toBe(200);
    }
  });

  it('a sign-in with Google by redirect deletes expired sign-ins when another one starts', async () => {
    const { state } = await beginGoogle(server, new CookieJar());
    const pending = (hash: string) =>
      sql('SELECT 1 FROM identity.one_time_values WHERE kind = $1 AND value = $2', [
        'google_request',
        hash,
      ]);
    const hash = createHash('sha256').update(state).digest('base64url');
    expect(await pending(hash)).toHaveLength(1);
    await sql(
      "UPDATE identity.one_time_values SET expires_at = now() - interval '1 day' WHERE value = $1",
      [hash],
    );
    await beginGoogle(server, new CookieJar());
    expect(await pending(hash)).toEqual([]);
  });
});

describe('a response of Google', () => {
  it('a response of Google is refused from another browser or without cookies, and remains valid for its own browser', async () => {
    const [attacker, victim] = [new CookieJar(), new CookieJar()];
    await begun(victim);
    const { form } = await begun(attacker);
    for (const browser of [victim, new CookieJar()]) {
      await expectRefused(await postGoogle(server, form, browser), 'INVALID_TOKEN', 'browser');
    }
    expect((await postGoogle(server, form, attacker)).status).toBe(303);
  });

  it('one of five concurrent copies of a response of Google is accepted, and later ones are refused', async () => {
    const browser = new CookieJar();
    const { form } = await begun(browser);
    const replies = await Promise.all(
      Array.from({ length: 5 }, () => postGoogle(server, form, browser)),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([303, 400, 400, 400, 400]);
    await expectRefused(await postGoogle(server, form, browser), 'INVALID_TOKEN', 'request');
  });

  it('a response of Google with an ID token of another sign-in of the same browser is refused', async () => {
    const browser = new CookieJar();
    const first = await beginGoogle(server, browser);
    const second = await beginGoogle(server, browser);
    const swapped = { state: first.state, nonce: second.nonce };
    const form = await googleForm(server, swapped, somebody());
    const reply = await postGoogle(server, form, browser);
    await expectRefused(reply, 'INVALID_CREDENTIALS', 'nonce');
  });

  it.each<[string, (request: GoogleRequest) => Record<string, unknown>]>([
    ['without a nonce', () => ({ nonce: undefined })],
    ['with the nonce of somebody else', () => ({ nonce: 'cspm-redirect.of-the-attacker' })],
    ['with the state as nonce', ({ state }) => ({ nonce: state })],
  ])('a response of Google with an ID token %s is refused', async (_what, claims) => {
    const browser = new CookieJar();
    const request = await beginGoogle(server, browser);
    const form = await googleForm(server, request, { ...somebody(), ...claims(request) });
    await expectRefused(await postGoogle(server, form, browser), 'INVALID_CREDENTIALS', 'nonce');
  });

  it.each<[string, Record<string, unknown>]>([
    ['for another audience', { aud: 'other-client' }],
    ['of another issuer', { iss: 'https://evil.example' }],
    ['that has expired', { exp: 1 }],
    ['for an address that is not verified', { email_verified: false }],
  ])('a response of Google with an ID token %s is refused', async (_what, claims) => {
    const browser = new CookieJar();
    const { form } = await begun(browser, claims);
    await expectRefused(await postGoogle(server, form, browser), 'INVALID_CREDENTIALS', 'token');
  });

  it('a response of Google with an ID token signed by another key is refused', async () => {
    const other = await TokenIssuer.start();
    const browser = new CookieJar();
    const { state, nonce } = await beginGoogle(server, browser);
    const claims = { ...somebody(), nonce, iss: issuer.config.issuer };
    const id_token = await other.token(server.clock.now(), claims, { kid: issuer.kid });
    await other.close();
    const form = new URLSearchParams({ state, id_token }).toString();
    await expectRefused(await postGoogle(server, form, browser), 'INVALID_CREDENTIALS', 'token');
  });

  it('a response of Google is refused after 10 minutes', async () => {
    const browser = new CookieJar();
    const { form } = await begun(browser);
    server.clock.advance({ minutes: 10 });
    await expectRefused(await postGoogle(server, form, browser), 'INVALID_TOKEN', 'request');
  });

  it('a response of Google that reports a cancelled sign-in is refused, and the sign-in cannot be completed later', async () => {
    const browser = new CookieJar();
    const { request, form } = await begun(browser);
    const error = (name: string, { state }: GoogleRequest) =>
      postGoogle(server, new URLSearchParams({ state, error: name }).toString(), browser);
    await expectRefused(await error('access_denied', request), 'SIGN_IN_CANCELLED', 'denied');
    await expectRefused(await postGoogle(server, form, browser), 'INVALID_TOKEN', 'request');
    const other = await begun(browser);
    const failed = await error('<script>alert(1)</script>', other.request);
    await expectRefused(failed, 'INVALID_CREDENTIALS', 'token');
    expect(failed.text).not.toContain('script');
  });

  it.each<[string, (form: string, state: string) => string]>([
    ['without a state', (form) => form.replace(/state=[^&]*&/, '')],
    ['without a token or an error', (_form, state) => `state=${state}`],
    ['with a token and an error', (form) => `${form}&error=access_denied`],
    ['with two states', (form) => `${form}&state=other`],
    ['with two tokens', (form) => `${form}&id_token=other`],
    ['with a token that is too long', (_f, state) => `state=${state}&id_token=${'x'.repeat(9000)}`],
    ['with too many fields', (form) => form + '&x=1'.repeat(30)],
    ['with a NUL', (form) => form.replace('state=', 'state=%00')],
  ])(
    'a response of Google %s is refused as invalid, and the sign-in remains valid',
    async (_what, changed) => {
      const browser = new CookieJar();
      const { request, form } = await begun(browser);
      const reply = await postGoogle(server, changed(form, request.state), browser);
      expect(reply.json).toMatchObject({ status: 400, code: 'VALIDATION_FAILED' });
      expect((await postGoogle(server, form, browser)).status).toBe(303);
    },
  );

  it('a response of Google is refused for a disabled account, and for a new person while registration is closed', async () => {
    const person = somebody();
    const browser = new CookieJar();
    const { form } = await begun(browser, person);
    await postGoogle(server, form, browser);
    await sql('UPDATE identity.users SET disabled_at = now() WHERE email = $1', [person.email]);
    const refused = await postGoogle(server, (await begun(browser, person)).form, browser);
    expect(refused.json).toMatchObject({ code: 'INVALID_CREDENTIALS' });
    const closed = await startTestServer({
      issuer,
      database: server.database,
      config: { registration: 'closed' },
    });
    const request = await beginGoogle(closed, browser);
    const stranger = await googleForm(closed, request, somebody());
    const reply = await postGoogle(closed, stranger, browser);
    expect(reply.json).toMatchObject({ code: 'REGISTRATION_CLOSED' });
    await closed.close();
  });
});

describe('the code of a Google sign-in', () => {
  it('the code of a Google sign-in works once, and only in the browser that started the sign-in', async () => {
    const [attacker, victim] = [new CookieJar(), new CookieJar()];
    await begun(victim);
    const code = codeIn(await postGoogle(server, (await begun(attacker)).form, attacker));
    for (const browser of [victim, new CookieJar()]) {
      expect((await exchange(code, browser)).json.code).toBe('INVALID_TOKEN');
    }
    expect((await exchange(code, attacker)).status).toBe(200);
    expect((await exchange(code, attacker)).json.code).toBe('INVALID_TOKEN');
  });

  it.each([
    ['disabled', 'UPDATE identity.users SET disabled_at = now() WHERE email = $1'],
    [
      'linked to another Google account',
      "UPDATE identity.users SET google_sub = 'x' WHERE email = $1",
    ],
    [
      'no longer a member',
      "UPDATE identity.memberships m SET status = 'disabled' FROM identity.users u WHERE u.id = m.user_id AND u.email = $1",
    ],
  ])(
    'the code of a Google sign-in is refused when the person was %s meanwhile',
    async (_what, change) => {
      const person = somebody();
      const browser = new CookieJar();
      const code = codeIn(await postGoogle(server, (await begun(browser, person)).form, browser));
      await sql(change.replace("'x'", `'${newId()}'`), [person.email]);
      expect((await exchange(code, browser)).json.code).toBe('INVALID_TOKEN');
    },
  );

  it('the code of a Google sign-in is refused after a password reset, and after all sessions of the person were ended', async () => {
    const person = somebody();
    const [first, second] = [new CookieJar(), new CookieJar()];
    const enter = async (browser: CookieJar) =>
      codeIn(await postGoogle(server, (await begun(browser, person)).form, browser));
    const { json } = await exchange(await enter(first), first);
    const code = await enter(second);
    const headers = { authorization: `Bearer ${json.accessToken}` };
    expect((await server.call('/auth/logout-all', { method: 'POST', headers })).status).toBe(204);
    expect((await exchange(code, second)).json.code).toBe('INVALID_TOKEN');

    const next = await enter(second);
    await server.call('/auth/forgot-password', { method: 'POST', body: { email: person.email } });
    const [mail] = await mailsTo(server, person.email);
    const body = { token: tokenIn(mail), password: 'correct horse battery staple' };
    const reset = await server.call('/auth/reset-password', { method: 'POST', body });
    expect(reset.status).toBe(204);
    expect((await exchange(next, second)).json.code).toBe('INVALID_TOKEN');
  });

  it('the code of a Google sign-in is checked against the browser only at the exchange, where browsers keep no Secure cookie', async () => {
    const insecure = await startTestServer({
      issuer,
      database: server.database,
      config: { webUrl: 'http://posture.test' },
    });
    const [browser, other] = [new CookieJar(), new CookieJar()];
    const request = await beginGoogle(insecure, browser);
    await beginGoogle(insecure, other);
    const form = await googleForm(insecure, request, somebody());
    expect((await postGoogle(insecure, form, other)).status).toBe(400);
    const code = codeIn(await postGoogle(insecure, form, new CookieJar()));
    expect((await exchange(code, other, insecure)).status).toBe(400);
    expect((await exchange(code, browser, insecure)).status).toBe(200);
    await insecure.close();
  });
});

it('an ID token issued for a redirect does not sign in at POST /auth/google', async () => {
  const { nonce } = await beginGoogle(server, new CookieJar());
  const credential = await issuer.token(server.clock.now(), { ...somebody(), nonce });
  const body = { credential, nonce };
  const reply = await server.call('/auth/google', { method: 'POST', body });
  await expectRefused(reply, 'INVALID_CREDENTIALS', 'nonce');
});

it.each<[string, TokenIssuer['config']['authUrl'] | undefined]>([
  ['Google is not configured', undefined],
  ['the issuer has no authorization endpoint', null],
])(
  'both redirect routes refuse a sign-in like POST /auth/google when %s',
  async (_what, authUrl) => {
    const google = authUrl === undefined ? null : { ...issuer.config, authUrl };
    const plain = await startTestServer({ database: server.database, config: { google } });
    const login = await plain.call('/auth/google/login');
    expect(login.json).toMatchObject({ status: 401, code: 'INVALID_CREDENTIALS' });
    expect(login.headers.getSetCookie()).toEqual([]);
    const reply = await postGoogle(plain, 'state=a&id_token=b');
    await expectRefused(reply, 'INVALID_CREDENTIALS', 'not_configured');
    expect((await plain.call('/auth/methods')).json.google).toBe(false);
    await plain.close();
  },
);
