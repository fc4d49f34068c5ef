import { contract } from '@cspm/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { codeAt, enrol } from '../../../../tests/kit/authenticator.ts';
import { CookieJar } from '../../../../tests/kit/cookie-jar.ts';
import type { TestUser } from '../../../../tests/kit/people.ts';
import {
  type Reply,
  startTestServer,
  TEST_APP_SECRET,
  type TestServer,
} from '../../../../tests/kit/test-server.ts';

const NAME = '__Host-cspm_session';
const KEPT = new RegExp(
  `^${NAME}=[\\w-]{43}; Path=/; Secure; HttpOnly; SameSite=Strict; Max-Age=604800$`,
);
const DELETED = `${NAME}=; Path=/; Secure; HttpOnly; SameSite=Strict; Max-Age=0`;
/** What a browser sends with a request of our own page. */
const OWN_PAGE = { 'x-session-transport': 'cookie', 'sec-fetch-site': 'same-origin' };

let server: TestServer;
let user: TestUser;
let browser: CookieJar;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

beforeEach(async () => {
  user = await server.people.user();
  browser = new CookieJar();
});

/** A request of a page in `browser`, which keeps the cookies of the answer. */
async function ask(
  path: string,
  body?: unknown,
  headers: Record<string, string> = OWN_PAGE,
  jar = browser,
): Promise<Reply> {
  const all = { ...jar.headers, ...headers };
  const reply = await server.call(path, {
    method: 'POST',
    headers: all,
    ...(body === undefined ? {} : { body }),
  });
  jar.take(reply.headers);
  return reply;
}

const signIn = (headers?: Record<string, string>) =>
  ask('/auth/login', { email: user.email, password: user.password }, headers);
const refresh = (headers?: Record<string, string>, jar?: CookieJar) =>
  ask('/auth/refresh', {}, headers, jar);
const bearer = (reply: Reply) => ({ authorization: `Bearer ${reply.json.accessToken}` });
const statusOf = async (reply: Reply) =>
  (await server.call('/auth/me', { headers: bearer(reply) })).status;

/** A browser that holds the same cookies: what a thief copied. */
function copyOf(jar: CookieJar): CookieJar {
  const copy = new CookieJar();
  copy.keep(jar.headers['cookie'] ?? '');
  return copy;
}

describe('a sign-in with X-Session-Transport', () => {
  it('a sign-in with X-Session-Transport puts the refresh token into an HttpOnly cookie and leaves it out of the body', async () => {
    const reply = await signIn();
    expect(reply.status).toBe(200);
    expect(reply.json).toEqual({
      accessToken: expect.any(String),
      refreshToken: '',
      tokenType: 'Bearer',
      expiresIn: 900,
    });
    expect(reply.headers.getSetCookie()).toEqual([expect.stringMatching(KEPT)]);
    expect(await statusOf(reply)).toBe(200);
  });

  it('a sign-in without X-Session-Transport has the tokens in the body and sets no cookie', async () => {
    const reply = await signIn({ 'sec-fetch-site': 'same-origin' });
    expect(reply.json.refreshToken).toMatch(/^[\w-]{43}$/);
    expect(reply.headers.getSetCookie()).toEqual([]);
  });

  it('a sign-in with X-Session-Transport ends the previous session of the browser', async () => {
    const before = await signIn();
    const after = await signIn();
    expect(await statusOf(before)).toBe(401);
    expect(await statusOf(after)).toBe(200);
  });

  it('a refused sign-in keeps the previous session of the browser', async () => {
    const before = await signIn();
    const refused = await ask('/auth/login', { email: user.email, password: 'wrong' });
    expect(refused.status).toBe(401);
    expect(refused.headers.getSetCookie()).toEqual([]);
    expect(await statusOf(before)).toBe(200);
  });

  it('a sign-in with another value of X-Session-Transport is refused', async () => {
    const reply = await signIn({ ...OWN_PAGE, 'x-session-transport': 'header' });
    expect(reply.status).toBe(400);
    expect(reply.json.errors[0].path).toBe('headers.x-session-transport');
  });
});

describe('a refresh with the cookie', () => {
  it('a refresh with the session cookie replaces the cookie', async () => {
    await signIn();
    const before = browser.headers['cookie'];
    const reply = await refresh();
    expect(reply.status).toBe(200);
    expect(reply.json.refreshToken).toBe('');
    expect(reply.headers.getSetCookie()).toEqual([expect.stringMatching(KEPT)]);
    expect(browser.headers['cookie']).not.toBe(before);
    expect(await statusOf(reply)).toBe(200);
  });

  it('a refresh ignores the session cookie without X-Session-Transport', async () => {
    await signIn();
    const reply = await refresh({ 'sec-fetch-site': 'same-origin' });
    expect(reply.status).toBe(400);
    expect(reply.json.errors[0].path).toBe('body.refreshToken');
    expect((await refresh()).status).toBe(200);
  });

  it('a refresh token in the body of a request with X-Session-Transport is refused', async () => {
    const { refreshToken } = user;
    const reply = await ask('/auth/refresh', { refreshToken });
    expect(reply.status).toBe(400);
    expect(reply.json.errors[0].path).toBe('body.refreshToken');
    const inBody = await ask('/auth/refresh', { refreshToken }, {});
    expect(inBody.status).toBe(200);
  });

  it('a refresh with X-Session-Transport is refused without a cookie, and deletes no cookie that it cannot read', async () => {
    for (const cookie of ['', `${NAME}=short`, `${NAME}=${'x'.repeat(43)}`, 'other=1; ;=;']) {
      const reply = await refresh({ ...OWN_PAGE, cookie });
      expect(reply.status).toBe(401);
      expect(reply.headers.getSetCookie()).toEqual([DELETED]);
    }
  });

  it('a refresh with a stolen session cookie revokes the session and deletes the cookie', async () => {
    const signedIn = await signIn();
    const thief = copyOf(browser);
    const renewed = await refresh();
    server.clock.advance({ seconds: 11 });
    const replayed = await refresh(OWN_PAGE, thief);
    expect(replayed.status).toBe(401);
    expect(replayed.headers.getSetCookie()).toEqual([DELETED]);
    expect(await statusOf(signedIn)).toBe(401);
    expect(await statusOf(renewed)).toBe(401);
    const owner = await refresh();
    expect(owner.status).toBe(401);
    expect(owner.headers.getSetCookie()).toEqual([DELETED]);
  });

  it('two concurrent refreshes with the session cookie leave both tabs signed in', async () => {
    await signIn();
    const tabs = await Promise.all([refresh(), refresh()]);
    expect(tabs.map(({ status }) => status).sort()).toEqual([200, 401]);
    const late = tabs.find(({ status }) => status === 401);
    expect(late?.headers.get('retry-after')).toBe('1');
    expect(late?.headers.getSetCookie()).toEqual([]);
    expect((await refresh()).status).toBe(200);
  });

  it('a refresh with the cookie of a revoked session is refused and deletes the cookie', async () => {
    const signedIn = await signIn();
    const sessions = await server.call('/sessions', { headers: user.session });
    const ended = sessions.json.items.find(({ id }: { id: string }) => id !== user.sessionId);
    const path = `/sessions/${ended.id}`;
    const revoked = await server.call(path, { method: 'DELETE', headers: user.session });
    expect(revoked.status).toBe(204);
    expect(await statusOf(signedIn)).toBe(401);
    const reply = await refresh();
    expect(reply.status).toBe(401);
    expect(reply.headers.has('retry-after')).toBe(false);
    expect(reply.headers.getSetCookie()).toEqual([DELETED]);
  });
});

describe('a request with X-Session-Transport from elsewhere', () => {
  const ELSEWHERE: readonly Record<string, string>[] = [
    {},
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
  ];

  it.each(ELSEWHERE)(
    'a request with X-Session-Transport from another site is refused with 403 and changes no cookie: %o',
    async (headers) => {
      await signIn();
      const foreign = { 'x-session-transport': 'cookie', ...headers };
      for (const path of ['/auth/refresh', '/auth/logout', '/api/v1/auth/refresh']) {
        const reply = await ask(path, {}, foreign);
        expect(reply.status).toBe(403);
        expect(reply.json.code).toBe('CROSS_SITE_REQUEST');
        expect(reply.headers.getSetCookie()).toEqual([]);
      }
      expect((await refresh()).status).toBe(200);
    },
  );

  it.each(ELSEWHERE)(
    'a request with X-Session-Transport from another site cannot sign anybody in (login CSRF): %o',
    async (headers) => {
      const reply = await signIn({ 'x-session-transport': 'cookie', ...headers });
      expect(reply.status).toBe(403);
      expect(reply.headers.getSetCookie()).toEqual([]);
    },
  );

  it('a request without a credential is refused before its X-Session-Transport', async () => {
    const values = [{ 'x-session-transport': 'x' }, { 'x-session-transport': 'cookie' }];
    for (const path of ['/auth/logout-all', '/auth/2fa/verify', '/auth/change-password']) {
      for (const headers of values) {
        expect((await ask(path, undefined, headers)).status).toBe(401);
      }
    }
  });

  it('Sec-Fetch-Site decides about a request, and not Origin, when both are sent', async () => {
    const { origin } = new URL(server.url);
    const headers = { 'x-session-transport': 'cookie', origin };
    expect((await signIn({ ...headers, 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await signIn(headers)).status).toBe(200);
  });
});

describe('the session cookie', () => {
  it('the session cookie authenticates no operation', async () => {
    await signIn();
    const headers = { ...browser.headers, ...OWN_PAGE };
    const paths = Object.values(contract).flatMap((routes) =>
      Object.values(routes)
        .filter(({ metadata }) => metadata.credentials !== 'public')
        .map(({ method, path }) => ({ method, path: path.replaceAll(/:\w+/g, user.id) })),
    );
    for (const { method, path } of paths) {
      const reply = await server.call(path, { method, headers });
      expect({ [path]: reply.status }).toEqual({ [path]: 401 });
    }
  });

  it('the session cookie is deleted by a logout, which ends the session', async () => {
    const signedIn = await signIn();
    const reply = await ask('/auth/logout', {});
    expect(reply.status).toBe(204);
    expect(reply.headers.getSetCookie()).toEqual([DELETED]);
    expect(await statusOf(signedIn)).toBe(401);
  });

  it('the session cookie is left alone by a logout without the header', async () => {
    const signedIn = await signIn();
    expect((await ask('/auth/logout', {}, {})).status).toBe(400);
    expect(await statusOf(signedIn)).toBe(200);
  });

  it('the session cookie is deleted when all sessions are ended', async () => {
    const signedIn = await signIn();
    const reply = await ask('/auth/logout-all', undefined, { ...OWN_PAGE, ...bearer(signedIn) });
    expect(reply.status).toBe(204);
    expect(reply.headers.getSetCookie()).toEqual([DELETED]);
    expect(await statusOf(signedIn)).toBe(401);
  });

  it('the session cookie is deleted by a password change, which ends its session', async () => {
    const signedIn = await signIn();
    const thief = copyOf(browser);
    const body = { currentPassword: user.password, newPassword: 'another battery staple' };
    const reply = await ask('/auth/change-password', body, { ...OWN_PAGE, ...bearer(signedIn) });
    expect(reply.status).toBe(204);
    expect(reply.headers.getSetCookie()).toEqual([DELETED]);
    expect(await statusOf(signedIn)).toBe(401);
    expect((await refresh(OWN_PAGE, thief)).status).toBe(401);
  });

  it('the session cookie gets the new refresh token when the session passes a second factor', async () => {
    const at = server.clock.now();
    const { secret } = await enrol(server.database, TEST_APP_SECRET, user, { at });
    const { json, headers } = await ask(
      '/auth/login',
      { email: user.email, password: user.password, totp: codeAt(secret, at) },
      OWN_PAGE,
    );
    expect(headers.getSetCookie()).toHaveLength(1);
    const before = browser.headers['cookie'];
    server.clock.advance({ seconds: 60 });
    const code = codeAt(secret, server.clock.now());
    const own = { ...OWN_PAGE, authorization: `Bearer ${json.accessToken}` };
    const raised = await ask('/auth/2fa/verify', { code }, own);
    expect(raised.status).toBe(200);
    expect(raised.json.refreshToken).toBe('');
    expect(raised.headers.getSetCookie()).toEqual([expect.stringMatching(KEPT)]);
    expect(browser.headers['cookie']).not.toBe(before);
    expect((await refresh()).status).toBe(200);
  });
});
