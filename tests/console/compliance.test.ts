import { describe, it } from 'vitest';
import { Analyst } from '../kit/analyst.ts';
import { noBrowser } from '../kit/browser.ts';
import { consoleFixture } from '../kit/console-fixture.ts';
import { bucket } from '../kit/export-records.ts';

/** The API lists at most so many projects at once. */
const PROJECTS_LISTED = 100;

describe.skipIf(noBrowser !== null)('the compliance page of a tenant with many projects', () => {
  const site = consoleFixture({ worker: true });

  it('the compliance page opens the newest scan of a present project that is not among the newest 100', async () => {
    const user = await site.server.people.user();
    const analyst = new Analyst(site.server, user.key, user.tenant.id);
    const kept = await analyst.project([bucket('a')]);
    const deleted = await analyst.project([bucket('b')]);
    await analyst.scan(kept);
    await analyst.scan(deleted);
    for (let made = 0; made < PROJECTS_LISTED; made += 1) await analyst.project();
    await analyst.ask(204, `/projects/${deleted}`, { method: 'DELETE' });
    const visitor = await site.open('/compliance', user);
    const { page } = visitor;
    await page.getByText(`scan of ${kept}, profile full,`).waitFor();
    await analyst.ask(204, `/projects/${kept}`, { method: 'DELETE' });
    await page.reload();
    await page.getByText('No scan of a present project').waitFor();
  });
});
