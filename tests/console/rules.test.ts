import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildConsole } from '../../scripts/build-console.mjs';
import { launchBrowser, noBrowser } from '../kit/browser.ts';
import { ConsoleVisitor } from '../kit/console-page.ts';
import type { TestUser } from '../kit/people.ts';
import { BUILT_CONSOLE, startTestServer, type TestServer } from '../kit/test-server.ts';

describe.skipIf(noBrowser !== null)('rules in the console', () => {
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

  afterEach(() => visitor.close());

  async function open(path: string): Promise<void> {
    await visitor.goto(path);
    await visitor.signIn(user.email, user.password);
  }

  it('the rules page filters by text and severity in the URL, without further requests', async () => {
    await open('/rules');
    const { page } = visitor;
    await page.getByRole('link', { name: 'Bucket is public', exact: true }).waitFor();
    await visitor.quiet();
    visitor.takeRequests();
    await page.keyboard.press('/');
    await page.keyboard.type('bucket');
    await page.waitForURL(/q=/);
    await page.getByRole('button', { name: 'Clear filters' }).waitFor();
    await page.getByRole('combobox', { name: 'Severity' }).click();
    await page.getByRole('option', { name: 'Low' }).click();
    await page.keyboard.press('Escape');
    await page.waitForURL(/severity=/);
    await page.getByRole('link', { name: 'Bucket is public', exact: true }).waitFor({
      state: 'detached',
    });
    const rows = await page.getByRole('row').filter({ hasText: 'Low' }).count();
    expect(rows).toBeGreaterThan(0);
    await expect.poll(() => page.getByRole('row').count()).toBe(rows + 1);
    await visitor.quiet();
    expect(visitor.takeRequests()).toEqual([]);

    const { pathname, search } = new URL(page.url());
    expect(visitor.complaints).toEqual([]);
    await visitor.close();
    visitor = await ConsoleVisitor.open(browser, server);
    await open(pathname.replace('/console', '') + search);
    await showsFiltered(visitor.page);
  });

  async function showsFiltered(page: Page): Promise<void> {
    await page.getByRole('combobox', { name: 'Severity, 1 chosen' }).waitFor();
    await expect
      .poll(() => page.getByRole('searchbox', { name: 'Search rules' }).inputValue())
      .toBe('bucket');
    await page.getByRole('searchbox', { name: 'Search rules' }).fill('no such rule');
    await page.getByText('No rules match these filters').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).first().click();
    await page.getByRole('link', { name: 'Bucket is public', exact: true }).waitFor();
  }

  it('the page of a rule shows its remediation, requirements and open findings', async () => {
    await open('/rules?q=bucket-public');
    const { page } = visitor;
    await page.getByRole('link', { name: 'Bucket is public', exact: true }).click();
    await page.getByRole('heading', { name: 'Bucket is public', level: 1 }).waitFor();
    await page.getByRole('heading', { name: 'How to fix it' }).waitFor();
    const requirements = page.getByRole('listitem').filter({ hasText: 'CIS GCP 4.0' });
    await requirements.filter({ hasText: '5.1' }).waitFor();
    const findings = page.getByRole('link', { name: 'Open findings (0)' });
    expect(decodeURIComponent((await findings.getAttribute('href')) ?? '')).toMatch(
      /\/findings\?rule=.*bucket-public/,
    );
    await page.getByRole('link', { name: 'Mute', exact: true }).click();
    const rule = page.getByRole('dialog').getByLabel('Rule');
    await expect.poll(() => rule.inputValue()).toBe('bucket-public');
    expect(visitor.complaints).toEqual([]);
  });

  it('the page of a rule uses at most three requests', async () => {
    await open('/rules/bucket-public');
    await visitor.page.getByRole('link', { name: 'Open findings (0)' }).waitFor();
    const requests = visitor.takeRequests().filter((one) => !one.includes('/auth/login'));
    expect(requests.toSorted()).toEqual([
      'GET /auth/me',
      'GET /findings/summary?rule=bucket-public&status=open&muted=false',
      'GET /rules/bucket-public',
    ]);
  });

  it('the page of an unknown rule says "Not found"', async () => {
    await open('/rules/no-such-rule');
    await visitor.page.getByRole('heading', { name: 'Not found' }).waitFor();
    expect(await visitor.accessibilityViolations()).toEqual([]);
  });

  it('the rules page tells a person which permission is missing', async () => {
    user = await server.people.user({ role: ['scans.read'] });
    await open('/rules');
    await visitor.page.getByText('lacks the permission rules.read').waitFor();
    await expect
      .poll(() => visitor.page.getByRole('link', { name: 'Rules', exact: true }).count())
      .toBe(0);
  });

  it.each(['desktop', 'phone'] as const)(
    'the rules page is accessible in both themes on a %s',
    async (size) => {
      for (const theme of ['light', 'dark'] as const) {
        await visitor.close();
        visitor = await ConsoleVisitor.open(browser, server, { size, theme });
        await open('/rules');
        const { page } = visitor;
        await page.getByRole('link', { name: 'Bucket is public', exact: true }).waitFor();
        expect(await visitor.accessibilityViolations()).toEqual([]);
        await visitor.screenshot(`rules-${size}-${theme}`);
        await page.getByRole('combobox', { name: 'Category' }).click();
        await page.getByRole('option').first().waitFor();
        await page.keyboard.press('Escape');
        await page.getByRole('searchbox').fill('kms-rotation-90d');
        await page.getByRole('link', { name: 'Bucket is public', exact: true }).waitFor({
          state: 'detached',
        });
        await page.getByRole('row').getByRole('link').first().click();
        await page.getByRole('heading', { name: 'How to fix it' }).waitFor();
        expect(await visitor.accessibilityViolations()).toEqual([]);
        await visitor.screenshot(`rule-${size}-${theme}`);
        expect(visitor.complaints).toEqual([]);
      }
    },
  );
});
