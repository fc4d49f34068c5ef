import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { noBrowser } from '../kit/browser.ts';
import { consoleFixture } from '../kit/console-fixture.ts';
import { plantFindings } from '../kit/planted-findings.ts';

describe.skipIf(noBrowser !== null)('findings that change while the next page loads', () => {
  const site = consoleFixture();
  const fingerprint = '3b'.repeat(32);

  /** Opens a list of 250 findings, the last of which is listed first, and holds the answer with its second page. */
  async function open(path: string) {
    const user = await site.server.people.user();
    const { json } = await site.server.call('/projects', {
      method: 'POST',
      headers: user.key,
      body: { name: 'shop-prod' },
    });
    await plantFindings(
      site.server.database,
      user.tenant.id,
      json.id,
      Array.from({ length: 250 }, (_, index) => ({
        title: `Finding ${index}.`,
        ...(index === 75 ? { fingerprint } : {}),
      })),
    );
    const visitor = await site.visit();
    const { page } = visitor;
    await page.clock.install();
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    let held = 0;
    await page.route('**/findings?*cursor=*', async (route) => {
      const response = await route.fetch();
      held += 1;
      await released;
      // The page may have given up waiting for the answer.
      await route.fulfill({ response }).catch(() => undefined);
    });
    await visitor.goto(path);
    await visitor.signIn(user.email, user.password);
    await page.getByText('200 of 250 loaded').waitFor();
    // Old enough for a comparison with the server.
    await page.clock.fastForward('01:00');
    await scroll(page, 170);
    await expect.poll(() => held).toBe(1);
    return { user, visitor, page, release };
  }

  function scroll(page: Page, row: number): Promise<void> {
    return page.getByRole('rowgroup', { name: 'Rows' }).evaluate((scroller, place) => {
      scroller.scrollTop = place * 56;
    }, row);
  }

  const row = (page: Page, name: string) =>
    page.getByRole('grid', { name: 'Findings' }).getByRole('row').filter({ hasText: name });

  it('a muted finding stays out of the list when the next page arrives that was requested before', async () => {
    const { page, release } = await open('/findings');
    const finding = row(page, 'Finding 75.');
    await finding.getByRole('button', { name: 'Finding 75.' }).focus();
    await page.keyboard.press('m');
    const dialog = page.getByRole('dialog', { name: 'Mute this finding' });
    await dialog.getByLabel('Reason').fill('A static site');
    await dialog.getByRole('button', { name: 'Mute' }).click();
    await page.getByText('199 of 249 loaded').waitFor();
    release();
    await page.getByText('249 of 249 loaded').waitFor();
    expect(await finding.count()).toBe(0);

    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('250 of 250 loaded').waitFor();
    await finding.waitFor();
  });

  it('a finding that others have muted stays marked when the next page arrives that was requested before', async () => {
    const { user, visitor, page, release } = await open('/findings?view=all');
    await site.server.call('/mutes', {
      method: 'POST',
      headers: user.key,
      body: { fingerprint, reason: 'A static site' },
    });
    await visitor.returnToTab();
    const mark = row(page, 'Finding 75.').getByText('Muted', { exact: true });
    await mark.waitFor();
    release();
    await page.getByText('250 of 250 loaded').waitFor();
    await mark.waitFor();
  });
});
