import type { Browser, Locator } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildConsole } from '../../scripts/build-console.mjs';
import { Analyst } from '../kit/analyst.ts';
import { launchBrowser, noBrowser } from '../kit/browser.ts';
import { type ConsoleOptions, ConsoleVisitor } from '../kit/console-page.ts';
import { bucket } from '../kit/export-records.ts';
import type { TestUser } from '../kit/people.ts';
import { plantFindings } from '../kit/planted-findings.ts';
import { BUILT_CONSOLE, startTestServer, type TestServer } from '../kit/test-server.ts';

describe.skipIf(noBrowser !== null)('the console by keyboard', () => {
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
    const project = await server.call('/projects', {
      method: 'POST',
      headers: user.key,
      body: { name: 'shop-prod' },
    });
    await plantFindings(
      server.database,
      user.tenant.id,
      project.json.id,
      ['First', 'Second', 'Third'].map((title) => ({ title })),
    );
  });

  afterEach(async () => {
    expect(visitor.complaints).toEqual([]);
    await visitor.close();
  });

  async function open(path: string, options: ConsoleOptions = {}): Promise<void> {
    visitor = await ConsoleVisitor.open(browser, server, options);
    await visitor.goto(path);
    await visitor.signIn(user.email, user.password);
  }

  const press = async (...keys: string[]) => {
    for (const key of keys) await visitor.page.keyboard.press(key);
  };
  const isFocused = (element: Locator) =>
    expect.poll(() => element.evaluate((one) => one === document.activeElement)).toBe(true);
  const dialog = (name: string | RegExp) => visitor.page.getByRole('dialog', { name });
  const finding = (title: string) =>
    visitor.page
      .getByRole('grid', { name: 'Findings' })
      .getByRole('button', { name: title, exact: true });

  it('the console opens the findings, the list of keys and the palette by keyboard', async () => {
    await open('/account');
    const { page } = visitor;
    await page.getByRole('heading', { name: 'Your account' }).waitFor();
    await page.getByRole('button', { name: 'Change password' }).waitFor();
    await press('g', 'f');
    await finding('First').waitFor();
    await press('?');
    await dialog('Keyboard shortcuts').waitFor();
    await press('Escape');
    await dialog('Keyboard shortcuts').waitFor({ state: 'detached' });
    await press('Control+k');
    const search = page.getByRole('combobox', { name: 'Search or jump to' });
    await isFocused(search);
    await page.keyboard.type('rules');
    await page.getByRole('option', { name: /^Rules/, selected: true }).waitFor();
    await press('Enter');
    await page.getByRole('heading', { name: 'Rules', exact: true, level: 1 }).waitFor();
    await search.waitFor({ state: 'detached' });
  });

  it('the console lets keyboard users skip the navigation', async () => {
    await open('/projects');
    const { page } = visitor;
    await page
      .getByRole('cell', { name: /shop-prod/ })
      .first()
      .waitFor();
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    await press('Tab');
    await isFocused(page.getByRole('link', { name: 'Skip to content' }));
    await press('Enter');
    await isFocused(page.getByRole('main'));
  });

  it('the console sets a filter by keyboard and returns the focus to its button', async () => {
    await open('/findings');
    const { page } = visitor;
    await finding('First').waitFor();
    const button = page.getByRole('button', { name: 'Project', exact: true });
    await button.focus();
    await press('Enter');
    const box = dialog('Project').getByRole('checkbox', { name: /shop-prod/ });
    await isFocused(box);
    await press('Space', 'Escape');
    await dialog('Project').waitFor({ state: 'detached' });
    await page.waitForURL(/project=shop-prod/);
    await isFocused(page.getByRole('button', { name: /^Project/ }).first());
  });

  it('a filter that is opened before its values are loaded takes the focus when they are', async () => {
    await open('/account');
    const { page } = visitor;
    await page.getByRole('button', { name: 'Change password' }).waitFor();
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/findings/summary*', async (route) => {
      await released;
      await route.continue();
    });
    await press('g', 'f');
    await finding('First').waitFor();
    await page.getByRole('button', { name: 'Project', exact: true }).focus();
    await press('Enter');
    await dialog('Project').getByText('Not loaded yet').waitFor();
    release();
    await isFocused(dialog('Project').getByRole('checkbox', { name: /shop-prod/ }));
  });

  it('the list of saved views takes the focus when the views are loaded, unless it was closed meanwhile', async () => {
    const { status } = await server.call('/views', {
      method: 'POST',
      headers: user.key,
      body: { name: 'Public buckets', query: 'rule=bucket-public' },
    });
    expect(status).toBe(201);
    await open('/findings');
    const { page } = visitor;
    await finding('First').waitFor();
    const loads: (() => void)[] = [];
    await page.route('**/views?*', async (route) => {
      await new Promise<void>((resolve) => loads.push(resolve));
      await route.continue();
    });
    const button = page.getByRole('button', { name: 'Views', exact: true });
    const view = page.getByRole('menuitem', { name: 'Public buckets' });
    await button.focus();
    await press('Enter');
    await isFocused(page.getByRole('menuitem', { name: 'Loading …' }));
    await press('Tab');
    await page.getByRole('menu').waitFor({ state: 'detached' });
    const search = page.getByRole('searchbox', { name: 'Search findings' });
    await search.focus();
    const loaded = page.waitForResponse('**/views?*');
    await expect.poll(() => loads.length).toBe(1);
    loads[0]?.();
    await loaded;
    await isFocused(search);

    await page.reload();
    await finding('First').waitFor();
    await button.focus();
    await press('Enter');
    await isFocused(page.getByRole('menuitem', { name: 'Loading …' }));
    await expect.poll(() => loads.length).toBe(2);
    loads[1]?.();
    await isFocused(view);
    await press('ArrowDown');
    await isFocused(page.getByRole('menuitem', { name: 'Save this view' }));
  });

  it('a filter of assets takes the focus when its values are loaded', async () => {
    const person = new Analyst(server, user.key, user.tenant.id);
    const project = await person.project([bucket('files')]);
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await open('/account');
    const { page } = visitor;
    await page.getByRole('button', { name: 'Change password' }).waitFor();
    await page.route('**/inventories*', async (route) => {
      await released;
      await route.continue();
    });
    await visitor.move(`/projects/${project}/assets`);
    await page.getByRole('link', { name: 'files', exact: true }).waitFor();
    await page.getByRole('combobox', { name: 'Type' }).focus();
    await press('Enter');
    await page.getByRole('listbox', { name: 'Type' }).waitFor({ state: 'attached' });
    release();
    await isFocused(page.getByRole('option', { name: 'Bucket (1)' }));
  });

  it('a menu of the console can be operated with arrows, letters, Home, End and Escape', async () => {
    await open('/findings');
    const { page } = visitor;
    await finding('First').waitFor();
    const button = page.getByRole('button', { name: 'Sort and group' });
    await button.focus();
    await press('ArrowDown');
    const item = (name: string) => page.getByRole('menuitem', { name });
    await isFocused(item('Newest first'));
    await press('ArrowUp');
    await isFocused(item('By project'));
    await press('Home', 'ArrowDown');
    await isFocused(item('Most severe first'));
    await press('l');
    await isFocused(item('Last seen first'));
    await press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
    await isFocused(button);
    await press('ArrowUp', 'Enter');
    await page.getByRole('table', { name: 'Findings by project' }).waitFor();
    await isFocused(button);
  });

  it('the tabs of the console can be changed with arrows and Enter', async () => {
    await open('/findings');
    const { page } = visitor;
    await finding('First').waitFor();
    await page.getByRole('tab', { name: 'Open', exact: true }).focus();
    await press('ArrowRight', 'ArrowRight', 'ArrowRight');
    await isFocused(page.getByRole('tab', { name: 'Muted' }));
    await page.getByRole('tab', { name: 'Open', exact: true, selected: true }).waitFor();
    await press('Enter');
    await page.getByRole('tab', { name: 'Muted', selected: true }).waitFor();
    await page.waitForURL(/view=muted/);
  });

  it('a dialog of the console keeps the focus, and returns it to the button that opened it', async () => {
    await open('/findings');
    const { page } = visitor;
    await finding('First').focus();
    await press('Enter');
    const mute = page
      .getByRole('complementary', { name: /^Finding:/ })
      .getByRole('button', { name: 'Mute' });
    await mute.focus();
    await press('Enter');
    const reason = dialog('Mute this finding').getByLabel('Reason');
    await isFocused(reason);
    // Shortcuts and elements behind the dialog are out of reach.
    await expect
      .poll(() =>
        page.evaluate(() => {
          const link = document.querySelector<HTMLElement>('nav a');
          link?.focus();
          return document.activeElement === link;
        }),
      )
      .toBe(false);
    await press('Escape');
    await dialog('Mute this finding').waitFor({ state: 'detached' });
    await isFocused(mute);
  });

  it('the console animates nothing for people who prefer reduced motion', async () => {
    await open('/findings', { reducedMotion: true });
    await finding('First').waitFor();
    await press('?');
    await dialog('Keyboard shortcuts').waitFor();
    expect(await visitor.page.evaluate(() => document.getAnimations().length)).toBe(0);
  });
});
