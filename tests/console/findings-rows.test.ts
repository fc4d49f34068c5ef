import type { Locator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { noBrowser } from '../kit/browser.ts';
import { consoleFixture } from '../kit/console-fixture.ts';
import type { TestUser } from '../kit/people.ts';
import { type Planted, plantFindings } from '../kit/planted-findings.ts';

/** Rows of a page of the list. */
const PAGE = 200;

describe.skipIf(noBrowser !== null)('rows of the findings explorer', () => {
  const site = consoleFixture();

  async function plant(user: TestUser, findings: readonly Planted[]): Promise<void> {
    const made = await site.server.call('/projects', {
      method: 'POST',
      headers: user.key,
      body: { name: 'shop-prod' },
    });
    await plantFindings(site.server.database, user.tenant.id, made.json.id, findings);
  }

  const numbered = (size: number): Planted[] =>
    Array.from({ length: size }, (_, index) => ({ title: `Finding ${index}.` }));

  it('the keys m and x of the findings explorer act on the row that has the focus', async () => {
    const user = await site.server.people.user();
    await plant(user, numbered(9));
    const { page } = await site.open('/findings', user);
    const row = page.getByRole('grid').getByRole('row').filter({ hasText: 'Finding 2.' });
    await row.getByRole('button', { name: 'Finding 2.' }).focus();
    await page.keyboard.press('x');
    await row.and(page.getByRole('row', { selected: true })).waitFor();
    await page.keyboard.press('x');
    await page.getByRole('toolbar').getByText('1 selected').waitFor({ state: 'detached' });
    await page.keyboard.press('m');
    const dialog = page.getByRole('dialog', { name: 'Mute this finding' });
    await dialog.getByText('Finding 2.').waitFor();
    await dialog.getByLabel('Reason').fill('A static site');
    await dialog.getByRole('button', { name: 'Mute' }).click();
    await row.waitFor({ state: 'detached' });
    await page.getByText('8 findings in 1 project').waitFor();
  });

  it('the keys of the findings explorer act on the finding in the panel once the panel has the focus', async () => {
    const user = await site.server.people.user();
    await plant(user, numbered(3));
    const { page } = await site.open('/findings', user);
    const title = (name: string) =>
      page.getByRole('grid').getByRole('button', { name, exact: true });
    await title('Finding 0.').click();
    const panel = page.getByRole('complementary', { name: 'Finding: Finding 0.' });
    await panel.waitFor();
    const dialog = page.getByRole('dialog', { name: 'Mute this finding' });
    await title('Finding 1.').focus();
    await page.keyboard.press('m');
    await dialog.getByText('Finding 1.').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await panel.getByRole('button', { name: 'Copy link' }).focus();
    await page.keyboard.press('m');
    await dialog.getByText('Finding 0.').waitFor();
  });

  it('the findings explorer offers all matches only when it has counted them for the present filter', async () => {
    const user = await site.server.people.user();
    await plant(user, [...numbered(8), { title: 'Other', severity: 'low' }]);
    const { page } = await site.open('/findings?severity=high', user);
    await page.getByText('8 of 8 loaded').waitFor();
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    let held = 0;
    await page.route('**/findings/summary*', async (route) => {
      held += 1;
      await released;
      await route.continue();
    });
    await page
      .getByRole('button', { name: 'Clear all' })
      .or(page.getByRole('button', { name: /^Remove/ }))
      .first()
      .click();
    const other = page.getByRole('checkbox', { name: /^Select Other/ });
    await other.click();
    const bar = page.getByRole('toolbar', { name: 'Selected findings' });
    await bar.getByText('1 selected').waitFor();
    await expect.poll(() => held).toBeGreaterThan(0);
    await page.getByText('9 loaded', { exact: true }).waitFor();
    expect(await bar.getByRole('button', { name: /Select all/ }).count()).toBe(0);
    release();
    await bar.getByRole('button', { name: 'Select all 9' }).click();
    await bar.getByText('9 selected').waitFor();
  });

  it('the findings explorer mutes, takes back and survives a loss of the network without loading every page again', async () => {
    const user = await site.server.people.user();
    await plant(user, numbered(5 * PAGE));
    const visitor = await site.open('/findings', user);
    const { page } = visitor;
    for (const loaded of ['200', '400', '600', '800', '1,000']) {
      await page.getByText(`${loaded} of 1,000 loaded`).waitFor();
      await page.getByRole('rowgroup', { name: 'Rows' }).evaluate((scroller) => {
        scroller.scrollTop = scroller.scrollHeight;
      });
    }
    await visitor.quiet();
    visitor.takeRequests();
    const first = page.getByRole('grid').getByRole('row').filter({ hasText: 'Finding 0.' });
    await first.getByRole('button', { name: 'Finding 0.' }).focus();
    await page.keyboard.press('m');
    const dialog = page.getByRole('dialog', { name: 'Mute this finding' });
    await dialog.getByLabel('Reason').fill('A static site');
    await dialog.getByRole('button', { name: 'Mute' }).click();
    await page.getByText('999 of 999 loaded').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('1,000 of 1,000 loaded').waitFor();
    await first.waitFor();
    await visitor.quiet();
    const lists = (requests: readonly string[]) =>
      requests.filter((one) => /^GET \/findings\?/.test(one));
    expect(lists(visitor.takeRequests())).toEqual([]);

    // What was loaded before the connection was lost is compared with what is stored.
    const compared = page.waitForRequest(/\/findings\?/);
    await visitor.context.setOffline(true);
    await visitor.context.setOffline(false);
    await compared;
    await visitor.quiet();
    await page.getByText('1,000 of 1,000 loaded').waitFor();
    expect(lists(visitor.takeRequests()).length).toBeLessThanOrEqual(2);
  });

  /** Opens a list of several pages, and presses Tab until the focus is in a row. */
  async function tabIntoRows() {
    const user = await site.server.people.user();
    await plant(user, numbered(3 * PAGE));
    const visitor = await site.open('/findings', user);
    const { page } = visitor;
    await page.getByText(`${PAGE} of ${3 * PAGE} loaded`).waitFor();
    await page.getByRole('checkbox', { name: 'Select all loaded findings' }).focus();
    const scroller = page.getByRole('rowgroup', { name: 'Rows' });
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key);
    };
    const isFocused = (element: Locator) =>
      expect.poll(() => element.evaluate((one) => one === document.activeElement)).toBe(true);
    const title = (index: number) =>
      page.getByRole('grid').getByRole('button', { name: `Finding ${index}.`, exact: true });
    const box = (index: number) =>
      page.getByRole('checkbox', { name: `Select Finding ${index}., b`, exact: true });
    await press('Tab');
    await isFocused(scroller);
    return { visitor, page, scroller, press, isFocused, title, box };
  }

  it('Tab leaves the list of findings after one row, and loads no further rows', async () => {
    const { page, scroller, press, isFocused, title, box } = await tabIntoRows();
    await press('Tab');
    await isFocused(box(599));
    await press('Tab');
    await isFocused(title(599));
    await press('Tab');
    expect(await scroller.evaluate((list) => list.contains(document.activeElement))).toBe(false);
    await page.getByText(`${PAGE} of ${3 * PAGE} loaded`).waitFor();
    await press('Shift+Tab');
    await isFocused(title(599));
  });

  it('the arrow keys move the focus through all findings, and the keys x and Enter act on the row with the focus', async () => {
    const { visitor, page, press, isFocused, title, box } = await tabIntoRows();
    await press('Tab', 'ArrowUp', 'ArrowDown', 'ArrowDown');
    await isFocused(box(597));
    await press('Space');
    await page.getByRole('toolbar').getByText('1 selected').waitFor();
    await press('Tab', 'ArrowUp');
    await isFocused(title(598));
    for (let row = 598; row > 440; row -= 1) await press('ArrowDown');
    await isFocused(title(440));
    await title(440).and(page.locator(':visible')).waitFor();
    await page.getByText(`${2 * PAGE} of ${3 * PAGE} loaded`).waitFor();
    await press('Enter');
    await page.getByRole('complementary', { name: 'Finding: Finding 440.' }).waitFor();
    await press('Escape');
    await isFocused(title(440));
    expect(await visitor.accessibilityViolations()).toEqual([]);
  });

  it('Page Down, Page Up, Home and End move the focus through the findings, and keep it in a row', async () => {
    const { visitor, page, scroller, press, isFocused, title, box } = await tabIntoRows();
    await press('Tab', 'Tab');
    await isFocused(title(599));
    // One row of a page stays visible.
    const step = await scroller.evaluate((list) => Math.floor(list.clientHeight / 56) - 1);
    expect(step).toBeGreaterThan(3);
    await press('PageDown');
    await isFocused(title(599 - step));
    await press('PageDown', 'PageDown', 'PageDown');
    await isFocused(title(599 - 4 * step));
    await press('ArrowDown', 'PageUp');
    await isFocused(title(598 - 3 * step));
    await press('Home');
    await isFocused(title(599));
    await press('PageUp');
    await isFocused(title(599));
    await press('End');
    await isFocused(title(400));
    await page.getByText(`${2 * PAGE} of ${3 * PAGE} loaded`).waitFor();
    await press('ArrowDown', 'Shift+Tab');
    await isFocused(box(399));
    await press('PageUp');
    await isFocused(box(399 + step));
    await press('Control+End');
    await isFocused(box(200));
    await press('Control+Home');
    await isFocused(box(599));
    await press('x');
    await page.getByRole('toolbar').getByText('1 selected').waitFor();
    expect(await visitor.accessibilityViolations()).toEqual([]);
  });

  it('Tab goes to the first row when the list is at its top and the cursor is far below', async () => {
    const { scroller, press, isFocused, title } = await tabIntoRows();
    await scroller.evaluate((list) => list.scrollTo(0, 150 * 56));
    await title(450).focus();
    await isFocused(title(450));
    await scroller.evaluate((list) => list.scrollTo(0, 0));
    await title(450).waitFor({ state: 'detached' });
    await title(599).waitFor();
    await scroller.focus();
    await press('Tab', 'Tab');
    await isFocused(title(599));
  });

  it('Tab goes to a visible row when the row with the cursor is scrolled away', async () => {
    const { page, scroller, press, isFocused, title } = await tabIntoRows();
    await scroller.evaluate((list) => list.scrollTo(0, 100 * 56));
    await title(599).waitFor({ state: 'detached' });
    await title(499).waitFor();
    await press('Tab', 'Tab');
    await isFocused(title(499));
    await press('ArrowDown');
    await isFocused(title(498));
    await press('x');
    await page.getByRole('toolbar').getByText('1 selected').waitFor();
  });
});
