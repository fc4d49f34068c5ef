import { describe, expect, it } from 'vitest';
import { Analyst } from '../kit/analyst.ts';
import { noBrowser } from '../kit/browser.ts';
import { consoleFixture } from '../kit/console-fixture.ts';
import type { ConsoleVisitor } from '../kit/console-page.ts';
import { bucket } from '../kit/export-records.ts';
import { plantFindings } from '../kit/planted-findings.ts';

describe.skipIf(noBrowser !== null)('the console for people with a screen reader', () => {
  const site = consoleFixture({ worker: true });

  /** A project, and a page of its tenant. */
  async function open(path: string): Promise<ConsoleVisitor> {
    const user = await site.server.people.user();
    const body = { name: 'shop-prod' };
    await site.server.call('/projects', { method: 'POST', headers: user.key, body });
    return site.open(path, user);
  }

  const status = ({ page }: ConsoleVisitor, text: string | RegExp) =>
    page.getByRole('status').filter({ hasText: text });
  const focused = ({ page }: ConsoleVisitor) =>
    page.evaluate(() => document.activeElement?.id || document.activeElement?.tagName);

  it('a page that is opened by a link is announced, and has the focus instead of the link', async () => {
    const visitor = await open('/projects');
    const { page } = visitor;
    const link = page.getByRole('link', { name: 'shop-prod', exact: true });
    // The first page after the sign-in.
    await status(visitor, /^Projects$/).waitFor({ state: 'attached' });
    await link.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'shop-prod', level: 1 }).waitFor();
    await status(visitor, /^shop-prod$/).waitFor({ state: 'attached' });
    await expect.poll(() => focused(visitor)).toBe('main');
    await page.goBack();
    await link.waitFor();
    await status(visitor, /^Projects$/).waitFor({ state: 'attached' });
    await expect.poll(() => focused(visitor)).toBe('main');
  });

  it('a link in the navigation keeps the focus when its page is opened', async () => {
    const visitor = await open('/projects');
    const { page } = visitor;
    const link = page.getByRole('link', { name: 'Rules', exact: true });
    await link.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Rules', level: 1 }).waitFor();
    await visitor.quiet();
    expect(await link.evaluate((one) => one === document.activeElement)).toBe(true);
  });

  it('a filter of a table announces how many rows it leaves, also if there are none', async () => {
    const visitor = await open('/rules');
    const { page } = visitor;
    const region = page.getByRole('status').filter({ hasText: /^Rules: \d+ shown$/ });
    await region.waitFor({ state: 'attached' });
    // The region must be there before its text changes.
    const stays = await region.elementHandle();
    await page.getByLabel('Search rules').fill('bucket-public');
    await expect.poll(() => stays?.textContent()).toMatch(/^Rules: \d shown$/);
    await page.getByLabel('Search rules').fill('zzzz');
    await expect.poll(() => stays?.textContent()).toBe('Rules: 0 shown');
    expect(await stays?.evaluate((one) => one.isConnected)).toBe(true);
    expect(await visitor.accessibilityViolations()).toEqual([]);
  });

  it('the number of selected findings is announced by a status that is there before', async () => {
    const user = await site.server.people.user();
    const body = { name: 'shop-prod' };
    const made = await site.server.call('/projects', { method: 'POST', headers: user.key, body });
    const titles = [{ title: 'One.' }, { title: 'Two.' }];
    await plantFindings(site.server.database, user.tenant.id, made.json.id, titles);
    const { page } = await site.open('/findings', user);
    await page.getByText('2 of 2 loaded').waitFor();
    const before = await page.getByRole('status').elementHandles();
    const texts = async () => {
      const shown = before.map((one) =>
        one.evaluate((node) => node.isConnected && node.textContent),
      );
      return Promise.all(shown);
    };
    await page.getByRole('checkbox', { name: 'Select all loaded findings' }).click();
    await expect.poll(texts).toContain('2 selected');
    await page.getByRole('button', { name: 'Clear the selection' }).click();
    await expect.poll(texts).not.toContain('2 selected');
  });

  it('another scan or framework of the compliance page is announced with its numbers', async () => {
    const user = await site.server.people.user();
    const analyst = new Analyst(site.server, user.key, user.tenant.id);
    const name = await analyst.project([bucket('a')]);
    await analyst.scan(name);
    const visitor = await site.open('/compliance', user);
    const { page } = visitor;
    const region = status(visitor, new RegExp(`^CIS GCP 5.0, ${name}, .*: Fail \\d+, .* shown$`));
    await region.waitFor({ state: 'attached' });
    const stays = await region.elementHandle();
    const text = () => stays?.evaluate((one) => one.isConnected && one.textContent);
    await page.getByRole('combobox', { name: 'Scan' }).click();
    await page.getByRole('option', { name: /^All projects/ }).click();
    await expect.poll(text).toMatch(/^CIS GCP 5.0, all projects: Fail \d+, .* 1 project shown$/);
    const frameworks = page.getByRole('navigation', { name: 'Frameworks' });
    await frameworks.getByRole('link').nth(1).click();
    await expect.poll(text).toMatch(/^CIS GCP 4.0, all projects: Fail \d+/);
    expect(await visitor.accessibilityViolations()).toEqual([]);
  });

  it('the step of a dialog that shows a new key has the focus', async () => {
    const visitor = await open('/api-keys');
    const { page } = visitor;
    await page.getByRole('button', { name: 'Create key' }).first().click();
    await page.getByRole('dialog').getByLabel('Name').fill('nightly');
    await page.keyboard.press('Enter');
    const shown = page.getByRole('dialog', { name: 'Copy your key now' });
    await shown.waitFor();
    await expect.poll(() => shown.evaluate((one) => one === document.activeElement)).toBe(true);
    await page.keyboard.press('Tab');
    const copy = shown.getByRole('button', { name: 'Copy the key' });
    expect(await copy.evaluate((one) => one === document.activeElement)).toBe(true);
    expect(await visitor.accessibilityViolations()).toEqual([]);
  });
});
