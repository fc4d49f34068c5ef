import { describe, expect, it } from 'vitest';
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

  it('the compliance page opens the scan of a present project behind scans of many deleted ones', async () => {
    const user = await site.server.people.user();
    const analyst = new Analyst(site.server, user.key, user.tenant.id);
    const kept = await analyst.project([bucket('a')]);
    const deleted: string[] = [];
    // More than the page looks up.
    for (let made = 0; made < 11; made += 1) deleted.push(await analyst.project([bucket('b')]));
    await analyst.scan(kept);
    await analyst.scan(deleted);
    // One more than the list, so that projects outside it are not known to be deleted.
    for (let made = 0; made <= PROJECTS_LISTED; made += 1) await analyst.project();
    const remove = (name: string) => analyst.ask(204, `/projects/${name}`, { method: 'DELETE' });
    for (const name of deleted.slice(1)) await remove(name);
    const { page } = await site.open('/compliance', user);
    // One of its projects is present.
    await page.getByText('scan of 11 projects, profile full,').waitFor();
    await remove(deleted[0] ?? '');
    await page.reload();
    await page.getByText(`scan of ${kept}, profile full,`).waitFor();
    await remove(kept);
    await page.reload();
    // It cannot know whether any of the eleven projects is present.
    await page.getByText('scan of 11 projects, profile full,').waitFor();
  });

  it('the compliance page does not say that nothing was scanned while older scans may be of present projects', async () => {
    const user = await site.server.people.user();
    const analyst = new Analyst(site.server, user.key, user.tenant.id);
    const kept = await analyst.project([bucket('a')]);
    const deleted = await analyst.project([bucket('b')]);
    await analyst.scan(kept);
    // More than the page offers.
    const ids: string[] = [];
    for (let scans = 0; scans < 51; scans += 1) ids.push(await analyst.launch(deleted));
    for (const id of ids) await analyst.finished(id, 60_000);
    for (let made = 0; made < PROJECTS_LISTED; made += 1) await analyst.project();
    await analyst.ask(204, `/projects/${deleted}`, { method: 'DELETE' });
    const { page } = await site.open('/compliance', user);
    await page.getByRole('heading', { name: 'The newest scans are of deleted projects' }).waitFor();
    expect(await page.getByText('No project has been scanned yet').count()).toBe(0);
  });
});
