import { describe, expect, it } from 'vitest';
import { Analyst } from '../kit/analyst.ts';
import { noBrowser } from '../kit/browser.ts';
import { consoleFixture } from '../kit/console-fixture.ts';
import { bucket } from '../kit/export-records.ts';
import { rowsOf } from '../kit/owner-queries.ts';
import { plantFindings } from '../kit/planted-findings.ts';
import { PLANT_POSTURE, PLANT_TOTALS } from '../kit/planted-posture.ts';

/** 1440 pixels at a zoom of 200 %, and a small phone. */
const SIZES = [
  ['a zoom of 200 %', { width: 720, height: 450 }],
  ['360 pixels', { width: 360, height: 740 }],
] as const;

/** So many that the tiles have figures of five digits. */
const PROJECTS = 3000;

describe.skipIf(noBrowser !== null)('the console on narrow screens', () => {
  const site = consoleFixture();

  it.each(SIZES)(
    'findings can be selected one by one and all together, and muted, at %s',
    async (_, viewport) => {
      const user = await site.server.people.user();
      const made = await site.server.call('/projects', {
        method: 'POST',
        headers: user.key,
        body: { name: 'shop-prod' },
      });
      const planted = ['First', 'Second', 'Third'].map((title) => ({ title }));
      await plantFindings(site.server.database, user.tenant.id, made.json.id, planted);
      const visitor = await site.open('/findings', user);
      const { page } = visitor;
      await page.setViewportSize(viewport);
      const box = (title: string) =>
        page.getByRole('checkbox', { name: `Select ${title}, b`, exact: true });
      await box('Third').click();
      await page.getByRole('toolbar').getByText('1 selected').waitFor();
      await page.getByRole('checkbox', { name: 'Select all loaded findings' }).click();
      await page.getByRole('toolbar').getByText('3 selected').waitFor();
      expect(await visitor.accessibilityViolations()).toEqual([]);
      await box('First').click();
      const bar = page.getByRole('toolbar', { name: 'Selected findings' });
      await bar.getByText('2 selected').waitFor();
      await bar.getByRole('button', { name: 'Mute' }).click();
      const dialog = page.getByRole('dialog', { name: 'Mute 2 findings' });
      await dialog.getByLabel('Reason').fill('A static site');
      await dialog.getByRole('button', { name: 'Mute' }).click();
      await page.getByText('1 of 1 loaded').waitFor();
      await box('First').waitFor();
    },
  );

  it('the menu of a phone closes when a link to the page that is shown is followed', async () => {
    const [, [, viewport]] = SIZES;
    const user = await site.server.people.user();
    const { page } = await site.open('/account', user);
    await page.setViewportSize(viewport);
    await page.getByRole('heading', { name: 'Your account', level: 1 }).waitFor();
    const menu = page.getByRole('dialog', { name: 'Menu' });
    const follow = async (name: string) => {
      await page.getByRole('button', { name: 'Menu', exact: true }).click();
      await menu.getByRole('link', { name, exact: true }).click();
      await menu.waitFor({ state: 'detached' });
      await page.getByRole('heading', { name, exact: true, level: 1 }).waitFor();
    };
    await follow('Projects');
    await follow('Projects');
    await follow('Findings');
    await page.getByRole('tab', { name: 'Muted' }).click();
    await page.waitForURL(/view=muted/);
    await follow('Findings');
    await page.waitForURL(/findings$/);
  });

  it.each(SIZES)('the figures of the dashboard stay in their tiles at %s', async (_, viewport) => {
    const user = await site.server.people.user();
    const today = site.server.clock.now().toISOString().slice(0, 10);
    const posture = [user.tenant.id, PROJECTS, today, 1];
    await rowsOf(site.server.database, user.tenant.id, PLANT_POSTURE, posture);
    await rowsOf(site.server.database, user.tenant.id, PLANT_TOTALS, [user.tenant.id]);
    const { page } = await site.open('/', user);
    await page.setViewportSize(viewport);
    const figure = page.locator('a[data-level=medium] b');
    await expect.poll(() => figure.innerText()).toBe('90,000');
    const tooWide = await page
      .locator('a[data-level]')
      .evaluateAll((tiles) =>
        tiles
          .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
          .map(({ textContent }) => textContent),
      );
    expect(tooWide).toEqual([]);
  });

  it.each(SIZES)(
    'a table shows what its columns show on wide screens at %s',
    async (_, viewport) => {
      const user = await site.server.people.user();
      const visitor = await site.open('/api-keys', user);
      const { page } = visitor;
      const table = page.getByRole('table', { name: 'API keys' });
      const header = table.getByRole('columnheader', { name: 'Expires' });
      await header.waitFor();
      await page.setViewportSize(viewport);
      await header.waitFor({ state: 'detached' });
      for (const name of ['Created', 'Expires']) {
        const value = table.getByRole('term').filter({ hasText: name }).locator('+ dd');
        expect(await value.innerText()).toMatch(/Never|ago|now|20\d\d/);
      }
      expect(await visitor.accessibilityViolations()).toEqual([]);
      await visitor.screenshot(`api-keys-${viewport.width}`);
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      expect(width).toBeLessThanOrEqual(viewport.width);
    },
  );

  it.each(SIZES)('the list of assets shows type and location at %s', async (_, viewport) => {
    const user = await site.server.people.user();
    const person = new Analyst(site.server, user.key, user.tenant.id);
    const project = await person.project([
      { ...bucket('files'), resource: { location: 'EU', data: {} } },
    ]);
    const { page } = await site.open(`/projects/${project}/assets`, user);
    await page.setViewportSize(viewport);
    const row = page.getByRole('row').filter({ hasText: 'files' });
    await row.getByText('Bucket · eu').waitFor();
  });
});
