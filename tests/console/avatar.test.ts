import { describe, expect, it } from 'vitest';
import { noBrowser } from '../kit/browser.ts';
import { consoleFixture } from '../kit/console-fixture.ts';

describe.skipIf(noBrowser !== null)('the picture of the person in the console', () => {
  const site = consoleFixture();

  it.each([
    ['Test Person', 'TP'],
    ['🦊 Fox', '🦊F'],
    ['👩‍💻Ana 🇩🇪', '👩‍💻🇩🇪'],
    ['e\u0301mile Zola', 'E\u0301Z'],
  ])('the picture of %s shows whole characters: %s', async (name, shown) => {
    const user = await site.server.people.user();
    await site.server.database.owner.query('UPDATE identity.users SET name = $2 WHERE id = $1', [
      user.id,
      name,
    ]);
    const { page } = await site.open('/account', user);
    const account = page.getByRole('button', { name: `Account of ${name}` });
    expect(await account.locator('[aria-hidden]').first().innerText()).toBe(shown);
  });
});
