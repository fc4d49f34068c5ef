import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { noBrowser } from '../kit/browser.ts';
import { signInWithCode } from '../kit/console-admin.ts';
import { consoleFixture } from '../kit/console-fixture.ts';

describe.skipIf(noBrowser !== null)('leaving the console without saving', () => {
  const site = consoleFixture();

  const questionOn = (page: Page) => page.getByRole('dialog', { name: 'Leave without saving?' });
  const follow = (page: Page, screen: string) =>
    page
      .getByRole('navigation', { name: 'Main' })
      .getByRole('link', { name: screen, exact: true })
      .click();

  /** Stays on the page at the first question, and answers the next one. */
  async function askedTwice(page: Page, leave: () => Promise<unknown>, answer: string) {
    const question = questionOn(page);
    await leave();
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'detached' });
    await leave();
    await question.getByRole('button', { name: answer }).click();
  }

  it('the console asks before unsaved settings of the tenant are lost, and not after they are saved', async () => {
    const user = await site.server.people.user();
    const visitor = await site.visit();
    const { page } = visitor;
    await visitor.goto('/tenant');
    await signInWithCode(visitor, site.server, user);
    const field = page.getByLabel('Own domains');
    await field.fill('typed.example.com');
    await follow(page, 'People');
    await questionOn(page).getByRole('button', { name: 'Cancel' }).click();
    await questionOn(page).waitFor({ state: 'detached' });
    expect(await field.inputValue()).toBe('typed.example.com');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Settings saved').waitFor();
    await follow(page, 'People');
    await page.getByRole('heading', { name: 'People', level: 1 }).waitFor();
  });

  it('saving the settings of the tenant keeps the focus on the button', async () => {
    const user = await site.server.people.user();
    const visitor = await site.visit();
    const { page } = visitor;
    await visitor.goto('/tenant');
    await signInWithCode(visitor, site.server, user);
    await page.getByLabel('Duration of a mute, in days').fill('60');
    const save = page.getByRole('button', { name: 'Save', exact: true });
    await save.press('Enter');
    await page.getByText('Settings saved').waitFor();
    await expect.poll(() => save.evaluate((one) => one === document.activeElement)).toBe(true);
  });

  it('the console asks before unsaved settings of single sign-on are lost', async () => {
    const tenant = await site.server.people.tenant(['sso']);
    const { page } = await site.open('/single-sign-on', await site.server.people.user({ tenant }));
    await page.getByLabel('Metadata of the provider').fill('<EntityDescriptor/>');
    await askedTwice(page, () => follow(page, 'People'), 'Discard changes');
    await page.getByRole('heading', { name: 'People', level: 1 }).waitFor();
  });

  it('the console asks before the person signs out of a page with unsaved changes', async () => {
    const visitor = await site.open('/profiles/new', await site.server.people.user());
    const { page } = visitor;
    await page.getByLabel('Name').fill('web-tier');
    const signOut = async () => {
      await page.getByRole('button', { name: /Account of/ }).click();
      await page.getByRole('menuitem', { name: 'Sign out', exact: true }).click();
    };
    await signOut();
    expect(await visitor.accessibilityViolations()).toEqual([]);
    await questionOn(page).getByRole('button', { name: 'Cancel' }).click();
    await questionOn(page).waitFor({ state: 'detached' });
    expect(await page.getByLabel('Name').inputValue()).toBe('web-tier');
    const byPalette = async () => {
      await page.keyboard.press('Control+K');
      await page.getByRole('combobox', { name: 'Search or jump to' }).fill('Sign out');
      await page.keyboard.press('Enter');
    };
    await askedTwice(page, byPalette, 'Sign out');
    await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  it('the console asks before the person switches the tenant on a page with unsaved changes', async () => {
    const user = await site.server.people.user();
    const other = await site.server.people.tenant();
    await site.server.people.join(user, other, 'viewer');
    const visitor = await site.visit();
    const { page } = visitor;
    await visitor.goto(`/sign-in?tenant=${user.tenant.id}&next=/profiles/new`);
    await visitor.signIn(user.email, user.password);
    await page.getByLabel('Name').fill('web-tier');
    const switchTenant = async () => {
      await page.getByRole('button', { name: /^Tenant/ }).click();
      await page.getByRole('menuitem', { name: other.name }).click();
    };
    await askedTwice(page, switchTenant, 'Switch tenant');
    await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor();
    expect(new URL(page.url()).searchParams.get('tenant')).toBe(other.id);
  });
});
