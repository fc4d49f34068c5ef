import type { Locator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { Analyst } from '../kit/analyst.ts';
import { noBrowser } from '../kit/browser.ts';
import { consoleFixture } from '../kit/console-fixture.ts';
import { choose } from '../kit/console-journeys.ts';
import { bucket } from '../kit/export-records.ts';
import { plantFindings } from '../kit/planted-findings.ts';

const ROWS = 150;
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
  async function openFindings() {
    const user = await site.server.people.user();
    const made = await site.server.call('/projects', {
      method: 'POST',
      headers: user.key,
      body: { name: 'shop-prod' },
    });
    const planted = Array.from({ length: ROWS }, (_, index) => ({ title: `Finding ${index}.` }));
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

  it('the back button returns to the place in the lists of rules and of assets', async () => {
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
  });
});
