import { describe, expect, it } from 'vitest';
import { noBrowser } from '../kit/browser.ts';
import { consoleFixture } from '../kit/console-fixture.ts';

describe.skipIf(noBrowser !== null)('filters that are typed', () => {
  const site = consoleFixture();

  it('Escape in the search of findings moves the focus out and keeps the text', async () => {
    const user = await site.server.people.user();
    const visitor = await site.open('/findings?q=bucket', user);
    const { page } = visitor;
    const search = page.getByRole('searchbox', { name: 'Search findings' });
    await search.focus();
    await page.keyboard.press('Escape');
    await expect.poll(() => search.evaluate((one) => one === document.activeElement)).toBe(false);
    expect(await search.inputValue()).toBe('bucket');
  });

  it('a date that is typed into the audit log is applied once, when its year is complete', async () => {
    const user = await site.server.people.user({ role: 'admin' });
    const visitor = await site.open('/audit-log', user);
    const { page } = visitor;
    await page.getByRole('table', { name: 'Audit events' }).waitFor();
    await visitor.quiet();
    visitor.takeRequests();
    await page.clock.install();
    await page.getByLabel('From').focus();
    await page.keyboard.type('11202026');
    // Longer than the page waits for the next key.
    await page.clock.fastForward('00:05');
    await page.waitForURL(/from=2026-11-20/);
    expect(await page.getByLabel('From').inputValue()).toBe('2026-11-20');
    await visitor.quiet();
    expect(visitor.takeRequests().filter((one) => one.includes('from='))).toHaveLength(1);
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.waitForURL((url) => !url.href.includes('from='));
    await expect.poll(() => page.getByLabel('From').inputValue()).toBe('');
  });

  it.each([
    { path: '/findings', label: 'Search findings', typed: 'bucket', applied: 'q=bucket' },
    { path: '/audit-log', label: 'From', typed: '11202026', applied: 'from=2026-11-20' },
  ])(
    'the field $label keeps what was typed while the address changes',
    async ({ path, label, typed, applied }) => {
      const user = await site.server.people.user({ role: 'admin' });
      const { page } = await site.open(path, user);
      const field = page.getByLabel(label, { exact: true });
      // What the page itself writes into the field.
      const written = await field.evaluateHandle((input) => {
        const values: string[] = [];
        const own = Object.getOwnPropertyDescriptor(input, 'value');
        Object.defineProperty(input, 'value', {
          ...own,
          set(value: string) {
            values.push(value);
            own?.set?.call(input, value);
          },
        });
        return values;
      });
      await field.focus();
      await page.keyboard.type(typed);
      await page.waitForURL((url) => url.search.includes(applied));
      await expect.poll(() => page.getByText('Clear').count()).toBeGreaterThan(0);
      expect(await written.jsonValue()).toEqual([]);
    },
  );

  it('a saved view whose filters are in another order can be deleted', async () => {
    const user = await site.server.people.user();
    const { status } = await site.server.call('/views', {
      method: 'POST',
      headers: user.key,
      body: { name: 'Mine', query: 'project=shop-prod&severity=high&view=all' },
    });
    expect(status).toBe(201);
    const { page } = await site.open('/findings?view=all&severity=high&project=shop-prod', user);
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByRole('menuitem', { name: 'Delete “Mine”' }).click();
    await page.getByText('View “Mine” deleted').waitFor();
  });
});
