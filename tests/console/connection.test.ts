import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { buildConsole } from '../../scripts/build-console.mjs';
import { launchBrowser, noBrowser } from '../kit/browser.ts';
import { ConsoleVisitor } from '../kit/console-page.ts';
import type { TestUser } from '../kit/people.ts';
import { plantFindings } from '../kit/planted-findings.ts';
import {
  BUILT_CONSOLE,
  freshAddress,
  startTestServer,
  type TestServer,
} from '../kit/test-server.ts';

/** Requests that an address may send in a minute. */
const RATE_LIMIT = 40;

describe.skipIf(noBrowser !== null)('the console while the server does not serve it', () => {
  let browser: Browser;
  let server: TestServer;
  let user: TestUser;
  let visitor: ConsoleVisitor;
  let address: string;
  let projectId: string;

  beforeAll(async () => {
    await buildConsole();
    [browser, server] = await Promise.all([
      launchBrowser(),
      startTestServer({ consoleFolder: BUILT_CONSOLE, config: { rateLimit: RATE_LIMIT } }),
    ]);
  });

  afterAll(async () => {
    await Promise.all([browser?.close(), server?.close()]);
  });

  beforeEach(async () => {
    user = await server.people.user();
    address = freshAddress();
    visitor = await ConsoleVisitor.open(browser, server, { address });
    const project = await server.call('/projects', {
      method: 'POST',
      headers: user.key,
      body: { name: 'shop-prod' },
    });
    projectId = project.json.id;
    await plantFindings(server.database, user.tenant.id, projectId, [
      { title: 'Bucket is public' },
      { title: 'Logs are not kept', status: 'resolved' },
    ]);
  });

  afterEach(async () => {
    vi.useRealTimers();
    expect(visitor.complaints).toEqual([]);
    await visitor.close();
  });

  async function open(path: string): Promise<void> {
    await visitor.goto(path);
    await visitor.signIn(user.email, user.password);
  }

  const shown = (text: string | RegExp) => visitor.page.getByText(text).first().waitFor();
  const link = (name: string) =>
    visitor.page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true });

  /** Uses up the requests of the visitor's address. */
  async function spendRequests(): Promise<void> {
    let isSpent = false;
    while (!isSpent) {
      const { status } = await server.call('/auth/me', { headers: user.key, ip: address });
      isSpent = status === 429;
    }
  }

  it('the console keeps what was loaded while it is offline, and continues by itself', async () => {
    const { page, context } = visitor;
    await open('/findings');
    const row = page.getByRole('button', { name: 'Bucket is public', exact: true });
    await row.waitFor();
    await context.setOffline(true);
    await shown('You are offline.');
    await page.getByRole('tab', { name: 'Resolved' }).click();
    await page.getByRole('tab', { name: 'Resolved', selected: true }).waitFor();
    await row.waitFor();
    await context.setOffline(false);
    await page.getByRole('button', { name: 'Logs are not kept', exact: true }).waitFor();
    await page.getByText('You are offline.').waitFor({ state: 'detached' });
  });

  it('the list of findings keeps its rows, place and selection when the device was offline, and is compared', async () => {
    const { page, context } = visitor;
    await page.clock.install();
    const plant = (size: number) =>
      plantFindings(
        server.database,
        user.tenant.id,
        projectId,
        Array.from({ length: size }, (_, index) => ({ title: `Finding ${index}.` })),
      );
    await plant(250);
    await open('/findings');
    await shown('200 of 251 loaded');
    const rows = page.getByRole('rowgroup', { name: 'Rows' });
    await rows.evaluate((one) => {
      one.scrollTop = one.scrollHeight;
    });
    await shown('251 of 251 loaded');
    await page.getByRole('checkbox', { name: /^Select Finding 60\., / }).click();
    await shown('1 selected');
    const place = await rows.evaluate(({ scrollTop }) => scrollTop);
    await page.clock.fastForward('01:00');
    await context.setOffline(true);
    await shown('You are offline.');
    await plant(1);
    await context.setOffline(false);
    await shown('251 of 252 loaded. 1 new result.');
    await shown('1 selected');
    expect(await rows.evaluate(({ scrollTop }) => scrollTop)).toBe(place);
  });

  it('the console opens a screen whose code was not loaded yet as soon as it is online again', async () => {
    const { page, context } = visitor;
    await open('/findings');
    await shown('1 finding in 1 project');
    await context.setOffline(true);
    await link('API keys').click();
    await page.getByRole('heading', { name: 'The server cannot be reached' }).waitFor();
    await link('Findings').waitFor();
    await context.setOffline(false);
    await page.getByRole('heading', { name: 'API keys' }).waitFor();
  });

  it('the console says when a spent rate limit ends, and continues by itself', async () => {
    const { page } = visitor;
    await page.clock.install();
    await open('/findings');
    await shown('1 finding in 1 project');
    await spendRequests();
    await link('Rules').click();
    await page.getByRole('heading', { name: 'Too many requests' }).waitFor();
    await shown(/tries again in \d+ s/);
    await visitor.screenshot('state-rate-limited');
    expect(await visitor.accessibilityViolations()).toEqual([]);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 120_000 });
    await page.clock.fastForward('02:00');
    await page.getByRole('table', { name: /Rules/ }).waitFor();
  });

  it('the console says that it is loading while its first call waits for the rate limit', async () => {
    const { page } = visitor;
    await open('/findings');
    await shown('1 finding in 1 project');
    let isLimited = true;
    await page.route('**/auth/refresh', (route) =>
      isLimited
        ? route.fulfill({ status: 429, headers: { 'retry-after': '5' } })
        : route.continue(),
    );
    await page.reload();
    await page.getByRole('heading', { name: 'Loading.' }).waitFor();
    await shown('If this takes long, the server is limiting requests');
    expect(await visitor.accessibilityViolations()).toEqual([]);
    isLimited = false;
    await shown('1 finding in 1 project');
    await page.getByRole('heading', { name: 'Loading.' }).waitFor({ state: 'detached' });
  });

  it('the console says how long a refused action waits, and then completes it', async () => {
    const { page } = visitor;
    await open('/api-keys');
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('ci');
    await spendRequests();
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
    await page
      .getByRole('dialog')
      .getByText(/Try again in \d+ s/)
      .waitFor();
    server.clock.advance({ minutes: 2 });
    expect(await page.getByRole('dialog').getByLabel('Name').inputValue()).toBe('ci');
  });

  it('the console says that a change may have been made when the server does not answer in time', async () => {
    const { page } = visitor;
    await page.clock.install();
    await open('/api-keys');
    await page.getByRole('button', { name: 'Create key' }).click();
    const form = page.getByRole('dialog');
    await form.getByLabel('Name').fill('ci');
    let arrived = () => {};
    const isSent = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    await page.route('**/api-keys', () => arrived());
    await form.getByRole('button', { name: 'Create key' }).click();
    await isSent;
    await page.clock.fastForward('00:30');
    await form
      .getByText('The server did not answer in time. The change may have been made; reload to see.')
      .waitFor();
  });

  it('the console shows a copyable correlation id for a server error, and a button that retries', async () => {
    const { page, context } = visitor;
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await open('/findings');
    await shown('1 finding in 1 project');
    const { owner } = server.database;
    await owner.query('ALTER TABLE projects RENAME TO projects_away');
    try {
      await link('Projects').click();
      await page.getByRole('heading', { name: 'This could not be loaded' }).waitFor();
      await visitor.screenshot('state-server-error');
      expect(await visitor.accessibilityViolations()).toEqual([]);
      await page.getByRole('button', { name: 'Copy the correlation id' }).click();
      await page.getByRole('button', { name: 'Copied' }).waitFor();
      const copied = await page.evaluate(() => navigator.clipboard.readText());
      expect(copied).toMatch(/^[\w-]{8,}$/);
      await shown(copied);
    } finally {
      await owner.query('ALTER TABLE projects_away RENAME TO projects');
    }
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('table', { name: 'Projects' }).getByText('shop-prod').waitFor();
  });
});
