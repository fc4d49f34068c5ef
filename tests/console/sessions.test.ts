import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildConsole } from '../../scripts/build-console.mjs';
import { launchBrowser, noBrowser } from '../kit/browser.ts';
import { signOut } from '../kit/console-journeys.ts';
import { ConsoleVisitor } from '../kit/console-page.ts';
import type { TestUser } from '../kit/people.ts';
import { BUILT_CONSOLE, startTestServer, type TestServer } from '../kit/test-server.ts';

const ENDED = 'Your session has ended. Sign in again.';
/** Longer than the life of an access token. */
const SLEEP = '02:00:00';

describe.skipIf(noBrowser !== null)('sessions of the console', () => {
  let browser: Browser;
  let server: TestServer;
  let user: TestUser;
  let visitor: ConsoleVisitor;

  beforeAll(async () => {
    await buildConsole();
    [browser, server] = await Promise.all([
      launchBrowser(),
      startTestServer({ consoleFolder: BUILT_CONSOLE }),
    ]);
  });

  afterAll(async () => {
    await Promise.all([browser?.close(), server?.close()]);
  });

  beforeEach(async () => {
    user = await server.people.user();
    visitor = await ConsoleVisitor.open(browser, server);
  });

  afterEach(async () => {
    expect(visitor.complaints).toEqual([]);
    await visitor.close();
  });

  async function open(path: string): Promise<void> {
    await visitor.goto(path);
    await visitor.signIn(user.email, user.password);
  }

  const link = ({ page }: ConsoleVisitor, name: string) =>
    page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true });
  const heading = ({ page }: ConsoleVisitor, name: string) =>
    page.getByRole('heading', { name, level: 1 });
  const refreshes = (requests: readonly string[]) =>
    requests.filter((one) => one === 'POST /auth/refresh');

  it('the console keeps the person signed in after a reload', async () => {
    await open('/projects');
    await heading(visitor, 'Projects').waitFor();
    await visitor.page.reload();
    await heading(visitor, 'Projects').waitFor();
    expect(refreshes(visitor.takeRequests())).toHaveLength(1);
    expect(await visitor.page.evaluate(() => document.cookie)).toBe('');
    const stored = await visitor.page.evaluate(() => JSON.stringify({ ...localStorage }));
    expect(stored).not.toMatch(/[\w-]{30,}/);
  });

  it('the console loads its code in parallel with the session if somebody is signed in, and not otherwise', async () => {
    const { page } = visitor;
    const shell = /\/assets\/(Shell|data)-/;
    const loaded: string[] = [];
    page.on('request', (request) => void loaded.push(request.url()));
    await visitor.goto('/sign-in');
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
    expect(loaded.filter((url) => shell.test(url))).toEqual([]);
    await visitor.signIn(user.email, user.password);
    await page.getByRole('navigation', { name: 'Main' }).first().waitFor();
    // The start is held back until the shell was asked for.
    let isAsked = () => {};
    const asked = new Promise<void>((resolve) => {
      isAsked = resolve;
    });
    await page.route(/\/assets\/index-.*\.js/, async (route) => {
      await asked;
      await route.continue();
    });
    await page.route(shell, async (route) => {
      isAsked();
      await route.continue();
    });
    await page.reload({ waitUntil: 'commit' });
    await page.getByRole('navigation', { name: 'Main' }).first().waitFor();
  });

  it('the console renews the session once for two tabs', async () => {
    await open('/projects');
    await heading(visitor, 'Projects').waitFor();
    const second = await visitor.tab();
    // A tab asks the others for their token and waits 50 ms. On a busy machine the answer may take longer.
    await second.page.addInitScript(() => {
      const { setTimeout: after } = globalThis;
      const patient = (work: () => void, ms?: number) => after(work, ms === 50 ? 100_000 : ms);
      Object.assign(globalThis, { setTimeout: patient });
    });
    await second.goto('/scans');
    await heading(second, 'Scans').waitFor();
    expect(refreshes([...visitor.takeRequests(), ...second.takeRequests()])).toHaveLength(0);
  });

  it('the console renews the session of a tab that slept longer than its token lives', async () => {
    const { page } = visitor;
    await page.clock.install();
    await open('/projects');
    await heading(visitor, 'Projects').waitFor();
    visitor.takeRequests();
    server.clock.advance({ hours: 2 });
    await page.clock.fastForward(SLEEP);
    await link(visitor, 'Rules').click();
    await page
      .getByRole('link', { name: /public/i })
      .first()
      .waitFor();
    expect(refreshes(visitor.takeRequests())).toHaveLength(1);
  });

  it('signing out in one tab signs the other tabs out, which then show no data of the person', async () => {
    await open('/projects');
    await heading(visitor, 'Projects').waitFor();
    const second = await visitor.tab();
    await second.goto('/account');
    await heading(second, 'Your account').waitFor();
    await visitor.page.getByRole('button', { name: /Account of/ }).click();
    await visitor.page.getByRole('menuitem', { name: 'Sign out', exact: true }).click();
    await heading(visitor, 'Sign in').waitFor();
    await heading(second, 'Sign in').waitFor();
    await second.page.getByText(ENDED).waitFor();
    expect(await second.page.content()).not.toContain(user.email);
    expect(await visitor.page.getByText(ENDED).count()).toBe(0);
  });

  it('another tab shows the data of the other person after they signed in', async () => {
    await open('/account');
    await heading(visitor, 'Your account').waitFor();
    const other = await server.people.user();
    const second = await visitor.tab();
    await second.goto('/projects');
    await heading(second, 'Projects').waitFor();
    await second.page.getByRole('button', { name: /Account of/ }).click();
    await second.page.getByRole('menuitem', { name: 'Sign out', exact: true }).click();
    await heading(second, 'Sign in').waitFor();
    await heading(visitor, 'Sign in').waitFor();
    await second.signIn(other.email, other.password);
    await heading(second, 'Projects').waitFor();
    await visitor.page.reload();
    await visitor.page
      .getByRole('button', { name: /Account of/ })
      .getByText(other.email)
      .waitFor();
    expect(await visitor.page.content()).not.toContain(user.email);
  });

  it('the console ends both sessions when a stolen refresh cookie is used a second time', async () => {
    await open('/projects');
    await heading(visitor, 'Projects').waitFor();
    const stolen = await visitor.context.cookies();
    const thief = await ConsoleVisitor.open(browser, server, { cookies: stolen });
    try {
      await thief.goto('/sign-in');
      await thief.page.evaluate(() => localStorage.setItem('cspm.session', '1'));
      await thief.goto('/projects');
      await heading(thief, 'Projects').waitFor();

      // The owner's browser still has the cookie that the thief has spent.
      await visitor.context.clearCookies();
      await visitor.context.addCookies(stolen);
      server.clock.advance({ minutes: 1 });
      await visitor.page.reload();
      await heading(visitor, 'Sign in').waitFor();
      await visitor.page.getByText(ENDED).waitFor();

      await link(thief, 'Rules').click();
      await heading(thief, 'Sign in').waitFor();
      await visitor.signIn(user.email, user.password);
      await heading(visitor, 'Projects').waitFor();
    } finally {
      await thief.close();
    }
  });

  it('the console says how the session ends if the server refuses the sign-out', async () => {
    await open('/projects');
    await heading(visitor, 'Projects').waitFor();
    await visitor.page.route('**/auth/logout', (route) =>
      route.fulfill({ status: 503, headers: { 'retry-after': '60' } }),
    );
    await signOut(visitor);
    await visitor.page
      .getByText(
        'the server could not end the session. Sign in again and choose Sign out everywhere',
      )
      .waitFor();
  });

  it('the console says that the session was ended elsewhere, and returns to the page after the sign-in', async () => {
    await open('/rules?severity=low');
    await visitor.page
      .getByRole('table', { name: 'Rules', exact: true })
      .getByRole('row')
      .nth(1)
      .waitFor();
    const { items } = (await server.call('/sessions', { headers: user.session })).json;
    for (const { id } of items.filter((one: { id: string }) => one.id !== user.sessionId)) {
      await server.call(`/sessions/${id}`, { method: 'DELETE', headers: user.session });
    }
    await link(visitor, 'Projects').click();
    await heading(visitor, 'Sign in').waitFor();
    await visitor.page.getByText(ENDED).waitFor();
    await visitor.screenshot('state-session-ended');
    expect(await visitor.accessibilityViolations()).toEqual([]);
    await visitor.signIn(user.email, user.password);
    await heading(visitor, 'Projects').waitFor();
  });

  it('the console removes what a role loses while the page is open', async () => {
    const { page } = visitor;
    await open('/people');
    await page.getByRole('cell', { name: user.email }).waitFor();
    await server.database.owner.query(
      'UPDATE identity.memberships SET role = $2 WHERE user_id = $1',
      [user.id, 'viewer'],
    );
    await link(visitor, 'Audit log').click();
    await page.getByRole('heading', { name: 'You do not have access to this page' }).waitFor();
    await link(visitor, 'People').waitFor({ state: 'detached' });
    await visitor.screenshot('state-forbidden');
    expect(await visitor.accessibilityViolations()).toEqual([]);
    await link(visitor, 'Findings').click();
    await heading(visitor, 'Findings').waitFor();
  });
});
