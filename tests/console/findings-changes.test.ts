import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { noBrowser } from '../kit/browser.ts';
import { consoleFixture } from '../kit/console-fixture.ts';
import type { ConsoleVisitor } from '../kit/console-page.ts';
import { rowsOf } from '../kit/owner-queries.ts';
import type { TestUser } from '../kit/people.ts';
import { plantFindings } from '../kit/planted-findings.ts';

describe.skipIf(noBrowser !== null)('findings that change while the explorer is open', () => {
  const site = consoleFixture();

  interface Tenant {
    readonly user: TestUser;
    /** Adds findings, the last of which is listed first. */
    readonly plant: (size: number, name?: string) => Promise<string[]>;
  }

  async function tenant(): Promise<Tenant> {
    const user = await site.server.people.user();
    const { json } = await site.server.call('/projects', {
      method: 'POST',
      headers: user.key,
      body: { name: 'shop-prod' },
    });
    const plant = (size: number, name = 'Finding') =>
      plantFindings(
        site.server.database,
        user.tenant.id,
        json.id,
        Array.from({ length: size }, (_, index) => ({ title: `${name} ${index}.` })),
      );
    return { user, plant };
  }

  async function open(path: string, user: TestUser): Promise<ConsoleVisitor> {
    const visitor = await site.visit();
    await visitor.page.clock.install();
    await visitor.goto(path);
    await visitor.signIn(user.email, user.password);
    return visitor;
  }

  async function returnLater(visitor: ConsoleVisitor): Promise<void> {
    await visitor.page.clock.fastForward('01:00');
    await visitor.returnToTab();
  }

  const bar = (page: Page) => page.getByRole('toolbar', { name: 'Selected findings' });
  const show = (page: Page) => page.getByRole('button', { name: 'Show', exact: true });

  async function selectAll(page: Page, total: number): Promise<void> {
    await page.getByRole('checkbox', { name: 'Select all loaded findings' }).click();
    await bar(page)
      .getByRole('button', { name: `Select all ${total}` })
      .click();
    await bar(page).getByText(`${total} selected`).waitFor();
  }

  async function mutedOf({ key }: TestUser): Promise<number> {
    return (await site.server.call('/findings/summary', { headers: key })).json.total.muted;
  }

  function resolve({ tenant: { id } }: TestUser, finding: string | undefined): Promise<unknown> {
    return rowsOf(
      site.server.database,
      id,
      `UPDATE findings SET status = 'resolved', delta = 'resolved', resolved_at = now(),
         resolved_reason = 'fixed' WHERE id = $1`,
      [finding],
    );
  }

  it('a selection of all matches ends when new findings are shown', async () => {
    const { user, plant } = await tenant();
    await plant(230);
    const visitor = await open('/findings', user);
    const { page } = visitor;
    await page.getByText('200 of 230 loaded').waitFor();
    await selectAll(page, 230);
    await plant(60, 'New');
    await returnLater(visitor);
    await show(page).click();
    await page.getByRole('button', { name: 'New 59.', exact: true }).waitFor();
    await page.getByText('200 of 290 loaded').waitFor();
    expect(await bar(page).count()).toBe(0);
    await page.getByRole('checkbox', { name: 'Select all loaded findings' }).click();
    await bar(page).getByRole('button', { name: 'Select all 290' }).waitFor();
  });

  it('a mute of all matches asks again when their number has changed', async () => {
    const { user, plant } = await tenant();
    await plant(230);
    const { page } = await open('/findings', user);
    await page.getByText('200 of 230 loaded').waitFor();
    await selectAll(page, 230);
    await plant(60, 'New');
    await page.keyboard.press('m');
    const dialog = (total: number) => page.getByRole('dialog', { name: `Mute ${total} findings` });
    await dialog(230).getByLabel('Reason').fill('A test project');
    await dialog(230).getByRole('button', { name: 'Mute' }).click();
    await dialog(290).getByRole('alert').getByText('290 findings match now, not 230.').waitFor();
    expect(await dialog(290).getByLabel('Reason').inputValue()).toBe('A test project');
    expect(await mutedOf(user)).toBe(0);
    await dialog(290).getByRole('button', { name: 'Mute' }).click();
    await page.getByText('No open findings').waitFor();
    expect(await mutedOf(user)).toBe(290);
  });

  it('a mute of all matches that match no more says so, and offers no mute', async () => {
    const { user, plant } = await tenant();
    const planted = await plant(230);
    const { page } = await open('/findings', user);
    await page.getByText('200 of 230 loaded').waitFor();
    await selectAll(page, 230);
    for (const id of planted) await resolve(user, id);
    await page.keyboard.press('m');
    const dialog = (name: string) => page.getByRole('dialog', { name });
    await dialog('Mute 230 findings').getByLabel('Reason').fill('A test project');
    await dialog('Mute 230 findings').getByRole('button', { name: 'Mute' }).click();
    const none = dialog('No finding to mute');
    await none
      .getByRole('alert')
      .getByText('No finding matches any more. Nothing was muted.')
      .waitFor();
    expect(await none.getByRole('button', { name: 'Mute' }).count()).toBe(0);
    expect(await mutedOf(user)).toBe(0);
  });

  it('a failed attempt to show new findings is reported, can be repeated, and does not stop the comparison', async () => {
    const { user, plant } = await tenant();
    await plant(3);
    const visitor = await open('/findings', user);
    const { page } = visitor;
    const failed = page.getByText('The list could not be loaded again');
    await page.getByText('3 of 3 loaded').waitFor();
    await plant(2, 'New');
    await returnLater(visitor);
    await page.getByText('2 new results').waitFor();
    let isBroken = true;
    await page.route('**/findings?*', (route) =>
      isBroken ? route.fulfill({ status: 500 }) : route.continue(),
    );
    await show(page).click();
    await failed.waitFor();
    await page
      .getByText('3 of 5 loaded. The list could not be loaded again. 2 new results.')
      .waitFor();
    expect(await visitor.accessibilityViolations()).toEqual([]);
    await visitor.screenshot('findings-failed-show');
    isBroken = false;
    await plant(1, 'Newer');
    await returnLater(visitor);
    await page.getByText('3 new results').waitFor();
    isBroken = true;
    await show(page).click();
    await failed.waitFor();
    isBroken = false;
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('6 of 6 loaded').waitFor();
    expect(await failed.count()).toBe(0);
  });

  it('the notice of a change on a later page ends when the list is shown anew', async () => {
    const { user, plant } = await tenant();
    const [, resolved] = await plant(230);
    const visitor = await open('/findings', user);
    const { page } = visitor;
    await page.getByText('200 of 230 loaded').waitFor();
    await page.getByRole('rowgroup', { name: 'Rows' }).evaluate((scroller) => {
      scroller.scrollTop = scroller.scrollHeight;
    });
    await page.getByText('230 of 230 loaded').waitFor();
    await resolve(user, resolved);
    await returnLater(visitor);
    await page.getByText('The list has changed').waitFor();
    await show(page).click();
    await page.getByText('200 of 229 loaded').waitFor();
    await page.getByText('The list has changed').waitFor({ state: 'detached' });
    expect(await show(page).count()).toBe(0);
  });

  it('the notice of a change stays while the person mutes a finding', async () => {
    const { user, plant } = await tenant();
    await plant(3);
    const visitor = await open('/findings', user);
    const { page } = visitor;
    await page.getByText('3 of 3 loaded').waitFor();
    await plant(2, 'New');
    await returnLater(visitor);
    await page.getByText('2 new results').waitFor();
    const finding = page.getByRole('button', { name: 'Finding 1.', exact: true });
    const mute = async () => {
      await finding.focus();
      await page.keyboard.press('m');
      const dialog = page.getByRole('dialog', { name: 'Mute this finding' });
      await dialog.getByLabel('Reason').fill('A static site');
      await dialog.getByRole('button', { name: 'Mute' }).click();
      await finding.waitFor({ state: 'detached' });
    };
    await mute();
    await page.getByText('2 of 4 loaded. 2 new results.').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await finding.waitFor();
    await page.getByText('3 of 5 loaded. 2 new results.').waitFor();
    // A comparison that runs at the time of a mute cannot tell what is new.
    let release = () => {};
    const isReleased = new Promise<void>((resolveRelease) => {
      release = resolveRelease;
    });
    let isHeld = false;
    await page.route('**/findings?*', async (route) => {
      const response = await route.fetch();
      isHeld = true;
      await isReleased;
      await route.fulfill({ response });
    });
    await returnLater(visitor);
    await expect.poll(() => isHeld).toBe(true);
    await mute();
    await page.getByText('2 of 4 loaded').waitFor();
    release();
    await visitor.quiet();
    await page.getByText('2 of 4 loaded. 2 new results.').waitFor();
  });

  it('new results are counted as a minimum when the comparison does not reach the last loaded finding', async () => {
    const { user, plant } = await tenant();
    await plant(3);
    const visitor = await open('/findings', user);
    const { page } = visitor;
    await page.getByText('3 of 3 loaded').waitFor();
    await plant(197, 'New');
    await returnLater(visitor);
    await page.getByText('3 of 200 loaded. 197 new results.').waitFor();
    await plant(100, 'Newer');
    await returnLater(visitor);
    await page.getByText('3 of 300 loaded. 200 or more new results.').waitFor();
    await show(page).click();
    await page.getByText('200 of 300 loaded').waitFor();
  });
});
