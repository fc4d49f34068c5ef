import { describe, expect, it } from 'vitest';
import { NAVIGATION } from '../../console/src/shell/navigation.ts';
import { noBrowser } from '../kit/browser.ts';
import { consoleFixture } from '../kit/console-fixture.ts';

const ITEMS = NAVIGATION.flatMap(({ items }) => items);

it('no two pages of the console have the same shortcut', () => {
  const keys = ITEMS.flatMap(({ key }) => key ?? []);
  expect(keys.toSorted()).toEqual([...new Set(keys)].toSorted());
});

describe.skipIf(noBrowser !== null)('the shortcuts of the console', () => {
  const site = consoleFixture();

  it('the shortcuts of the console open the pages that their list names', async () => {
    const tenant = await site.server.people.tenant(['custom_rules', 'sso']);
    const visitor = await site.open('/account', await site.server.people.user({ tenant }));
    const { page } = visitor;
    await page.getByRole('heading', { name: 'Your account', level: 1 }).waitFor();
    await page.keyboard.press('?');
    const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await list.getByText('Single sign-on').waitFor();
    const keys = await list.locator('kbd').allInnerTexts();
    expect(keys.toSorted()).toEqual([...new Set(keys)].toSorted());
    await page.keyboard.press('Escape');
    await list.waitFor({ state: 'detached' });
    for (const { key, label, to } of ITEMS) {
      if (key === undefined) continue;
      await page.keyboard.press('g');
      await page.keyboard.press(key);
      await page.waitForURL(`${site.server.url}/console${to}`);
      const link = page.getByRole('navigation', { name: 'Main' }).getByRole('link', {
        name: label,
        exact: true,
      });
      await expect.poll(() => link.getAttribute('aria-current')).toBe('page');
      // The dashboard welcomes a tenant without projects.
      const name = to === '/' ? 'Welcome' : label;
      await page.getByRole('heading', { name, exact: true, level: 1 }).waitFor();
    }
  });
});
