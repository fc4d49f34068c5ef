import { describe, expect, it } from 'vitest';
import { noBrowser } from '../kit/browser.ts';
import { consoleFixture } from '../kit/console-fixture.ts';

describe.skipIf(noBrowser !== null)('the console on a system with an unknown time zone', () => {
  const site = consoleFixture({ browser: { timeZone: ':no/such/file' } });

  it('the next runs of a schedule are shown in UTC where the browser does not know the time zone', async () => {
    const user = await site.server.people.user();
    const { page } = await site.open('/schedules', user);
    await page.getByRole('button', { name: 'Create schedule' }).first().click();
    const zone = await page.evaluate(() => Intl.DateTimeFormat().resolvedOptions().timeZone);
    expect(zone).toBe('Etc/Unknown');
    const dialog = page.getByRole('dialog', { name: 'Create a schedule' });
    await dialog.getByLabel('Time zone').fill('Europe/Berlin');
    const runs = dialog.getByRole('table', { name: 'Next runs' });
    await runs.getByRole('columnheader', { name: 'Your time (UTC)' }).waitFor();
    await runs
      .getByText(/^\w{3}, \w{3} \d+, \d{4}, 0[12]:00 AM UTC$/)
      .first()
      .waitFor();
  });
});
