import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { noBrowser } from '../kit/browser.ts';
import { consoleFixture } from '../kit/console-fixture.ts';
import type { ConsoleVisitor } from '../kit/console-page.ts';
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
});
