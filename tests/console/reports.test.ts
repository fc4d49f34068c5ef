import { readFile } from 'node:fs/promises';
import type { Page, Route } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { Analyst, type Scan } from '../kit/analyst.ts';
import { noBrowser } from '../kit/browser.ts';
import { consoleFixture } from '../kit/console-fixture.ts';
import type { TestUser } from '../kit/people.ts';

const SAMPLE = new URL('../../samples/shop-prod.ndjson', import.meta.url);

describe.skipIf(noBrowser !== null)('reports in the console', () => {
  const site = consoleFixture({ worker: true });
  let user: TestUser;
  let scan: Scan;

  beforeAll(async () => {
    user = await site.server.people.user();
    const analyst = new Analyst(site.server, user.key, user.tenant.id);
    await analyst.ask(201, '/projects', { method: 'POST', body: { name: 'shop-prod' } });
    await analyst.send('shop-prod', await readFile(SAMPLE));
    scan = await analyst.scan('shop-prod');
  });

  /** Chooses a report in the menu. @returns the name of the file and its content. */
  async function report(page: Page, framework: string, format: string) {
    await page.getByRole('button', { name: 'Report', exact: true }).click();
    const download = page.waitForEvent('download');
    await page
      .getByRole('group', { name: `Report for ${framework}` })
      .getByRole('menuitem', { name: format })
      .click();
    const file = await download;
    return { name: file.suggestedFilename(), content: await readFile(await file.path()) };
  }

  it('the page of a scan downloads a report for each framework in each format', async () => {
    const { page } = await site.open(`/scans/${scan.id}`, user);
    const html = await report(page, 'CIS GCP 5.0', 'HTML');
    expect(html.name).toBe(`report-cis-gcp-5.0-${scan.id}.html`);
    expect(html.content.toString()).toMatch(/^<!doctype html>[\s\S]*shop-prod[\s\S]*<\/html>\s*$/i);
    const pdf = await report(page, 'CIS GCP 4.0', 'PDF');
    expect(pdf.name).toBe(`report-cis-gcp-4.0-${scan.id}.pdf`);
    expect(pdf.content.subarray(0, 5).toString()).toBe('%PDF-');
    expect(pdf.content.toString('latin1').trimEnd()).toMatch(/%%EOF$/);
    const csv = await report(page, 'CIS GCP 2.0', 'CSV');
    const shown = await site.server.call(`/scans/${scan.id}/compliance?framework=cis-gcp-2.0`, {
      headers: user.key,
    });
    for (const { id } of shown.json.requirements) expect(csv.content.toString()).toContain(id);
  });

  it('the compliance page downloads a report for the framework that is shown', async () => {
    const visitor = await site.open('/compliance?framework=cis-gcp-4.0', user);
    const { page } = visitor;
    await page.getByRole('button', { name: 'Report', exact: true }).click();
    await expect.poll(() => page.getByRole('menu').getByRole('group').count()).toBe(1);
    expect(await visitor.accessibilityViolations()).toEqual([]);
    await visitor.screenshot('compliance-report-menu');
    await page.keyboard.press('Escape');
    const { name, content } = await report(page, 'CIS GCP 4.0', 'HTML');
    expect(name).toBe(`report-cis-gcp-4.0-${scan.id}.html`);
    expect(content.toString()).toContain('CIS');
  });

  it('the page of a scan says why a download failed, and downloads at the next try', async () => {
    const visitor = await site.open(`/scans/${scan.id}`, user);
    const { page, context } = visitor;
    await page.getByRole('table', { name: 'Verdicts by rule' }).waitFor();
    await context.setOffline(true);
    await page.getByRole('button', { name: 'Report', exact: true }).click();
    const menu = page.getByRole('group', { name: 'Report for CIS GCP 5.0' });
    await menu.getByRole('menuitem', { name: 'CSV' }).click();
    const failure = page.getByRole('alert').getByText('The server cannot be reached.');
    await failure.waitFor();
    expect(await visitor.accessibilityViolations()).toEqual([]);
    await visitor.screenshot('scan-report-failed');
    await context.setOffline(false);
    const { content } = await report(page, 'CIS GCP 5.0', 'CSV');
    expect(content.length).toBeGreaterThan(100);
    await failure.waitFor({ state: 'detached' });
  });

  it('the compliance page shows the failure of a report only beside the scan and the framework of the report', async () => {
    const analyst = new Analyst(site.server, user.key, user.tenant.id);
    const other = await analyst.scan('shop-prod');
    const visitor = await site.open(`/compliance?scan=${other.id}&framework=cis-gcp-4.0`, user);
    const { page } = visitor;
    const subtitle = (id: string, framework: string) =>
      page
        .locator('p')
        .filter({ hasText: framework, has: page.locator(`a[href$="/scans/${id}"]`) })
        .waitFor();
    const framework = (name: string) =>
      page.getByRole('navigation', { name: 'Frameworks' }).getByRole('link', { name });
    const menu = page.getByRole('button', { name: 'Report', exact: true });
    const failure = page
      .getByRole('alert')
      .getByText('This does not exist. It may have been deleted.');
    const fail = async () => {
      await menu.click();
      await page.getByRole('menuitem', { name: 'CSV' }).click();
    };
    const refuse = (route: Route) =>
      route.fulfill({
        status: 404,
        contentType: 'application/problem+json',
        body: JSON.stringify({ status: 404, code: 'NOT_FOUND', detail: '' }),
      });
    await menu.waitFor();
    await page.route('**/report?*', refuse);
    await fail();
    await failure.waitFor();
    await framework('CIS GCP 5.0').click();
    await subtitle(other.id, 'CIS GCP 5.0');
    await menu.waitFor();
    expect(await failure.count()).toBe(0);
    await fail();
    await failure.waitFor();
    await visitor.move(`/compliance?scan=${scan.id}&framework=cis-gcp-5.0`);
    await subtitle(scan.id, 'CIS GCP 5.0');
    await menu.waitFor();
    expect(await failure.count()).toBe(0);

    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.unroute('**/report?*');
    await page.route('**/report?*', async (route) => {
      await released;
      await refuse(route);
    });
    const asked = page.waitForRequest('**/report?*');
    await fail();
    await asked;
    await framework('CIS GCP 4.0').click();
    await subtitle(scan.id, 'CIS GCP 4.0');
    release();
    const toast = page.getByRole('region', { name: 'Notifications' });
    await toast.getByText('This does not exist. It may have been deleted.').waitFor();
    expect(
      await page
        .locator('#main')
        .getByText('This does not exist. It may have been deleted.')
        .count(),
    ).toBe(0);
  });

  it('reports are not offered to a person who may not read findings', async () => {
    const reader = await site.server.people.user({ tenant: user.tenant, role: ['scans.read'] });
    const { page } = await site.open(`/scans/${scan.id}`, reader);
    await page.getByRole('table', { name: 'Verdicts by rule' }).waitFor();
    await expect
      .poll(() => page.getByRole('button', { name: 'Report', exact: true }).count())
      .toBe(0);
  });
});
