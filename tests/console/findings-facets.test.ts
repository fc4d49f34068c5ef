import { describe, expect, it } from 'vitest';
import { noBrowser } from '../kit/browser.ts';
import { consoleFixture } from '../kit/console-fixture.ts';
import { type Planted, plantFindings } from '../kit/planted-findings.ts';

describe.skipIf(noBrowser !== null)('filters of the findings explorer', () => {
  const site = consoleFixture();

  /** Opens all filters over two findings of each of as many rules, and one finding of another rule. */
  async function openFilters(rules: number) {
    const user = await site.server.people.user();
    const made = await site.server.call('/projects', {
      method: 'POST',
      headers: user.key,
      body: { name: 'shop-prod' },
    });
    const frequent = Array.from({ length: 2 * rules }, (_, index): Planted => {
      return { title: `Finding ${index}.`, ruleId: `custom-${index % rules}` };
    });
    const rare = { title: 'Rare and critical', ruleId: 'bucket-public' };
    const { database } = site.server;
    await plantFindings(database, user.tenant.id, made.json.id, [...frequent, rare]);
    const visitor = await site.open('/findings', user);
    const { page } = visitor;
    await page.getByText(/of \d+ loaded/).waitFor();
    await page.getByRole('button', { name: /^All filters/ }).click();
    const filters = page.getByRole('dialog', { name: 'Filters' });
    const rule = filters.getByRole('group', { name: 'Rule' });
    const search = rule.getByRole('searchbox', { name: 'Search Rule' });
    return { visitor, page, filters, rule, search };
  }

  const NOTE = 'At most 100 values are listed, the most frequent ones.';

  it('a filter with more than 100 values says so, and takes a value that is not listed', async () => {
    const { visitor, page, filters, rule, search } = await openFilters(100);
    await rule.getByText(NOTE).waitFor();
    await search.fill('bucket-public');
    // Not `check`, which expects the new state at once: the box shows what the address says.
    await rule.getByRole('checkbox', { name: 'bucket-public' }).click({ force: true });
    await page.getByText('1 finding in 1 project').waitFor();
    await rule.getByRole('checkbox', { name: 'bucket-public', exact: true }).waitFor();
    expect(await rule.getByText('No values').count()).toBe(0);
    expect(await visitor.accessibilityViolations()).toEqual([]);
    await filters.getByRole('button', { name: 'Show findings' }).click();
    await page.getByRole('row').filter({ hasText: 'Rare and critical' }).waitFor();
    await page.getByRole('button', { name: 'Remove Rule bucket-public' }).waitFor();
  });

  it('a filter with more than 100 values offers no value that the API refuses', async () => {
    const { rule, search } = await openFilters(100);
    expect(await search.getAttribute('aria-describedby')).toBe(
      await rule.getByText(`${NOTE} Enter the full id of any other.`).getAttribute('id'),
    );
    await search.fill('x'.repeat(100));
    await rule.getByRole('checkbox', { name: 'x'.repeat(100) }).waitFor();
    await search.fill('x'.repeat(101));
    await rule.getByText('No values').waitFor();
    expect(await rule.getByRole('checkbox').count()).toBe(0);
  });

  it('a filter that lists all of its values offers no other value', async () => {
    const { rule, search } = await openFilters(20);
    await search.fill('bucket-pub');
    await rule.getByRole('checkbox', { name: 'bucket-public' }).waitFor();
    await search.fill('bucket-private');
    await rule.getByText('No values').waitFor();
    expect(await rule.getByRole('checkbox').count()).toBe(0);
    expect(await rule.getByText(NOTE).count()).toBe(0);
  });
});
