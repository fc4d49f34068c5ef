import { describe, expect, it } from 'vitest';
import { noBrowser } from '../kit/browser.ts';
import { consoleFixture } from '../kit/console-fixture.ts';

describe.skipIf(noBrowser !== null)('the first page after a sign-in', () => {
  const site = consoleFixture();

  it.each([
    ['findings.read', 'Dashboard', '/'],
    ['scans.read', 'Compliance', '/compliance'],
    ['admin.users', 'People', '/people'],
    ['findings.mute', 'Your account', '/account'],
  ] as const)(
    'a sign-in with the permission %s alone opens the page %s',
    async (permission, name, path) => {
      const user = await site.server.people.user({ role: [permission] });
      const { page } = await site.open('/', user);
      await page.getByRole('heading', { name, exact: true, level: 1 }).waitFor();
      expect(new URL(page.url()).pathname).toBe(`/console${path}`);
    },
  );

  it('the title of a page that the role may not see says so', async () => {
    const user = await site.server.people.user({ role: ['scans.read'] });
    const { page } = await site.open('/people', user);
    const refused = 'You do not have access to this page';
    await page.getByRole('heading', { name: refused, level: 1 }).waitFor();
    expect(await page.title()).toBe(`${refused} · CSPM`);
  });
});
