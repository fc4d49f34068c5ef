import { describe, expect, it } from 'vitest';
import { NAVIGATION } from '../../console/src/shell/navigation.ts';
import { noBrowser } from '../kit/browser.ts';
import { consoleFixture } from '../kit/console-fixture.ts';
import { plantFindings } from '../kit/planted-findings.ts';

const ITEMS = NAVIGATION.flatMap(({ items }) => items);

it('no two pages of the console have the same shortcut', () => {
  const keys = ITEMS.flatMap(({ key }) => key ?? []);
  expect(keys.toSorted()).toEqual([...new Set(keys)].toSorted());
});

describe.skipIf(noBrowser !== null)('the shortcuts of the console', () => {
  const site = consoleFixture();

  it('the shortcuts of the console open the pages that their list names', async () => {
    const tenant = await site.server.people.tenant(['custom_rules', 'sso']);
    const visitor = await site.open('/account', await site.server.people.user({ tenant }));
    const { page } = visitor;
    await page.getByRole('heading', { name: 'Your account', level: 1 }).waitFor();
    await page.keyboard.press('?');
    const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await list.getByText('Single sign-on').waitFor();
    const keys = await list.locator('kbd').allInnerTexts();
    expect(keys.toSorted()).toEqual([...new Set(keys)].toSorted());
    await page.keyboard.press('Escape');
    await list.waitFor({ state: 'detached' });
    for (const { key, label, to } of ITEMS) {
      if (key === undefined) continue;
      await page.keyboard.press('g');
      await page.keyboard.press(key);
      await page.waitForURL(`${site.server.url}/console${to}`);
      const link = page.getByRole('navigation', { name: 'Main' }).getByRole('link', {
        name: label,
        exact: true,
      });
      await expect.poll(() => link.getAttribute('aria-current')).toBe('page');
      // The dashboard welcomes a tenant without projects.
      const name = to === '/' ? 'Welcome' : label;
      await page.getByRole('heading', { name, exact: true, level: 1 }).waitFor();
    }
  });

  it('a sequence such as g m opens its page on a page with a shortcut for m, also after a reload', async () => {
    const user = await site.server.people.user();
    const made = await site.server.call('/projects', {
      method: 'POST',
      headers: user.key,
      body: { name: 'shop-prod' },
    });
    await plantFindings(site.server.database, user.tenant.id, made.json.id, [{}, {}]);
    const visitor = await site.open('/findings', user);
    const { page } = visitor;
    for (const [key, heading] of [
      ['m', 'Mutes'],
      ['k', 'API keys'],
    ] as const) {
      await page.getByText('2 of 2 loaded').waitFor();
      await page.reload();
      await page.getByText('2 of 2 loaded').waitFor();
      await page.keyboard.press('g');
      await page.keyboard.press(key);
      await page.getByRole('heading', { name: heading, exact: true, level: 1 }).waitFor();
      expect(await page.getByRole('dialog').count()).toBe(0);
      await visitor.move('/findings');
    }
  });

  it('the list of shortcuts does not open again after the next sign-in', async () => {
    const user = await site.server.people.user();
    const visitor = await site.open('/account', user);
    const { page, context } = visitor;
    const heading = page.getByRole('heading', { name: 'Your account', level: 1 });
    await heading.waitFor();
    await page.keyboard.press('?');
    const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await list.waitFor();
    const other = await context.newPage();
    await other.goto(page.url());
    await other.getByRole('button', { name: /Account of/ }).click();
    await other.getByRole('menuitem', { name: 'Sign out', exact: true }).click();
    await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor();
    await other.close();
    await visitor.signIn(user.email, user.password);
    await heading.waitFor();
    await visitor.quiet();
    expect(await list.count()).toBe(0);
  });

  it('single-key shortcuts can be turned off in a browser and on again, while Enter, Escape and Ctrl K keep working', async () => {
    const user = await site.server.people.user();
    const made = await site.server.call('/projects', {
      method: 'POST',
      headers: user.key,
      body: { name: 'shop-prod' },
    });
    await plantFindings(site.server.database, user.tenant.id, made.json.id, [{}]);
    const visitor = await site.open('/findings', user);
    const { page } = visitor;
    const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    const openList = async () => {
      await page.getByRole('button', { name: /^Account of/ }).click();
      await page.getByRole('menuitem', { name: 'Keyboard shortcuts' }).click();
    };
    await page.getByText('all keys').waitFor();
    await openList();
    await list.waitFor();
    expect(await visitor.accessibilityViolations()).toEqual([]);
    await list.getByRole('button', { name: 'Turn off single-key shortcuts' }).click();
    await list.getByText('Single-key shortcuts are off in this browser.').waitFor();
    await page.keyboard.press('Escape');
    await list.waitFor({ state: 'detached' });

    await page.reload();
    const row = page.getByRole('button', { name: 'Bucket is public', exact: true });
    await row.waitFor();
    expect(await page.getByText('all keys').count()).toBe(0);
    for (const key of ['?', 'm', 'x', '/', 'g', 's']) await page.keyboard.press(key);
    // The panel opens after the keys before it had their effect.
    await page.keyboard.press('Enter');
    await page.getByRole('complementary', { name: /^Finding:/ }).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(await page.getByRole('row', { selected: true }).count()).toBe(0);
    await page.keyboard.press('Escape');
    await page.getByRole('complementary', { name: /^Finding:/ }).waitFor({ state: 'detached' });
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search or jump to' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('listbox').waitFor({ state: 'detached' });
    await openList();
    await list.getByRole('button', { name: 'Turn on single-key shortcuts' }).click();
    await page.keyboard.press('Escape');
    await list.waitFor({ state: 'detached' });
    await page.keyboard.press('?');
    await list.waitFor();
  });
});
