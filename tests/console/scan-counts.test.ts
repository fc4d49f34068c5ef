import { describe, expect, it } from 'vitest';
import { Analyst } from '../kit/analyst.ts';
import { noBrowser } from '../kit/browser.ts';
import { consoleFixture } from '../kit/console-fixture.ts';
import type { ConsoleVisitor } from '../kit/console-page.ts';
import { bucket, cluster } from '../kit/export-records.ts';

describe.skipIf(noBrowser !== null)('the numbers of a scan in the console', () => {
  const site = consoleFixture({ worker: true });

  const bad = (name: string) => cluster(name, { legacyAbac: true });

  async function person() {
    const user = await site.server.people.user();
    return { user, analyst: new Analyst(site.server, user.key, user.tenant.id) };
  }

  /** Clicks a number and expects as many findings. */
  async function follow({ page }: ConsoleVisitor, level: string): Promise<void> {
    const link = page
      .getByRole('main')
      .getByRole('link', { name: new RegExp(level) })
      .first();
    const size = /\d+/.exec(await link.innerText())?.[0];
    expect(size).toMatch(/^[1-9]/);
    await link.click();
    await page.getByText(`${size} of ${size} loaded`).waitFor();
    await page.getByRole('tab', { name: 'Any status', selected: true }).waitFor();
  }

  it('a number on the page of an older scan leads to as many findings, also to those that were resolved since', async () => {
    const { user, analyst } = await person();
    const project = await analyst.project([bad('stays'), bad('goes')]);
    const { id, totals } = await analyst.scan(project, 'gke');
    await analyst.upload(project, [bad('stays'), cluster('goes')]);
    const { delta } = await analyst.scan(project, 'gke');
    expect(delta.resolved).toBeGreaterThan(0);
    const level = totals.bySeverity.high > 0 ? 'High' : 'Medium';
    const visitor = await site.open(`/scans/${id}`, user);
    await visitor.page.getByRole('table', { name: 'Verdicts by rule' }).waitFor();
    await follow(visitor, level);
    await visitor.page.getByRole('row').getByText('Resolved', { exact: true }).first().waitFor();
    expect(await visitor.accessibilityViolations()).toEqual([]);
  });

  it('a count of the latest scan of a project links to the findings of that scan only', async () => {
    const { user, analyst } = await person();
    const project = await analyst.project([bad('cluster'), bucket('open', { uniform: false })]);
    await analyst.scan(project, 'full');
    const { totals } = await analyst.scan(project, 'gke');
    const all = (await analyst.findings()).length;
    const ofScan = Object.values(totals.bySeverity).reduce((sum, size) => sum + size, 0);
    expect(ofScan).toBeLessThan(all);
    const visitor = await site.open(`/projects/${project}`, user);
    await visitor.page.getByText('profile gke').waitFor();
    await follow(visitor, 'Critical|High|Medium|Low');
  });
});
