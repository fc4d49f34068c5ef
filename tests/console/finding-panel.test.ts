import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { noBrowser } from '../kit/browser.ts';
import { consoleFixture } from '../kit/console-fixture.ts';
import { type ConsoleOptions, SIZES } from '../kit/console-page.ts';
import { plantFindings } from '../kit/planted-findings.ts';

const FINDINGS = 150;

describe.skipIf(noBrowser !== null)('the panel of a finding by keyboard', () => {
  const site = consoleFixture();

  async function open(options: ConsoleOptions = {}) {
    const user = await site.server.people.user();
    const made = await site.server.call('/projects', {
      method: 'POST',
      headers: user.key,
      body: { name: 'shop-prod' },
    });
    const planted = Array.from({ length: FINDINGS }, (_, index) => ({
      title: `Finding ${index}.`,
    }));
    const ids = await plantFindings(site.server.database, user.tenant.id, made.json.id, planted);
    const visitor = await site.open('/findings', user, options);
    await title(visitor.page, 149).waitFor();
    return { visitor, page: visitor.page, ids };
  }

  const title = (page: Page, index: number) =>
    page.getByRole('grid').getByRole('button', { name: `Finding ${index}.`, exact: true });
  const panel = (page: Page, index: number) =>
    page.getByRole('complementary', { name: `Finding: Finding ${index}.`, exact: true });
  const isFocused = (element: Locator) =>
    expect.poll(() => element.evaluate((one) => one === document.activeElement)).toBe(true);

  it('opening a finding by keyboard moves the focus into its panel, and closing it moves the focus back to its row', async () => {
    const { page } = await open();
    await title(page, 147).focus();
    for (const close of ['Escape', 'Close'] as const) {
      await page.keyboard.press('Enter');
      await isFocused(panel(page, 147));
      await page.keyboard.press('Tab');
      await isFocused(panel(page, 147).getByRole('button', { name: 'Previous finding' }));
      if (close === 'Escape') await page.keyboard.press('Escape');
      else await panel(page, 147).getByRole('button', { name: 'Close' }).press('Enter');
      await panel(page, 147).waitFor({ state: 'detached' });
      await isFocused(title(page, 147));
    }
  });

  it('opening a finding again moves the focus back into its panel', async () => {
    const { page } = await open();
    await title(page, 148).press('Enter');
    await isFocused(panel(page, 148));
    await title(page, 148).press('Enter');
    await isFocused(panel(page, 148));
    await title(page, 147).press('Enter');
    await isFocused(panel(page, 147));
  });

  it('muting and unmuting a finding by keyboard keeps the focus on the button in its panel', async () => {
    const { page, visitor } = await open();
    await visitor.move('/findings?view=all');
    await title(page, 148).press('Enter');
    const button = (name: string) => panel(page, 148).getByRole('button', { name });
    await button('Mute').press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Mute this finding' });
    await dialog.getByLabel('Reason').fill('A static site');
    await dialog.getByRole('button', { name: 'Mute' }).press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await button('Unmute').waitFor();
    await isFocused(button('Unmute'));
    await page.keyboard.press('Enter');
    await button('Mute').waitFor();
    await isFocused(button('Mute'));
  });

  it('moving through the findings keeps the focus in the panel, and closing it finds the row that was scrolled away', async () => {
    const { page } = await open();
    await page.keyboard.press('Enter');
    await isFocused(panel(page, 149));
    await panel(page, 149).getByRole('region', { name: 'Details' }).focus();
    await page.keyboard.press('j');
    await isFocused(panel(page, 148));
    await page.getByRole('rowgroup', { name: 'Rows' }).evaluate((scroller) => {
      scroller.scrollTop = scroller.scrollHeight;
    });
    await title(page, 0).waitFor();
    await title(page, 148).waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await isFocused(title(page, 148));
  });

  it('closing the panel of the finding in the address moves the focus to the row of this finding', async () => {
    const { visitor, page, ids } = await open();
    await visitor.goto(`/findings?open=${ids[140]}`);
    await isFocused(panel(page, 140));
    await page.keyboard.press('Escape');
    await isFocused(title(page, 140));
  });

  it('a panel that closes because a filter was set leaves the focus in the field of the filter', async () => {
    const { page } = await open();
    await title(page, 149).press('Enter');
    await isFocused(panel(page, 149));
    const search = page.getByRole('searchbox', { name: 'Search findings' });
    await search.fill('Finding');
    await panel(page, 149).waitFor({ state: 'detached' });
    await isFocused(search);
  });

  it('the list behind the panel takes no focus where the panel covers it', async () => {
    const { page, visitor } = await open({ size: 'phone' });
    await title(page, 149).press('Enter');
    await isFocused(panel(page, 149));
    expect(await title(page, 148).isVisible()).toBe(false);
    expect(await visitor.accessibilityViolations()).toEqual([]);
    await page.setViewportSize(SIZES.desktop);
    await title(page, 148).waitFor();
    await page.keyboard.press('Escape');
    await isFocused(title(page, 149));
  });

  it('the back button of a phone closes the finding, and moves the focus back to its row', async () => {
    const { page, ids } = await open({ size: 'phone' });
    await title(page, 147).click();
    await isFocused(panel(page, 147));
    await page.goBack();
    await panel(page, 147).waitFor({ state: 'detached' });
    await isFocused(title(page, 147));
    await page.goForward();
    await panel(page, 147).getByRole('button', { name: 'Next finding' }).click();
    await panel(page, 146).waitFor();
    await page.reload();
    await panel(page, 146).waitFor();
    expect(page.url()).toContain(`open=${ids[146]}`);
    await page.goBack();
    await panel(page, 146).waitFor({ state: 'detached' });
    await title(page, 146).waitFor();
  });

  it.each(['Escape', 'Close'] as const)(
    'closing a finding on a phone with %s leaves no entry for the back button',
    async (close) => {
      const { visitor, page } = await open({ size: 'phone' });
      await visitor.move('/scans');
      await page.getByRole('heading', { name: 'Scans', level: 1 }).waitFor();
      await visitor.move('/findings');
      for (const index of [148, 145]) {
        await title(page, index).click();
        await isFocused(panel(page, index));
        // Pressed twice: the browser goes back only later.
        if (close === 'Escape') for (const key of [close, close]) await page.keyboard.press(key);
        else await panel(page, index).getByRole('button', { name: close }).click();
        await panel(page, index).waitFor({ state: 'detached' });
        await isFocused(title(page, index));
      }
      await page.goBack();
      await page.getByRole('heading', { name: 'Scans', level: 1 }).waitFor();
    },
  );

  it('the back button leaves a finding that a link has opened on a phone', async () => {
    const { visitor, page, ids } = await open({ size: 'phone' });
    await visitor.move('/scans');
    await page.getByRole('heading', { name: 'Scans', level: 1 }).waitFor();
    await visitor.move(`/findings?open=${ids[140]}`);
    await isFocused(panel(page, 140));
    await page.goBack();
    await page.getByRole('heading', { name: 'Scans', level: 1 }).waitFor();
    await visitor.goto(`/findings?open=${ids[140]}`);
    await isFocused(panel(page, 140));
    await page.keyboard.press('Escape');
    await isFocused(title(page, 140));
    await page.goBack();
    await page.getByRole('heading', { name: 'Scans', level: 1 }).waitFor();
  });

  it('opening a finding beside the list adds no entry for the back button', async () => {
    const { visitor, page } = await open();
    await visitor.move('/scans');
    await page.getByRole('heading', { name: 'Scans', level: 1 }).waitFor();
    await visitor.move('/findings');
    await title(page, 147).click();
    await isFocused(panel(page, 147));
    await page.goBack();
    await page.getByRole('heading', { name: 'Scans', level: 1 }).waitFor();
  });
});
