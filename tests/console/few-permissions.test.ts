import { describe, expect, it } from 'vitest';
import { Analyst } from '../kit/analyst.ts';
import { noBrowser } from '../kit/browser.ts';
import { consoleFixture } from '../kit/console-fixture.ts';
import type { ConsoleVisitor } from '../kit/console-page.ts';
import { bucket } from '../kit/export-records.ts';

describe.skipIf(noBrowser !== null)('the console for people with few permissions', () => {
  const site = consoleFixture({ worker: true });

  /** A tenant with a scan, and a person who has only these permissions there. */
  async function prepare(permissions: readonly ('findings.read' | 'scans.read')[]) {
    const admin = await site.server.people.user();
    const { tenant } = admin;
    const person = new Analyst(site.server, admin.session, tenant.id);
    const project = await person.project([bucket('open', { uniform: false, logged: false })]);
    const earlier = await person.scan(project);
    const scan = await person.scan(project);
    await person.ask(201, '/mutes', {
      method: 'POST',
      body: { selector: { ruleId: 'bucket-public', project }, reason: 'A static site' },
    });
    const user = await site.server.people.user({ tenant, role: permissions });
    return { user, project, earlier, scan };
  }

  /** Opens a path and waits for a text of its page. @returns the screens that links of the page lead to. */
  async function linksOf(visitor: ConsoleVisitor, path: string, shown: string): Promise<string[]> {
    await visitor.move(path);
    const main = visitor.page.locator('#main');
    await main.getByText(shown).first().waitFor();
    await visitor.quiet();
    const screens = await main
      .getByRole('link')
      .evaluateAll((links) =>
        links.map((one) => new URL((one as HTMLAnchorElement).href).pathname.split('/')[2] ?? ''),
      );
    return [...new Set(screens)].sort();
  }

  it('a person who may only read findings is not offered links to projects, scans, compliance or rules', async () => {
    const { user, project, earlier, scan } = await prepare(['findings.read']);
    const visitor = await site.open('/', user);
    await visitor.page.getByRole('heading', { name: 'Newest scans' }).waitFor();
    expect(await linksOf(visitor, '/', 'Newest scans')).toEqual(['findings']);
    expect(await linksOf(visitor, '/mutes', 'bucket-public')).toEqual(['findings']);
    expect(await linksOf(visitor, `/projects/${project}/assets`, 'open')).toEqual(['projects']);
    const asset = encodeURIComponent('//storage.googleapis.com/open');
    const lookup = `/projects/${project}/assets/lookup?asset=${asset}`;
    expect(await linksOf(visitor, lookup, 'From the scan')).toEqual(['findings', 'projects']);
    const compare = `/scans/${scan.id}/compare?with=${earlier.id}&change=unchanged`;
    expect(await linksOf(visitor, compare, 'Bucket uses ACLs')).toEqual(['findings']);
  });

  it('a person who may only read scans is not offered links to findings or projects', async () => {
    const { user, project, scan } = await prepare(['scans.read']);
    const visitor = await site.open('/', user);
    await visitor.page.getByRole('heading', { name: 'Compliance', level: 1 }).waitFor();
    const shown = 'Identity and access';
    expect(await linksOf(visitor, '/compliance', shown)).toEqual(['compliance', 'scans']);
    expect(await linksOf(visitor, '/scans', project)).toEqual(['scans']);
    expect(await linksOf(visitor, `/scans/${scan.id}`, 'Verdicts of each rule')).toEqual([]);
  });
});
