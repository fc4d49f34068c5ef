import { describe, expect, it } from 'vitest';
import { Analyst } from '../kit/analyst.ts';
import { noBrowser } from '../kit/browser.ts';
import { consoleFixture } from '../kit/console-fixture.ts';
import { choose } from '../kit/console-journeys.ts';
import { bucket } from '../kit/export-records.ts';

/** Twice the default of browsers. */
const LARGE_FONT = 32;

const SCREENS = [
  'Dashboard',
  'Findings',
  'Compliance',
  'Scans',
  'Projects',
  'Rules',
  'People',
  'Roles',
];

describe.skipIf(noBrowser !== null)('the console with a large font size of the browser', () => {
  const site = consoleFixture({ worker: true });

  it('text and rows grow with the default font size of the browser, and no text is clipped', async () => {
    const user = await site.server.people.user();
    const analyst = new Analyst(site.server, user.key, user.tenant.id);
    const name = await analyst.project([bucket('a'), bucket('b')]);
    await analyst.scan(name);
    const visitor = await site.visit();
    const { page, context } = visitor;
    // So that the wide layout is shown.
    await page.setViewportSize({ width: 2400, height: 1400 });
    const session = await context.newCDPSession(page);
    await session.send('Page.enable');
    await session.send('Page.setFontSizes', { fontSizes: { standard: LARGE_FONT } });
    await visitor.goto('/projects');
    await visitor.signIn(user.email, user.password);
    const fontSize = () =>
      page.evaluate(() => Number.parseFloat(getComputedStyle(document.body).fontSize));
    expect(await fontSize()).toBe(27);
    for (const screen of SCREENS) {
      await choose(visitor, screen);
      await visitor.quiet();
      const clipped = await page.evaluate(() => {
        const elements = [...document.querySelectorAll('#main *')];
        return elements
          .filter((one) => {
            const { overflowY, clipPath } = getComputedStyle(one);
            // Text for screen readers alone is clipped on purpose.
            const isHidden = clipPath !== 'none' || one.clientHeight === 0;
            return !isHidden && overflowY === 'hidden' && one.scrollHeight > one.clientHeight + 3;
          })
          .map(({ outerHTML }) => outerHTML.slice(0, 200));
      });
      expect({ [screen]: clipped }).toEqual({ [screen]: [] });
      await visitor.screenshot(`large-font-${screen}`);
    }
    await page.getByRole('link', { name: 'Projects', exact: true }).click();
    await page.getByRole('link', { name, exact: true }).click();
    await page.getByRole('link', { name: 'Assets', exact: true }).click();
    const row = (number: number) =>
      page.getByRole('grid', { name: 'Assets' }).locator(`[aria-rowindex="${number}"]`);
    await row(3).waitFor();
    const top = async (number: number) => (await row(number).boundingBox())?.y ?? 0;
    // The places of the rows of a virtual list are computed by the script, and their heights by the style sheet.
    expect((await top(3)) - (await top(2))).toBe(104);
    expect((await row(2).boundingBox())?.height).toBe(104);
  });
});
