import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildConsole } from '../../scripts/build-console.mjs';
import { launchBrowser, noBrowser } from '../kit/browser.ts';
import { ConsoleVisitor } from '../kit/console-page.ts';
import type { TestUser } from '../kit/people.ts';
import { BUILT_CONSOLE, startTestServer, type TestServer } from '../kit/test-server.ts';

describe.skipIf(noBrowser !== null)('API keys in the console', () => {
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
    await visitor.goto('/api-keys');
    await visitor.signIn(user.email, user.password);
  });

  afterEach(() => visitor.close());

  it('the page of API keys creates a key that works, shows it once, and revokes it', async () => {
    const { page } = visitor;
    await page.getByRole('button', { name: 'Create key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('<img src=x onerror=alert(1)>');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    const key = await dialog.getByTestId('api-key').innerText();
    const headers = { 'x-api-key': key };
    expect((await server.call('/auth/me', { headers })).json.user.id).toBe(user.id);

    await dialog.getByRole('button', { name: 'Done' }).click();
    const row = page.getByRole('row', { name: /img src=x/ });
    await row.waitFor();
    expect(await page.content()).not.toContain(key);

    await row.getByRole('button', { name: /Revoke/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke key' }).click();
    // While the dialog is open, the table behind it has no roles.
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await row.waitFor({ state: 'detached' });
    expect((await server.call('/auth/me', { headers })).status).toBe(401);
    expect(visitor.complaints).toEqual([]);
  });

  it('the page of API keys names the field that the person left empty', async () => {
    const { page } = visitor;
    await page.getByRole('button', { name: 'Create key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await dialog.getByText('Name is required.').waitFor();
    await expect
      .poll(() => dialog.getByLabel('Name').evaluate((one) => one === document.activeElement))
      .toBe(true);
  });

  it('the page of API keys has no accessibility violations in either theme', async () => {
    const { page } = visitor;
    await page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor();
    for (const theme of ['light', 'dark']) {
      if (theme === 'dark') await page.getByRole('button', { name: 'Use the dark theme' }).click();
      await page.getByRole('table').waitFor();
      expect(await visitor.accessibilityViolations()).toEqual([]);
      await visitor.screenshot(`api-keys-${theme}`);
      await page.getByRole('button', { name: 'Create key' }).click();
      await page.getByRole('dialog').getByLabel('Name').waitFor();
      expect(await visitor.accessibilityViolations()).toEqual([]);
      await visitor.screenshot(`api-keys-create-${theme}`);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }
  });

  it('the page of API keys uses at most three requests', async () => {
    await visitor.page.getByRole('table').waitFor();
    const requests = visitor.takeRequests().filter((one) => !one.includes('/auth/login'));
    expect(requests).toEqual(['GET /auth/me', 'GET /api-keys?limit=100']);
  });
});
