import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { noBrowser } from '../kit/browser.ts';
import { consoleFixture } from '../kit/console-fixture.ts';

const isDark = (page: Page) =>
  page.evaluate(() => getComputedStyle(document.documentElement).colorScheme === 'dark');

describe.skipIf(noBrowser !== null)('the theme button of the console', () => {
  const site = consoleFixture();

  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

  async function open() {
    const user = await site.server.people.user();
    const visitor = await site.open('/account', user);
    await visitor.page.getByRole('heading', { name: 'Your account', level: 1 }).waitFor();
    return visitor;
  }

  it('the theme button names the present theme and the next one, and works with the keyboard', async () => {
    const { page } = await open();
    await button(page, 'Theme: light, as in the system. Use the dark theme').focus();
    await page.keyboard.press('Enter');
    await button(page, 'Theme: dark. Use the light theme').waitFor();
    expect(await isDark(page)).toBe(true);
    await page.keyboard.press('Space');
    await button(page, 'Theme: light. Use the dark theme').waitFor();
    expect(await isDark(page)).toBe(false);
  });

  it('the theme button keeps the choice over a reload and changes an open tab', async () => {
    const visitor = await open();
    const { page } = visitor;
    const { page: other } = await visitor.tab();
    await other.goto(page.url());
    await button(other, 'Theme: light, as in the system. Use the dark theme').waitFor();
    await button(page, 'Theme: light, as in the system. Use the dark theme').click();
    await button(other, 'Theme: dark. Use the light theme').waitFor();
    expect(await isDark(other)).toBe(true);
    await page.reload();
    await button(page, 'Theme: dark. Use the light theme').waitFor();
    expect(await isDark(page)).toBe(true);
  });

  it('the theme button follows the theme of the system until a theme is chosen', async () => {
    const { page } = await open();
    await button(page, 'Theme: light, as in the system. Use the dark theme').waitFor();
    await page.emulateMedia({ colorScheme: 'dark' });
    await button(page, 'Theme: dark, as in the system. Use the light theme').click();
    await button(page, 'Theme: light. Use the dark theme').waitFor();
  });
});
