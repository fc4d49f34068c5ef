import { describe, expect, it } from 'vitest';
import { noBrowser } from '../kit/browser.ts';
import { consoleFixture } from '../kit/console-fixture.ts';

describe.skipIf(noBrowser !== null)('saved views of other people in the console', () => {
  const site = consoleFixture();

  it.each(['desktop', 'phone'] as const)(
    'the menu of views shows the name of each view beside its author on a %s, also of two views with one name',
    async (size) => {
      const { people } = site.server;
      const reader = await people.user();
      const { tenant } = reader;
      // Their addresses are as long as those of large companies are.
      const authors = [await people.user({ tenant }), await people.user({ tenant })];
      for (const { key } of authors) {
        const body = { name: 'Public buckets', query: 'q=bucket', shared: true };
        const made = await site.server.call('/views', { method: 'POST', headers: key, body });
        expect(made.status).toBe(201);
      }
      const visitor = await site.open('/findings', reader, { size });
      const { page } = visitor;
      await page.getByRole('button', { name: 'Views', exact: true }).click();
      const menu = page.getByRole('menu', { name: 'Views' });
      const names = menu.getByText('Public buckets', { exact: true });
      await names.first().waitFor();
      expect(await names.count()).toBe(2);
      const shown = await names.evaluateAll((all) =>
        all.map(({ clientWidth, scrollWidth }) => clientWidth > 0 && clientWidth === scrollWidth),
      );
      expect(shown).toEqual([true, true]);
      for (const { email } of authors) {
        expect((await menu.getByText(email).boundingBox())?.width).toBeGreaterThan(40);
        expect(await menu.getByText(email).getAttribute('title')).toBe(email);
      }
      expect(await visitor.accessibilityViolations()).toEqual([]);
      await visitor.screenshot(`shared-views-${size}`);
    },
  );
});
