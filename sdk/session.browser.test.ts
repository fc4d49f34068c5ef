import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { launchBrowser, noBrowser } from '../tests/kit/browser.ts';
import type { TestUser } from '../tests/kit/people.ts';
import { freshAddress, startTestServer, type TestServer } from '../tests/kit/test-server.ts';

/** What a page has after `open`. */
interface InPage {
  readonly session: import('@cspm/sdk/session').BrowserSession;
  readonly cspm: import('@cspm/sdk').Cspm;
  readonly events: string[];
}

/** Where a session is kept, as an expression in the page. */
const KEPT = {
  'in a cookie': 'cookieSession()',
  'in localStorage': 'storedSession(localStorageStore())',
};

/** A page of the service on which the SDK runs, under the service's own content security policy. */
describe.skipIf(noBrowser)('pages of the service that share a session', () => {
  let server: TestServer;
  let browser: Browser;
  let script: string;
  let context: BrowserContext;
  let user: TestUser;
  let sent: string[];

  beforeAll(async () => {
    script = await bundle(KEPT['in a cookie']);
    server = await startTestServer();
    browser = await launchBrowser();
  });

  afterAll(async () => {
    await browser.close();
    await server.close();
  });

  beforeEach(async () => {
    user = await server.people.user();
    await context?.close();
    // Each test counts for an address of its own, or the client would wait for the limit of sign-ins.
    context = await browser.newContext({ extraHTTPHeaders: { 'x-forwarded-for': freshAddress() } });
    sent = [];
    context.on('request', (request) => {
      sent.push(`${request.method()} ${new URL(request.url()).pathname}`);
    });
  });

  /** A tab on any page of the service. */
  async function open(of = script): Promise<Page> {
    const page = await context.newPage();
    await page.goto(`${server.url}/verify-email`);
    await page.evaluate(of);
    return page;
  }

  async function run<T>(page: Page, work: (given: InPage, ...args: string[]) => Promise<T>) {
    const args = [user.email, user.password].map((arg) => JSON.stringify(arg)).join();
    return (await page.evaluate(`(${work})(globalThis.shared, ${args})`)) as T;
  }

  const signIn = (page: Page) =>
    run(page, async ({ cspm }, email, password) => {
      await cspm.auth.login({ email: `${email}`, password: `${password}` });
    });
  const whoAmI = (page: Page) =>
    run(page, async ({ cspm }) => cspm.auth.me().then(({ user }) => user?.email, String));
  const refreshes = () => sent.filter((request) => request === 'POST /auth/refresh').length;

  it('a session shared by pages keeps the refresh token out of the reach of scripts and survives a reload', async () => {
    const page = await open();
    await signIn(page);
    const [cookie] = await context.cookies(server.url);
    expect(cookie).toMatchObject({
      name: '__Host-cspm_session',
      httpOnly: true,
      secure: true,
      sameSite: 'Strict',
    });
    const readable = await page.evaluate('document.cookie + JSON.stringify(localStorage)');
    expect(readable).not.toContain(cookie?.value);
    expect(readable).toBe('{"cspm.session":"1"}');
    const again = await open();
    await page.close();
    expect(await whoAmI(again)).toBe(user.email);
  });

  it('a browser that never signed in requests no session', async () => {
    expect(await whoAmI(await open())).toContain('UNAUTHORIZED');
    expect(refreshes()).toBe(0);
  });

  it('a sign-in gives its token to the other tabs', async () => {
    const [one, two] = [await open(), await open()];
    await signIn(one);
    await two.waitForFunction('globalThis.shared.events.includes("signed-in")');
    expect(await whoAmI(two)).toBe(user.email);
    expect(refreshes()).toBe(0);
  });

  it('a shared session is renewed once by two tabs whose token was refused at the same time', async () => {
    const [one, two] = [await open(), await open()];
    await signIn(one);
    expect(await whoAmI(two)).toBe(user.email);
    server.clock.advance({ minutes: 16 });
    expect(await Promise.all([whoAmI(one), whoAmI(two)])).toEqual([user.email, user.email]);
    expect(refreshes()).toBe(1);
  });

  it('a shared session outlives two tabs that refresh at once without a lock', async () => {
    const [one, two] = [await open(), await open()];
    for (const page of [one, two]) {
      await page.evaluate(
        'Object.defineProperty(navigator, "locks", { value: undefined, configurable: true })',
      );
    }
    await signIn(one);
    expect(await whoAmI(two)).toBe(user.email);
    server.clock.advance({ minutes: 16 });
    expect(await Promise.all([whoAmI(one), whoAmI(two)])).toEqual([user.email, user.email]);
    server.clock.advance({ minutes: 16 });
    expect(await whoAmI(one)).toBe(user.email);
    expect(await whoAmI(two)).toBe(user.email);
  });

  it('a shared session is not held up by a tab that sleeps with the lock', async () => {
    const [one, two] = [await open(), await open()];
    await signIn(one);
    await one.evaluate('void navigator.locks.request("cspm.session", () => new Promise(() => {}))');
    expect(await whoAmI(two)).toBe(user.email);
    server.clock.advance({ minutes: 16 });
    expect(await whoAmI(two)).toBe(user.email);
  });

  it('a shared session ends in all tabs when one signs out', async () => {
    const [one, two] = [await open(), await open()];
    await signIn(one);
    expect(await whoAmI(two)).toBe(user.email);
    await run(one, async ({ cspm }) => {
      await cspm.auth.logout();
    });
    await two.waitForFunction('globalThis.shared.events.includes("signed-out")');
    expect(await whoAmI(two)).toContain('UNAUTHORIZED');
    expect(await context.cookies(server.url)).toEqual([]);
    expect(refreshes()).toBe(0);
  });

  it('a shared session ends in all tabs when it is revoked elsewhere', async () => {
    const [one, two] = [await open(), await open()];
    await signIn(one);
    expect(await whoAmI(two)).toBe(user.email);
    await server.call('/auth/logout-all', { method: 'POST', headers: user.session });
    expect(await whoAmI(one)).toContain('UNAUTHORIZED');
    await two.waitForFunction('globalThis.shared.events.includes("signed-out")');
    expect(await context.cookies(server.url)).toEqual([]);
  });

  it.each(Object.entries(KEPT))(
    'a shared session outlives, %s, a tab that sleeps for an hour while another one renews it',
    async (_where, expression) => {
      const kept = await bundle(expression);
      const [awake, asleep] = [await open(kept), await open(kept)];
      await signIn(awake);
      expect(await whoAmI(asleep)).toBe(user.email);
      for (let quarter = 0; quarter < 4; quarter += 1) {
        server.clock.advance({ minutes: 16 });
        expect(await whoAmI(awake)).toBe(user.email);
      }
      expect(refreshes()).toBe(4);
      expect(await whoAmI(asleep)).toBe(user.email);
      expect(refreshes()).toBe(4);
      server.clock.advance({ minutes: 64 });
      expect(await Promise.all([whoAmI(asleep), whoAmI(awake)])).toEqual([user.email, user.email]);
      expect(refreshes()).toBe(5);
      await run(asleep, async ({ cspm }) => {
        await cspm.auth.logout();
      });
      await awake.waitForFunction('globalThis.shared.events.includes("signed-out")');
      expect(await whoAmI(awake)).toContain('UNAUTHORIZED');
    },
  );

  it('a session in localStorage is known to a page that was reloaded', async () => {
    const kept = await bundle(KEPT['in localStorage']);
    const page = await open(kept);
    await signIn(page);
    const again = await open(kept);
    expect(await run(again, async ({ session }) => session.isSignedIn)).toBe(true);
    expect(await whoAmI(again)).toBe(user.email);
    expect(refreshes()).toBe(0);
  });

  it('a session cannot be opened, renewed or ended by a page of another site', async () => {
    await signIn(await open());
    const evil = await context.newPage();
    // Another site on the same machine: browsers take `localhost` and `127.0.0.1` for two sites.
    const other = server.url.replace('127.0.0.1', 'localhost');
    await evil.goto(`${other}/verify-email`);
    const outcomes = await evil.evaluate(
      `Promise.all(['refresh', 'logout', 'login'].map((name) =>
        fetch('${server.url}/auth/' + name, {
          method: 'POST',
          credentials: 'include',
          headers: { 'content-type': 'application/json', 'x-session-transport': 'cookie' },
          body: '{}',
        }).then(({ status }) => status, () => 'blocked')))`,
    );
    expect(outcomes).toEqual(['blocked', 'blocked', 'blocked']);
    expect(await whoAmI(await open())).toBe(user.email);
  });
});

/** The client and its session as a global of the page. */
async function bundle(session: string): Promise<string> {
  const contents = `
    import { createClient } from '@cspm/sdk';
    import { cookieSession, localStorageStore, storedSession } from '@cspm/sdk/session';
    const session = ${session};
    const events = [];
    session.subscribe((event) => events.push(event));
    const cspm = createClient({ baseUrl: location.origin, session });
    globalThis.shared = { session, cspm, events };`;
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: fileURLToPath(new URL('..', import.meta.url)) },
    bundle: true,
    format: 'iife',
    platform: 'browser',
    write: false,
  });
  return outputFiles[0]?.text ?? '';
}
