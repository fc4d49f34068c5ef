import { describe, expect, it } from 'vitest';
import { Analyst } from '../kit/analyst.ts';
import { noBrowser } from '../kit/browser.ts';
import { consoleFixture } from '../kit/console-fixture.ts';
import { bucket } from '../kit/export-records.ts';

const SIZES = [
  ['a zoom of 400 %', { width: 320, height: 256 }],
  ['a phone held across', { width: 640, height: 360 }],
] as const;

/** Height of a row of the findings, in pixels. */
const ROW = 56;

describe.skipIf(noBrowser !== null)('the console on a low screen', () => {
  const site = consoleFixture({ worker: true });

  it.each(SIZES)(
    'the lists of findings and assets have room for rows at %s',
    async (_, viewport) => {
      const user = await site.server.people.user();
      const person = new Analyst(site.server, user.session, user.tenant.id);
      const names = Array.from({ length: 30 }, (_, index) => `bucket-${index}`);
      const project = await person.project(
        names.map((name) => bucket(name, { uniform: false, logged: false })),
      );
      await person.scan(project);
      const visitor = await site.open('/findings', user);
      const { page } = visitor;
      await page.getByRole('heading', { name: 'Findings', level: 1 }).waitFor();
      await page.setViewportSize(viewport);
      const rows = page.getByRole('grid').getByLabel('Rows');
      const height = () => rows.evaluate((one) => one.clientHeight);

      await visitor.move(`/findings?severity=medium&project=${project}`);
      await page.getByRole('button', { name: 'Clear all' }).waitFor();
      await expect.poll(height).toBeGreaterThanOrEqual(2 * ROW);
      expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBe(
        viewport.height,
      );
      await page
        .getByRole('checkbox', { name: /^Select/ })
        .nth(1)
        .click();
      await page.getByRole('toolbar').getByText('1 selected').waitFor();
      await page.getByRole('grid').getByRole('row').nth(2).getByRole('button').first().click();
      await page.getByRole('complementary', { name: /^Finding:/ }).waitFor();

      await visitor.move('/findings?by=asset');
      const groups = page.getByRole('region', { name: 'Findings by asset' });
      await groups.getByRole('button', { name: 'bucket-7', exact: true }).click();
      await page.waitForURL(/asset=/);

      await visitor.move(`/projects/${project}/assets`);
      await expect.poll(height).toBeGreaterThanOrEqual(2 * ROW);
      await page.getByRole('link', { name: 'bucket-1', exact: true }).click();
      await page.getByRole('heading', { name: 'bucket-1', level: 1 }).waitFor();
    },
  );
});
