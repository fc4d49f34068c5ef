import type { Page } from 'playwright-core';
import { describe, it } from 'vitest';
import { noBrowser } from '../kit/browser.ts';
import { consoleFixture } from '../kit/console-fixture.ts';
import { rowsOf } from '../kit/owner-queries.ts';
import type { TestUser } from '../kit/people.ts';
import { plantFindings } from '../kit/planted-findings.ts';

/** Rows of a page of the list. */
const PAGE = 200;

describe.skipIf(noBrowser !== null)('selected rows of the findings explorer', () => {
  const site = consoleFixture();

  /** Plants findings, the last of which is shown first and muted by a selector. */
  async function plant(user: TestUser, size: number): Promise<string[]> {
    const made = await site.server.call('/projects', {
      method: 'POST',
      headers: user.key,
      body: { name: 'shop-prod' },
    });
    const planted = Array.from({ length: size }, (_, index) => ({ title: `Finding ${index}.` }));
    const covered = { title: 'Covered', ruleId: 'bucket-logging' };
    const { database } = site.server;
    const ids = await plantFindings(database, user.tenant.id, made.json.id, [...planted, covered]);
    await site.server.call('/mutes', {
      method: 'POST',
      headers: user.key,
      body: { selector: { ruleId: covered.ruleId }, reason: 'A static site' },
    });
    return ids;
  }

  const bar = (page: Page) => page.getByRole('toolbar', { name: 'Selected findings' });

  /** The console cannot unmute a finding that a selector covers, and loads the list again. */
  async function loadListAgain(page: Page): Promise<void> {
    await page.getByRole('grid').getByRole('button', { name: 'Covered', exact: true }).click();
    await page.getByRole('button', { name: 'Unmute' }).click();
  }

  it('the bar of selected findings counts and mutes only the selected rows that are still loaded', async () => {
    const user = await site.server.people.user();
    await plant(user, PAGE + 30);
    const { page } = await site.open('/findings?view=all', user);
    const scrollTo = (place: 'top' | 'end') =>
      page.getByRole('rowgroup', { name: 'Rows' }).evaluate((scroller, to) => {
        scroller.scrollTop = to === 'top' ? 0 : scroller.scrollHeight;
      }, place);
    await page.getByText('200 of 231 loaded').waitFor();
    await scrollTo('end');
    await page.getByText('231 of 231 loaded').waitFor();
    await page.getByRole('checkbox', { name: 'Select all loaded findings' }).click();
    await bar(page).getByText('231 selected').waitFor();
    await scrollTo('top');
    await loadListAgain(page);
    await page.getByText('200 of 231 loaded').waitFor();
    await bar(page).getByText('200 selected').waitFor();
    await bar(page).getByRole('button', { name: 'Mute' }).click();
    await page.getByRole('dialog', { name: 'Mute 200 findings' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    // The rows of the next page are selected again as soon as they are there to be seen.
    await scrollTo('end');
    await bar(page).getByText('231 selected').waitFor();
  });

  it('the bar of selected findings leaves out a finding that no longer matches', async () => {
    const user = await site.server.people.user();
    const [, resolved] = await plant(user, 3);
    const { page } = await site.open('/findings?view=all', user);
    for (const name of ['Finding 0.', 'Finding 1.']) {
      await page.getByRole('checkbox', { name: `Select ${name}, b`, exact: true }).click();
    }
    await bar(page).getByText('2 selected').waitFor();
    await rowsOf(
      site.server.database,
      user.tenant.id,
      `UPDATE findings SET status = 'resolved', delta = 'resolved', resolved_at = now(),
         resolved_reason = 'fixed' WHERE id = $1`,
      [resolved],
    );
    await loadListAgain(page);
    await page.getByText('3 of 3 loaded').waitFor();
    await bar(page).getByText('1 selected').waitFor();
    await bar(page).getByRole('button', { name: 'Mute' }).click();
    const dialog = page.getByRole('dialog', { name: 'Mute this finding' });
    await dialog.getByText('Finding 0.').waitFor();
  });

  it('rows that are loaded after all matches were selected are selected too', async () => {
    const user = await site.server.people.user();
    await plant(user, PAGE + 30);
    const { page } = await site.open('/findings?view=all', user);
    await page.getByText('200 of 231 loaded').waitFor();
    await page.getByRole('checkbox', { name: 'Select all loaded findings' }).click();
    await bar(page).getByRole('button', { name: 'Select all 231' }).click();
    await page.getByRole('rowgroup', { name: 'Rows' }).evaluate((scroller) => {
      scroller.scrollTop = scroller.scrollHeight;
    });
    await page.getByText('231 of 231 loaded').waitFor();
    await page.getByRole('rowgroup', { name: 'Rows' }).evaluate((scroller) => {
      scroller.scrollTop = scroller.scrollHeight;
    });
    const last = page.getByRole('checkbox', { name: 'Select Finding 0., b', exact: true });
    await last.and(page.locator('[aria-checked=true]')).waitFor();
    await page
      .getByRole('checkbox', { name: 'Select all loaded findings' })
      .and(page.locator('[aria-checked=true]'))
      .waitFor();
    await last.click();
    await bar(page).getByText('230 selected').waitFor();
  });
});
