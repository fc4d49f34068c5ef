import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildConsole } from '../../scripts/build-console.mjs';
import { launchBrowser, noBrowser } from '../kit/browser.ts';
import { type ConsoleOptions, ConsoleVisitor } from '../kit/console-page.ts';
import { rowsOf } from '../kit/owner-queries.ts';
import type { TestUser } from '../kit/people.ts';
import { plantFindings } from '../kit/planted-findings.ts';
import { PLANT_POSTURE, PLANT_TOTALS } from '../kit/planted-posture.ts';
import { BUILT_CONSOLE, startTestServer, type TestServer } from '../kit/test-server.ts';

describe.skipIf(noBrowser !== null)('the console for everybody', () => {
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
      Array.from({ length: 30 }, (_, index) => ({
        title: `Bucket ${index} is public`,
        assetType: `storage.googleapis.com/Kind${index % 12}`,
      })),
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
    await visitor.page.locator('#main').getByRole('heading', { level: 1 }).first().waitFor();
  }

  async function expectNoViolations(what: string): Promise<void> {
    expect({ what, found: await visitor.accessibilityViolations() }).toEqual({ what, found: [] });
  }

  it.each(['light', 'dark'] as const)(
    'the console has no accessibility violations in an open menu or filter, %s',
    async (theme) => {
      await open('/findings', { theme });
      const { page } = visitor;
      await page
        .getByRole('button', { name: /^Bucket \d+ is public/ })
        .first()
        .waitFor();
      for (const name of ['Project', 'Category', 'Framework']) {
        await page.getByRole('button', { name, exact: true }).click();
        await page.getByRole('dialog', { name }).waitFor();
        await visitor.screenshot(`findings-filter-${name.toLowerCase()}-${theme}`);
        await expectNoViolations(name);
        await page.keyboard.press('Escape');
        await page.getByRole('dialog').waitFor({ state: 'detached' });
      }
      for (const name of ['Views', 'Export', 'Sort and group', /^Tenant/, /^Account of/]) {
        await page.getByRole('button', { name }).first().click();
        await page.getByRole('menu').getByRole('menuitem').first().waitFor();
        await visitor.screenshot(
          `menu-${String(name).replaceAll(/\W+/g, '-').toLowerCase()}-${theme}`,
        );
        await expectNoViolations(`menu ${name}`);
        await page.keyboard.press('Escape');
        await page.getByRole('menu').waitFor({ state: 'detached' });
      }
      await page.getByRole('button', { name: 'All filters' }).click();
      await page.getByRole('dialog', { name: 'Filters' }).getByText('Asset type').waitFor();
      await expectNoViolations('all filters');
      await page.keyboard.press('Escape');
      await page.keyboard.press('Control+k');
      await page.getByRole('listbox', { name: 'Commands' }).waitFor();
      await visitor.screenshot(`palette-${theme}`);
      await expectNoViolations('palette');
      await page.keyboard.press('Escape');
      await page.getByRole('listbox').waitFor({ state: 'detached' });
      await page.keyboard.press('?');
      await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
      await expectNoViolations('shortcuts');
    },
  );

  it('the console has no accessibility violations in an open filter of the rules', async () => {
    await open('/rules', { theme: 'dark' });
    const { page } = visitor;
    for (const name of ['Severity', 'Category', 'Framework', 'Asset type']) {
      await page.getByRole('combobox', { name }).click();
      await page.getByRole('listbox', { name }).getByRole('option').first().waitFor();
      await expectNoViolations(name);
      await page.keyboard.press('Escape');
      await page.getByRole('listbox').waitFor({ state: 'detached' });
    }
  });

  it('a count of findings in thousands is named by the text that it shows', async () => {
    const today = server.clock.now().toISOString().slice(0, 10);
    const counts = PLANT_POSTURE.replace('0, 2, 30, 12, 1,', '0, 2, 1234, 12, 1,');
    await rowsOf(server.database, user.tenant.id, counts, [user.tenant.id, 1, today, 1]);
    await rowsOf(server.database, user.tenant.id, PLANT_TOTALS, [user.tenant.id]);
    await open('/');
    const link = visitor.page.getByRole('link', { name: '1.2K Medium', exact: true });
    await link.and(visitor.page.getByTitle('1,234 Medium')).waitFor();
    await expectNoViolations('counts');
  });

  it('the console has no accessibility violations in the menu of a phone', async () => {
    await open('/findings', { size: 'phone' });
    const { page } = visitor;
    await page.getByRole('button', { name: 'Menu', exact: true }).click();
    const menu = page.getByRole('dialog', { name: 'Menu' });
    await menu.getByRole('link', { name: 'Rules', exact: true }).waitFor();
    await visitor.screenshot('menu-phone');
    await expectNoViolations('menu');
    await menu.getByRole('link', { name: 'Rules', exact: true }).click();
    await menu.waitFor({ state: 'detached' });
    await page.getByRole('heading', { name: 'Rules', exact: true, level: 1 }).waitFor();
  });
});
