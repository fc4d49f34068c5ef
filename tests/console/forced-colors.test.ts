import type { Locator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { noBrowser } from '../kit/browser.ts';
import { consoleFixture } from '../kit/console-fixture.ts';
import { plantFindings } from '../kit/planted-findings.ts';

/** How the browser draws an element, in the colours that the system forces. */
const look = (element: Locator) =>
  element.evaluate((one) => {
    const { backgroundColor, color, outlineStyle } = getComputedStyle(one);
    return { backgroundColor, color, outlineStyle };
  });

describe.skipIf(noBrowser !== null)('the console in forced colours', () => {
  const site = consoleFixture();

  it.each(['light', 'dark'] as const)(
    'forced colours leave chosen rows, boxes, tabs, links and options visible, %s',
    async (theme) => {
      const user = await site.server.people.user();
      const made = await site.server.call('/projects', {
        method: 'POST',
        headers: user.key,
        body: { name: 'shop-prod' },
      });
      const planted = ['First', 'Second', 'Third'].map((title) => ({ title }));
      await plantFindings(site.server.database, user.tenant.id, made.json.id, planted);
      const visitor = await site.open('/findings', user, { theme });
      const { page } = visitor;
      // The system changes its colours while the page is open.
      await page.emulateMedia({ forcedColors: 'active' });
      const row = (title: string) =>
        page.getByRole('grid').getByRole('row').filter({ hasText: title });
      const box = (title: string) => row(title).getByRole('checkbox');
      await box('First').click();
      await page.getByRole('toolbar').getByText('1 selected').waitFor();
      await expect.poll(async () => (await look(row('First'))).outlineStyle).toBe('solid');
      expect((await look(row('Second'))).outlineStyle).toBe('none');
      expect(await box('First').locator('svg').isVisible()).toBe(true);
      expect(await box('Second').locator('svg').isVisible()).toBe(false);

      /** Fails if the chosen one looks as the other one, or if its text cannot be read. */
      const expectDistinct = async (chosen: Locator, other: Locator) => {
        const [first, second] = [await look(chosen), await look(other)];
        expect(first.backgroundColor).not.toBe(second.backgroundColor);
        expect(first.color).not.toBe(first.backgroundColor);
      };
      const tab = (name: string) => page.getByRole('tab', { name, exact: true });
      await expectDistinct(tab('Open'), tab('Muted'));
      const link = (name: string) =>
        page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true });
      await expectDistinct(link('Findings'), link('Scans'));
      const card = (name: RegExp) => page.getByRole('button', { name });
      await card(/^High/).click();
      await page.getByRole('list', { name: 'Active filters' }).waitFor();
      await expectDistinct(card(/^High/), card(/^Low/));
      const menu = page.getByRole('button', { name: 'Sort and group' });
      await menu.focus();
      await page.keyboard.press('Enter');
      const item = (name: string) => page.getByRole('menuitem', { name });
      await item('Newest first').waitFor();
      await expectDistinct(item('Newest first'), item('Last seen first'));
      await page.keyboard.press('Escape');
      await page.getByRole('menu').waitFor({ state: 'detached' });
      await page.keyboard.press('Control+k');
      const option = (name: string) => page.getByRole('option', { name });
      await option('Dashboard').waitFor();
      await expectDistinct(option('Dashboard'), option('Compliance'));
      await visitor.screenshot(`forced-colors-palette-${theme}`);
      expect(await visitor.accessibilityViolations()).toEqual([]);
    },
  );
});
