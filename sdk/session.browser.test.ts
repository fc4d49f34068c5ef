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

/** A page of the service on which the SDK runs, under the service's own content security policy. */
describe.skipIf(noBrowser)('pages of the service that share a session', () => {
  let server: TestServer;
  let browser: Browser;
  let script: string;
  let context: BrowserContext;
  let user: TestUser;
  let sent: string[];

  beforeAll(async () => {
    script = await bundle();
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
  async function open(): Promise<Page> {
    const page = await context.newPage();
    await page.goto(`${server.url}/verify-email`);
    await page.evaluate(script);
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

  it('keeps the refresh token out of the reach of scripts and survives a reload', async () => {
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

  it('is not asked for again in a browser that never signed in', async () => {
    expect(await whoAmI(await open())).toContain('UNAUTHORIZED');
    expect(refreshes()).toBe(0);
  });

  it('gives the token of a sign-in to the other tabs', async () => {
    const [one, two] = [await open(), await open()];
    await signIn(one);
    await two.waitForFunction('globalThis.shared.events.includes("signed-in")');
    expect(await whoAmI(two)).toBe(user.email);
    expect(refreshes()).toBe(0);
  });

  it('is renewed once by two tabs whose token was refused at the same time', async () => {
    const [one, two] = [await open(), await open()];
    await signIn(one);
    expect(await whoAmI(two)).toBe(user.email);
    server.clock.advance({ minutes: 16 });
    expect(await Promise.all([whoAmI(one), whoAmI(two)])).toEqual([user.email, user.email]);
    expect(refreshes()).toBe(1);
  });

  it('outlives two tabs that refresh at once without a lock', async () => {
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

  it('is not held up by a tab that sleeps with the lock', async () => {
    const [one, two] = [await open(), await open()];
    await signIn(one);
    await one.evaluate('void navigator.locks.request("cspm.session", () => new Promise(() => {}))');
    expect(await whoAmI(two)).toBe(user.email);
    server.clock.advance({ minutes: 16 });
    expect(await whoAmI(two)).toBe(user.email);
  });

  it('ends in all tabs when one signs out', async () => {
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

  it('ends in all tabs when the session is revoked elsewhere', async () => {
    const [one, two] = [await open(), await open()];
    await signIn(one);
    expect(await whoAmI(two)).toBe(user.email);
    await server.call('/auth/logout-all', { method: 'POST', headers: user.session });
    expect(await whoAmI(one)).toContain('UNAUTHORIZED');
    await two.waitForFunction('globalThis.shared.events.includes("signed-out")');
    expect(await context.cookies(server.url)).toEqual([]);
  });

  it('cannot be opened, renewed or ended by a page of another site', async () => {
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
async function bundle(): Promise<string> {
  const contents = `
    import { createClient } from '@cspm/sdk';
    import { cookieSession } from '@cspm/sdk/session';
    const session = cookieSession();
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
