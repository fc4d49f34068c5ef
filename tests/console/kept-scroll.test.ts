import type { Locator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { Analyst } from '../kit/analyst.ts';
import { noBrowser } from '../kit/browser.ts';
import { consoleFixture } from '../kit/console-fixture.ts';
import { choose } from '../kit/console-journeys.ts';
import { bucket } from '../kit/export-records.ts';
import type { TestUser } from '../kit/people.ts';
import { plantFindings } from '../kit/planted-findings.ts';

const ROWS = 150;
/** Findings of another severity, which are listed first. */
const OTHERS = 10;
/** Far from both ends of the lists. */
const PLACE = 1700;

describe.skipIf(noBrowser !== null)('the place in a list of the console', () => {
  const site = consoleFixture();

  const scrollTo = (scroller: Locator) =>
    scroller.evaluate((one, top) => {
      one.scrollTop = top;
    }, PLACE);
  const placeOf = (scroller: Locator) =>
    expect.poll(() => scroller.evaluate(({ scrollTop }) => scrollTop));

  /** Opens the list of findings of a person whose tenant has many. */
  async function openFindings(person?: TestUser) {
    const user = person ?? (await site.server.people.user());
    const made = await site.server.call('/projects', {
      method: 'POST',
      headers: user.key,
      body: { name: 'shop-prod' },
    });
    const planted = Array.from({ length: ROWS }, (_, index) => ({
      title: `Finding ${index}.`,
      severity: index < ROWS - OTHERS ? 'high' : 'low',
    }));
    await plantFindings(site.server.database, user.tenant.id, made.json.id, planted);
    return site.open('/findings', user);
  }

  it('the back button returns to the place in the list of findings, and a link begins at its top', async () => {
    const visitor = await openFindings();
    const { page } = visitor;
    const rows = page
      .getByRole('grid', { name: 'Findings' })
      .getByRole('rowgroup', { name: 'Rows' });
    await page.getByText('150 of 150 loaded').waitFor();
    await scrollTo(rows);
    const row = page.getByRole('button', { name: 'Finding 115.', exact: true });
    await row.waitFor();
    await choose(visitor, 'Scans');
    await page.goBack();
    await row.waitFor();
    await placeOf(rows).toBe(PLACE);
    await choose(visitor, 'Scans');
    await choose(visitor, 'Findings');
    await page.getByText('150 of 150 loaded').waitFor();
    await placeOf(rows).toBe(0);
  });

  it('a filter of the findings begins at the first row, also for the keyboard shortcuts', async () => {
    const { page } = await openFindings();
    const rows = page
      .getByRole('grid', { name: 'Findings' })
      .getByRole('rowgroup', { name: 'Rows' });
    const cursor = (name: string) => page.locator('[data-cursor]').filter({ hasText: name });
    await page.getByText('150 of 150 loaded').waitFor();
    for (let moves = 0; moves < 40; moves += 1) await page.keyboard.press('j');
    await cursor('Finding 109.').waitFor();
    const scrolled = await rows.evaluate(({ scrollTop }) => scrollTop);
    expect(scrolled).toBeGreaterThan(0);
    await page.getByRole('button', { name: /^High/ }).click();
    await page.getByText('140 of 140 loaded').waitFor();
    await placeOf(rows).toBe(0);
    await cursor('Finding 139.').waitFor();
    await page.getByRole('button', { name: /^High/ }).click();
    await page.getByText('150 of 150 loaded').waitFor();
    await placeOf(rows).toBe(0);
    await cursor('Finding 149.').waitFor();
  });

  it('the back button from a saved view returns to the place and the row in the findings before it', async () => {
    const user = await site.server.people.user();
    await site.server.call('/views', {
      method: 'POST',
      headers: user.key,
      body: { name: 'High ones', query: 'severity=high' },
    });
    const { page } = await openFindings(user);
    const rows = page
      .getByRole('grid', { name: 'Findings' })
      .getByRole('rowgroup', { name: 'Rows' });
    await page.getByText('150 of 150 loaded').waitFor();
    for (let moves = 0; moves < 40; moves += 1) await page.keyboard.press('j');
    await scrollTo(rows);
    await page.getByRole('button', { name: 'Views', exact: true }).click();
    await page.getByRole('menuitem', { name: 'High ones' }).click();
    await page.getByText('140 of 140 loaded').waitFor();
    await placeOf(rows).toBe(0);
    await page.goBack();
    await page.getByText('150 of 150 loaded').waitFor();
    await placeOf(rows).toBe(PLACE);
    await page.locator('[data-cursor]').filter({ hasText: 'Finding 109.' }).waitFor();
  });

  it('the back button returns to the row on which the keyboard shortcuts acted', async () => {
    const visitor = await openFindings();
    const { page } = visitor;
    const title = (name: string) =>
      page.getByRole('grid').getByRole('button', { name, exact: true });
    const panel = page.getByRole('complementary', { name: /^Finding:/ });
    await title('Finding 145.').click();
    await panel.waitFor();
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
    await choose(visitor, 'Scans');
    await page.goBack();
    await title('Finding 145.').waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('x');
    const selected = page.getByRole('row', { selected: true });
    await selected.filter({ hasText: 'Finding 144.' }).waitFor();

    await title('Finding 144.').click();
    await panel.waitFor();
    await choose(visitor, 'Scans');
    await page.goBack();
    await panel.waitFor();
    await page.keyboard.press('j');
    await page.getByRole('complementary', { name: 'Finding: Finding 143.' }).waitFor();
  });

  it('the keys act on the same finding after the back button has loaded a list with new findings', async () => {
    const user = await site.server.people.user();
    const made = await site.server.call('/projects', {
      method: 'POST',
      headers: user.key,
      body: { name: 'shop-prod' },
    });
    const plant = (titles: readonly string[]) =>
      plantFindings(
        site.server.database,
        user.tenant.id,
        made.json.id,
        titles.map((title) => ({ title })),
      );
    await plant(Array.from({ length: 40 }, (_, index) => `Finding ${index}.`));
    const visitor = await site.visit();
    const { page } = visitor;
    await page.clock.install();
    await visitor.goto('/findings');
    await visitor.signIn(user.email, user.password);
    await page.getByText('40 of 40 loaded').waitFor();
    for (let moves = 0; moves < 12; moves += 1) await page.keyboard.press('j');
    const cursorRow = page.locator('[data-cursor]').filter({ hasText: 'Finding 27.' });
    await cursorRow.waitFor();
    await choose(visitor, 'Scans');
    await plant(['New one.', 'New two.', 'New three.']);
    await page.clock.fastForward('01:00');
    await page.goBack();
    await page.getByText('43 of 43 loaded').waitFor();
    await cursorRow.waitFor();
    await page.keyboard.press('m');
    const dialog = page.getByRole('dialog', { name: 'Mute this finding' });
    await dialog.getByText('Finding 27.').waitFor();
  });

  it('the back button returns to the place in the lists of rules and of assets, and a filter of assets begins at the first row', async () => {
    const user = await site.server.people.user();
    const person = new Analyst(site.server, user.key, user.tenant.id);
    const project = await person.project(
      Array.from({ length: ROWS }, (_, index) => bucket(`bucket-${index}`)),
    );
    const visitor = await site.open('/rules', user);
    const { page } = visitor;
    const link = page.getByRole('table', { name: 'Rules', exact: true }).getByRole('link');
    await expect.poll(() => link.count()).toBeGreaterThan(40);
    const screen = page.locator('#main [class*=page]').first();
    await scrollTo(screen);
    await placeOf(screen).toBe(PLACE);
    await choose(visitor, 'Projects');
    await page.goBack();
    await page.getByRole('heading', { name: 'Rules', level: 1 }).waitFor();
    await placeOf(screen).toBe(PLACE);

    await choose(visitor, 'Projects');
    await page.getByRole('link', { name: project, exact: true }).click();
    await page.getByRole('link', { name: 'Assets', exact: true }).click();
    const assets = page.getByRole('grid', { name: 'Assets' });
    const rows = assets.getByRole('rowgroup', { name: 'Rows' });
    await assets.getByRole('link').first().waitFor();
    await scrollTo(rows);
    await placeOf(rows).toBe(PLACE);
    await choose(visitor, 'Projects');
    await page.goBack();
    await assets.getByRole('link').first().waitFor();
    await placeOf(rows).toBe(PLACE);

    // A filter begins at the first row.
    await page.getByLabel('Search the names of assets').fill('bucket');
    await page.waitForURL(/q=bucket/);
    await placeOf(rows).toBe(0);
  });

  it.each([
    ['/rules', 'severity=high'],
    ['/mutes', 'view=expired'],
    ['/scans', 'status=completed'],
    ['/audit-log', 'outcome=success'],
  ])(
    'a filter of %s begins at the top, and Back returns to the place before it',
    async (path, filter) => {
      const user = await site.server.people.user();
      const visitor = await site.open(path, user);
      const { page } = visitor;
      // Low enough that also a page without rows can be scrolled.
      await page.setViewportSize({ width: 1440, height: 220 });
      const screen = page.locator('#main [class*=page]').first();
      await page.locator('#main').getByRole('heading', { level: 1 }).waitFor();
      await visitor.quiet();
      const top = await screen.evaluate((one) => {
        one.scrollTop = 40;
        return one.scrollTop;
      });
      expect(top).toBe(40);
      await visitor.move(`${path}?${filter}`);
      await visitor.quiet();
      await placeOf(screen).toBe(0);
      await page.goBack();
      await placeOf(screen).toBe(40);
    },
  );
});
