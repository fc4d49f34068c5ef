import { readFile } from 'node:fs/promises';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { buildConsole } from '../../scripts/build-console.mjs';
import { Analyst } from '../kit/analyst.ts';
import { launchBrowser, noBrowser } from '../kit/browser.ts';
import { type ConsoleOptions, ConsoleVisitor } from '../kit/console-page.ts';
import { bucket, ndjson } from '../kit/export-records.ts';
import type { TestUser, UserOptions } from '../kit/people.ts';
import { BUILT_CONSOLE, startTestServer, type TestServer } from '../kit/test-server.ts';
import { until } from '../kit/until.ts';

const SAMPLE = new URL('../../samples/shop-prod.ndjson', import.meta.url);

describe.skipIf(noBrowser !== null)('dashboard and compliance in the console', () => {
  let browser: Browser;
  let server: TestServer;
  let sample: Buffer;
  let user: TestUser;
  let visitor: ConsoleVisitor;
  /** Has a project with two scans. */
  let scanned: TestUser;

  beforeAll(async () => {
    await buildConsole();
    sample = await readFile(SAMPLE);
    [browser, server] = await Promise.all([
      launchBrowser(),
      startTestServer({ consoleFolder: BUILT_CONSOLE, worker: true }),
    ]);
    scanned = await server.people.user();
    const analyst = new Analyst(server, scanned.key, scanned.tenant.id);
    await analyst.ask(201, '/projects', { method: 'POST', body: { name: 'shop-prod' } });
    await analyst.send('shop-prod', sample);
    await analyst.scan('shop-prod');
    await analyst.scan('shop-prod');
  });

  afterAll(async () => {
    await Promise.all([browser?.close(), server?.close()]);
  });

  afterEach(() => visitor?.close());

  async function open(path: string, options: ConsoleOptions = {}) {
    visitor = await ConsoleVisitor.open(browser, server, options);
    await visitor.goto(path);
    await visitor.signIn(user.email, user.password);
  }

  const findingsHeading = () =>
    visitor.page.getByRole('heading', { name: 'Findings', exact: true, level: 1 });

  async function openAsNew(who: UserOptions = {}) {
    user = await server.people.user(who);
    await open('/');
  }

  it('the dashboard leads a new tenant from the first project to its findings', async () => {
    await openAsNew();
    const { page } = visitor;
    await page.getByRole('heading', { name: 'Welcome' }).waitFor();
    await page.getByLabel('Name').waitFor();
    expect(visitor.takeRequests().filter((one) => !/\/auth\//.test(one)).length).toBe(2);
    expect(await visitor.accessibilityViolations()).toEqual([]);
    await visitor.screenshot('first-run-project');
    await page.getByLabel('Name').fill('shop-prod');
    await page.getByRole('button', { name: 'Create project' }).click();
    await page.getByTestId('drop-zone').waitFor();
    expect(await visitor.accessibilityViolations()).toEqual([]);
    await visitor.screenshot('first-run-upload');
    await page
      .getByLabel('Inventory file')
      .setInputFiles({ name: 'shop-prod.ndjson', mimeType: '', buffer: sample });
    await page.getByRole('checkbox', { name: /shop-prod/ }).waitFor();
    await page.getByRole('button', { name: 'Check' }).click();
    await page.getByRole('button', { name: 'Launch scan' }).waitFor();
    expect(await visitor.accessibilityViolations()).toEqual([]);
    await visitor.screenshot('first-run-launch');
    await page.getByRole('button', { name: 'Launch scan' }).click();
    await page.getByText(/The scan of \d+ assets ended with/).waitFor();
    const { json } = await server.call('/findings/summary', { headers: user.key });
    await page.getByText(`ended with ${json.total.open} findings`).waitFor();
    await visitor.screenshot('first-run-done');
    await page.getByRole('button', { name: 'Open the dashboard' }).click();
    await page.getByRole('heading', { name: 'Worst projects' }).waitFor();
    expect(visitor.complaints).toEqual([]);
  });

  it('the first steps show the warnings of the upload after it', async () => {
    await openAsNew();
    const { page } = visitor;
    await page.getByLabel('Name').fill('shop-prod');
    await page.getByRole('button', { name: 'Create project' }).click();
    await page.getByLabel('Inventory file').setInputFiles({
      name: 'twice.ndjson',
      mimeType: '',
      buffer: Buffer.from(ndjson([bucket('one'), bucket('one')])),
    });
    await page.getByRole('checkbox', { name: /shop-prod/ }).waitFor();
    await page
      .getByRole('list', { name: 'Warnings of the upload' })
      .getByText(/describes the same asset/)
      .waitFor();
    expect(await visitor.accessibilityViolations()).toEqual([]);
  });

  it('the first steps do not report the failure of a scan whose project was deleted', async () => {
    user = await server.people.user();
    const analyst = new Analyst(server, user.key, user.tenant.id);
    await analyst.ask(201, '/projects', { method: 'POST', body: { name: 'shop-old' } });
    await analyst.send('shop-old', sample);
    await analyst.scan('shop-old');
    await server.call('/projects/shop-old', { method: 'DELETE', headers: user.key });
    const scannedProjects = async () => (await analyst.ask(200, '/posture/summary')).projectCount;
    await until('the project to be deleted', async () => (await scannedProjects()) === 0);
    await analyst.ask(201, '/projects', { method: 'POST', body: { name: 'shop-prod' } });
    await analyst.send('shop-prod', sample);
    await open('/');
    await visitor.page.getByRole('heading', { name: 'Launch a scan' }).waitFor();
    await visitor.page.getByRole('button', { name: 'Check' }).waitFor();
    expect(await visitor.page.getByText('did not complete').count()).toBe(0);
  });

  it('the dashboard tells a viewer of a new tenant whom to ask', async () => {
    await openAsNew({ role: 'viewer' });
    await visitor.page.getByText('Nothing has been scanned yet').waitFor();
    await expect.poll(() => visitor.page.getByLabel('Name').count()).toBe(0);
  });

  it('the dashboard leads from a severity and a rule of the dashboard to the findings', async () => {
    user = scanned;
    await open('/');
    const { page } = visitor;
    await page
      .getByRole('main')
      .getByRole('link', { name: /^Critical/ })
      .waitFor();
    await page.getByRole('img', { name: /Open findings from/ }).waitFor();
    const requests = visitor.takeRequests().filter((one) => !/\/auth\//.test(one));
    expect(requests).toEqual(['GET /posture/summary?limit=6', 'GET /posture/trend']);
    await page
      .getByRole('main')
      .getByRole('link', { name: /^Critical/ })
      .click();
    await page.waitForURL(/\/findings\?.*severity=.*critical/);
    await findingsHeading().waitFor();
    await page.goBack();
    await page.getByRole('tab', { name: 'Score' }).click();
    await page.getByRole('img', { name: /Score from/ }).waitFor();
    await page.getByText('Show as a table').click();
    await page.getByRole('columnheader', { name: 'Resolved' }).waitFor();
    // The days of the API are no days of the reader.
    await page.getByRole('columnheader', { name: 'Day (UTC)' }).waitFor();
    // Without its name, screen readers would read a number alone.
    await page
      .getByText(/^Score (\d|–)/)
      .first()
      .waitFor();
    expect(visitor.complaints).toEqual([]);
  });

  it('a severity of the dashboard leads to as many findings as it says, the muted ones among them', async () => {
    user = scanned;
    const { items } = (
      await server.call('/findings?severity=critical&status=open', { headers: user.key })
    ).json;
    const muted = await server.call('/mutes', {
      method: 'POST',
      headers: user.key,
      body: { fingerprint: items[0].fingerprint, reason: 'A static site, public on purpose' },
    });
    await open('/');
    const { page } = visitor;
    const main = page.getByRole('main');
    await main.getByRole('link', { name: `Critical ${items.length}` }).click();
    await page.getByRole('tab', { name: 'All open', selected: true }).waitFor();
    await page.getByText(`${items.length} of ${items.length} loaded`).waitFor();
    await page.goBack();
    await main
      .getByRole('link', { name: `${items.length} Critical`, exact: true })
      .first()
      .click();
    await page.getByText(`${items.length} of ${items.length} loaded`).waitFor();
    await server.call(`/mutes/${muted.json.id}`, { method: 'DELETE', headers: user.key });
  });

  it('the page of a scan leads to as many findings as it says, the muted ones among them', async () => {
    user = scanned;
    const analyst = new Analyst(server, user.key, user.tenant.id);
    const [scan] = (await analyst.ask(200, '/scans')).items;
    const { items } = await analyst.ask(200, `/findings?scan=${scan.id}&status=open`);
    const [{ fingerprint, ruleId }] = items;
    const body = { fingerprint, reason: 'A static site, public on purpose' };
    const mute = await analyst.ask(201, '/mutes', { method: 'POST', body });
    await open(`/scans/${scan.id}`);
    const main = visitor.page.getByRole('main');
    const count: number = scan.projects[0].findings;
    await main.getByRole('link', { name: `${count} findings in shop-prod` }).click();
    await visitor.page.getByText(`${count} of ${count} loaded`).waitFor();
    await visitor.page.goBack();
    await main.getByRole('link', { name: 'Findings', exact: true }).click();
    await visitor.page.getByText(`${count} of ${count} loaded`).waitFor();
    await visitor.page.goBack();
    const rule = main.getByRole('row').filter({ hasText: ruleId }).getByRole('link').first();
    await rule.click();
    await visitor.page.getByRole('tab', { name: 'Any status', selected: true }).waitFor();
    await server.call(`/mutes/${mute.id}`, { method: 'DELETE', headers: user.key });
  });

  it('the trend names the days of the API in a time zone west of UTC, and scores with one decimal', async () => {
    user = scanned;
    await open('/', { timeZone: 'Etc/GMT+12' });
    await visitor.page.getByText('Show as a table').click();
    const { points } = (await server.call('/posture/trend', { headers: user.key })).json;
    const today = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' });
    const row = visitor.page
      .getByRole('region', { name: 'Trend as a table' })
      .getByRole('row', { name: today.format(new Date(points.at(-1).date)) });
    expect(await row.getByRole('cell').last().innerText()).toMatch(/^\d+\.\d$/);
  });

  it('the compliance page has the figures of the dashboard, and shows the scan that a person chooses', async () => {
    user = await server.people.user();
    const analyst = new Analyst(server, user.key, user.tenant.id);
    const tiny = await analyst.project([bucket('one')]);
    await analyst.ask(201, '/projects', { method: 'POST', body: { name: 'shop-prod' } });
    await analyst.send('shop-prod', sample);
    await analyst.scan('shop-prod');
    await analyst.scan(tiny);
    const { compliance } = await analyst.ask(200, '/posture/summary');
    const { pass, fail } = compliance.at(-1);
    await open('/');
    const { page } = visitor;
    const main = page.getByRole('main');
    await main.getByText(`${pass} of ${pass + fail}`, { exact: true }).waitFor();
    await main.getByRole('link', { name: 'CIS GCP 5.0' }).click();
    await page.getByText('over the last completed scans of 2 projects').waitFor();
    const figures = main.getByRole('region', { name: 'Status' });
    await figures.getByText(`${pass}Pass`).waitFor();
    await figures.getByText(`${fail}Fail`).waitFor();
    expect(await visitor.accessibilityViolations()).toEqual([]);
    await visitor.screenshot('compliance-all-projects');
    await main.getByRole('link', { name: 'shop-prod' }).click();
    await page.getByText(/scan of shop-prod, profile full,/).waitFor();
    await main.getByRole('combobox', { name: 'Scan' }).click();
    await page.getByRole('option', { name: new RegExp(`^${tiny}, profile full`) }).click();
    await page.getByText(new RegExp(`scan of ${tiny}, profile full`)).waitFor();
    expect(await visitor.accessibilityViolations()).toEqual([]);
    expect(visitor.complaints).toEqual([]);
  });

  it('the compliance page opens the newest scan of a project that still exists', async () => {
    user = await server.people.user();
    const analyst = new Analyst(server, user.key, user.tenant.id);
    const [kept, deleted] = [
      await analyst.project([bucket('a')]),
      await analyst.project([bucket('b')]),
    ];
    await analyst.scan(kept);
    await analyst.scan(deleted);
    await analyst.ask(204, `/projects/${deleted}`, { method: 'DELETE' });
    await open('/compliance');
    await visitor.page.getByText(`scan of ${kept}, profile full,`).waitFor();
    await analyst.ask(204, `/projects/${kept}`, { method: 'DELETE' });
    await visitor.page.reload();
    await visitor.page.getByRole('heading', { name: 'No project has been scanned yet' }).waitFor();
    expect(visitor.complaints).toEqual([]);
  });

  it('the compliance page finds the scan of a project that still exists behind a page of scans of deleted ones', async () => {
    user = await server.people.user();
    const analyst = new Analyst(server, user.key, user.tenant.id);
    const [kept, deleted] = [
      await analyst.project([bucket('a')]),
      await analyst.project([bucket('b')]),
    ];
    await analyst.scan(kept);
    // More than the page offers.
    const ids: string[] = [];
    for (let scans = 0; scans < 51; scans += 1) ids.push(await analyst.launch(deleted));
    for (const id of ids) await analyst.finished(id, 60_000);
    await analyst.ask(204, `/projects/${deleted}`, { method: 'DELETE' });
    await open('/compliance');
    await visitor.page.getByText(`scan of ${kept}, profile full,`).waitFor();
    await visitor.page
      .getByRole('combobox', { name: 'Scan' })
      .getByText(`${kept}, profile full`)
      .waitFor();
    await analyst.ask(204, `/projects/${kept}`, { method: 'DELETE' });
    await visitor.page.reload();
    await visitor.page.getByText('No scan of a present project').waitFor();
    expect(visitor.complaints).toEqual([]);
  });

  it('the compliance page leads from a framework to a requirement, its rule, and the findings', async () => {
    user = scanned;
    await open('/compliance');
    const { page } = visitor;
    const statuses = page.getByRole('navigation', { name: 'Status' });
    await statuses.waitFor();
    await page.getByRole('link', { name: 'CIS GCP 4.0' }).click();
    await page.getByText('CIS GCP 4.0, from the').waitFor();
    await statuses.getByRole('link', { name: /Fail/ }).click();
    await page.waitForURL(/status=.*fail/);
    const finding = page.getByRole('link', { name: /^\d+ assets? fails?:/ }).first();
    await finding.waitFor();
    const requests = visitor.takeRequests().filter((one) => !/\/auth\//.test(one));
    // The latest scans, the projects, the rules, and the report of each of the two frameworks that were shown.
    expect(requests.length).toBe(5);
    await finding.click();
    await page.waitForURL(/\/findings\?.*rule=/);
    await findingsHeading().waitFor();
    expect(visitor.complaints).toEqual([]);
  });

  it('the compliance page prints every requirement without the navigation', async () => {
    user = scanned;
    await open('/compliance', { theme: 'dark' });
    const { page } = visitor;
    await page.getByRole('button', { name: 'Print' }).waitFor();
    await page.emulateMedia({ media: 'print' });
    await expect.poll(() => page.getByRole('navigation', { name: 'Main' }).isVisible()).toBe(false);
    const heights = await page.evaluate(() => ({
      page: document.documentElement.scrollHeight,
      window: innerHeight,
      background: getComputedStyle(document.body).backgroundColor,
    }));
    expect(heights.page).toBeGreaterThan(heights.window);
    expect(heights.background).toBe('rgb(246, 247, 249)');
    await visitor.screenshot('compliance-print');
  });

  it.each(['desktop', 'phone'] as const)(
    'the dashboard and the compliance page have no accessibility violations on a %s in either theme',
    async (size) => {
      user = scanned;
      for (const theme of ['light', 'dark'] as const) {
        await open('/', { size, theme });
        const { page } = visitor;
        await page.getByRole('img', { name: /Open findings from/ }).waitFor();
        await visitor.screenshot(`dashboard-${size}-${theme}`);
        expect(await visitor.accessibilityViolations()).toEqual([]);
        await page.getByRole('main').getByRole('link', { name: 'CIS GCP 5.0' }).click();
        await page.getByRole('button', { name: 'Print' }).waitFor();
        await visitor.screenshot(`compliance-${size}-${theme}`);
        expect(await visitor.accessibilityViolations()).toEqual([]);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        expect(wide).toBeLessThanOrEqual(page.viewportSize()?.width ?? 0);
        expect(visitor.complaints).toEqual([]);
        await visitor.close();
      }
    },
  );
});
