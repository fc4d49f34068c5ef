import { describe, expect, it } from 'vitest';
import { noBrowser } from '../kit/browser.ts';
import { signInWithCode } from '../kit/console-admin.ts';
import { consoleFixture } from '../kit/console-fixture.ts';

describe.skipIf(noBrowser !== null)('the messages of the console', () => {
  const site = consoleFixture();

  it('a message after a dialog has closed is put into a live region that was there before', async () => {
    const user = await site.server.people.user();
    const visitor = await site.visit();
    const { page } = visitor;
    await visitor.goto('/roles');
    await signInWithCode(visitor, site.server, user);
    await page.getByRole('button', { name: 'Create role' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'Create a role' });
    await dialog.getByLabel('Name', { exact: true }).fill('ops');
    await dialog.getByLabel('See projects').check();
    await page.locator('[aria-live=polite]').evaluateAll((regions) => {
      for (const one of regions) one.setAttribute('data-before', '');
    });
    await dialog.getByRole('button', { name: 'Create role' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('Role created').waitFor();
    const region = page.locator('[aria-live=polite]').filter({ hasText: 'Role created' });
    expect(await region.getAttribute('data-before')).toBe('');
  });
});
