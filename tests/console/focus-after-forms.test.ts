import { readFile } from 'node:fs/promises';
import type { Locator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { noBrowser } from '../kit/browser.ts';
import { signInWithCode } from '../kit/console-admin.ts';
import { consoleFixture } from '../kit/console-fixture.ts';
import { TestIdentityProvider } from '../kit/identity-provider.ts';

const SAMPLE = new URL('../../samples/shop-prod.ndjson', import.meta.url);

describe.skipIf(noBrowser !== null)('the focus of the keyboard around forms of the console', () => {
  const site = consoleFixture({ worker: true });

  const isFocused = (element: Locator) =>
    expect.poll(() => element.evaluate((one) => one === document.activeElement)).toBe(true);

  it('Edit of a profile moves the focus into the form, and Save and Cancel back to Edit', async () => {
    const user = await site.server.people.user();
    const body = { name: 'custom:web-tier', include: ['severity:high'] };
    await site.server.call('/profiles', { method: 'POST', headers: user.key, body });
    const { page } = await site.open('/profiles/custom:web-tier', user);
    const edit = page.getByRole('button', { name: 'Edit', exact: true });
    const include = page.getByLabel('Include', { exact: true });
    await edit.click();
    await isFocused(include);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await isFocused(edit);
    await page.keyboard.press('Enter');
    await isFocused(include);
    await page.keyboard.type('category:storage');
    await page.getByRole('button', { name: 'Save profile' }).click();
    await page.getByText('Profile saved').waitFor();
    await isFocused(edit);
  });

  it('Replace of an identity provider moves the focus into the form, and Save and Cancel back to Replace', async () => {
    const tenant = await site.server.people.tenant(['sso']);
    const visitor = await site.visit();
    const { page } = visitor;
    await visitor.goto('/single-sign-on');
    await signInWithCode(visitor, site.server, await site.server.people.user({ tenant }));
    const provider = new TestIdentityProvider();
    const metadata = page.getByLabel('Metadata of the provider');
    const replace = page.getByRole('button', { name: 'Replace', exact: true });
    await metadata.fill(provider.metadataXml);
    await page.getByLabel('E-mail domains').fill('example.com');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Identity provider saved').waitFor();
    await isFocused(replace);
    await page.keyboard.press('Enter');
    await isFocused(metadata);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await isFocused(replace);
  });

  it('Cancel of the form for a new password moves the focus back to its button', async () => {
    const { page } = await site.open('/account', await site.server.people.user());
    const change = page.getByRole('button', { name: 'Change password', exact: true });
    await change.click();
    await isFocused(page.getByLabel('Current password'));
    await page.getByRole('button', { name: 'Cancel' }).click();
    await isFocused(change);
  });

  it('the first steps move the focus to the heading of the next step', async () => {
    const { page } = await site.open('/', await site.server.people.user());
    const step = (name: string) => page.getByRole('heading', { name, exact: true, level: 2 });
    await page.getByLabel('Name').fill('shop-prod');
    await page.keyboard.press('Enter');
    await isFocused(step('Upload an inventory'));
    const buffer = await readFile(SAMPLE);
    await page
      .getByLabel('Inventory file')
      .setInputFiles({ name: 'shop-prod.ndjson', mimeType: '', buffer });
    await isFocused(step('Launch a scan'));
    await page.getByRole('button', { name: 'Check' }).click();
    await page.getByRole('button', { name: 'Launch scan' }).click();
    await isFocused(step('See the findings'));
  });
});
