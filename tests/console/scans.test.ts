import { readFile } from 'node:fs/promises';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildConsole } from '../../scripts/build-console.mjs';
import { startWorker } from '../../server/start/start-worker.ts';
import { Analyst } from '../kit/analyst.ts';
import { launchBrowser, noBrowser } from '../kit/browser.ts';
import { type ConsoleOptions, ConsoleVisitor } from '../kit/console-page.ts';
import { cluster } from '../kit/export-records.ts';
import type { TestUser } from '../kit/people.ts';
import { BUILT_CONSOLE, startTestServer, type TestServer } from '../kit/test-server.ts';
import { until } from '../kit/until.ts';

const SAMPLE = new URL('../../samples/shop-prod.ndjson', import.meta.url);

describe.skipIf(noBrowser !== null)('scans in the console', () => {
  let browser: Browser;
  let server: TestServer;
  let sample: Buffer;
  let user: TestUser;
  let analyst: Analyst;
  let visitor: ConsoleVisitor;

  beforeAll(async () => {
    await buildConsole();
    sample = await readFile(SAMPLE);
    // The worker starts in the tests that need one, so a scan can be seen while it waits.
    [browser, server] = await Promise.all([
      launchBrowser(),
      startTestServer({ consoleFolder: BUILT_CONSOLE }),
    ]);
  });

  afterAll(async () => {
    await Promise.all([browser?.close(), server?.close()]);
  });

  beforeEach(async () => {
    user = await server.people.user();
    analyst = new Analyst(server, user.key, user.tenant.id);
    await analyst.ask(201, '/projects', { method: 'POST', body: { name: 'shop-prod' } });
    await analyst.send('shop-prod', sample);
  });

  afterEach(() => visitor?.close());

  async function open(path: string, options: ConsoleOptions = {}) {
    visitor = await ConsoleVisitor.open(browser, server, options);
    await visitor.goto(path);
    await visitor.signIn(user.email, user.password);
  }

  function work() {
    const { database, services, clock } = server;
    return startWorker({ databaseUrl: database.workerUrl, log: services.log, clock });
  }

  it('Enter on Check and on Back moves the focus to the next step of the dialog that launches a scan', async () => {
    await open('/scans');
    const { page } = visitor;
    await page.getByRole('button', { name: 'Launch scan' }).click();
    const dialog = page.getByRole('dialog', { name: 'Launch a scan' });
    await dialog.getByRole('checkbox', { name: /shop-prod/ }).check();
    const isFocused = (name: string) =>
      dialog.getByRole('region', { name }).and(page.locator(':focus')).waitFor();
    await dialog.getByRole('button', { name: 'Check' }).focus();
    await page.keyboard.press('Enter');
    await isFocused('Result of the check');
    await dialog.getByText(/^Ready/).waitFor();
    expect(await visitor.accessibilityViolations()).toEqual([]);
    await dialog.getByRole('button', { name: 'Back' }).focus();
    await page.keyboard.press('Enter');
    await isFocused('What to scan');
    await dialog.getByRole('checkbox', { name: /shop-prod/ }).waitFor();
    expect(await visitor.accessibilityViolations()).toEqual([]);
  });

  it('the scans page shows the preflight result, launches a scan, and follows it to its end', async () => {
    await analyst.ask(201, '/projects', { method: 'POST', body: { name: 'empty' } });
    await open('/scans');
    const { page } = visitor;
    await page.getByText('Nothing has been scanned yet').waitFor();
    await page.getByRole('button', { name: 'Launch scan' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Check' }).click();
    await dialog.getByText('Choose at least one project.').waitFor();

    await dialog.getByRole('checkbox', { name: /empty/ }).check();
    await dialog.getByRole('button', { name: 'Check' }).click();
    await dialog.getByText('The scan cannot start').waitFor();
    expect(await visitor.accessibilityViolations()).toEqual([]);
    await visitor.screenshot('scans-preflight-blocked');
    await dialog.getByRole('button', { name: 'Back' }).click();
    await dialog.getByRole('checkbox', { name: /empty/ }).uncheck();
    await dialog.getByRole('checkbox', { name: /shop-prod/ }).check();
    await visitor.screenshot('scans-launch');
    await dialog.getByRole('button', { name: 'Check' }).click();
    await dialog.getByText(/^Ready/).waitFor();
    await dialog.getByRole('button', { name: 'Launch scan' }).click();

    await page.getByRole('heading', { name: 'Scan of shop-prod' }).waitFor();
    await page.getByRole('heading', { name: 'Waiting for a worker' }).waitFor();
    await visitor.screenshot('scan-queued');
    const worker = await work();
    try {
      await page.getByRole('table', { name: 'Verdicts by rule' }).waitFor();
      const [scan] = (await analyst.ask(200, '/scans')).items;
      expect(scan.status).toBe('completed');
      const link = page.getByRole('link', { name: /^Critical/ });
      await until('the critical findings are shown', async () =>
        (await link.innerText()).includes(String(scan.totals.bySeverity.critical)),
      );
      expect(visitor.takeRequests().filter((one) => one.endsWith('/events')).length).toBe(1);
      await page.getByRole('tab', { name: /^Passed/ }).click();
      await page.getByRole('main').getByRole('link', { name: 'Findings', exact: true }).click();
      await page.waitForURL(
        (url) => url.pathname.endsWith('/findings') && url.href.includes(scan.id),
      );
      await page.getByRole('heading', { name: 'Findings', exact: true, level: 1 }).waitFor();
      expect(visitor.complaints).toEqual([]);
    } finally {
      await worker.stop();
    }
  });

  it('the scans page cancels a scan after a confirmation', async () => {
    const id = await analyst.launch('shop-prod');
    await open(`/scans/${id}`);
    const { page } = visitor;
    await page.getByRole('button', { name: 'Cancel scan' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel scan' }).click();
    await page.getByText('Cancelled', { exact: true }).first().waitFor();
    expect((await analyst.seen(id)).status).toBe('cancelled');
    await expect.poll(() => page.getByRole('button', { name: 'Cancel scan' }).count()).toBe(0);
    expect(visitor.complaints).toEqual([]);
  });

  it('two tabs of the console follow a scan over one connection', async () => {
    const id = await analyst.launch('shop-prod');
    await open(`/scans/${id}`);
    const { page } = visitor;
    await page.getByRole('heading', { name: 'Waiting for a worker' }).waitFor();
    const second = await visitor.tab();
    await second.goto(`/scans/${id}`);
    await second.page.getByRole('heading', { name: 'Waiting for a worker' }).waitFor();
    await analyst.ask(202, `/scans/${id}/cancel`, { method: 'POST' });
    await second.page.getByText('Cancelled', { exact: true }).first().waitFor();
    await page.getByText('Cancelled', { exact: true }).first().waitFor();
    const requests = [...visitor.takeRequests(), ...second.takeRequests()];
    expect(requests.filter((one) => one.endsWith('/events'))).toHaveLength(1);
  });

  it('the page of a scan loads its progress again while its events are blocked, and not more often', async () => {
    const id = await analyst.launch('shop-prod');
    visitor = await ConsoleVisitor.open(browser, server);
    const { page } = visitor;
    await page.clock.install();
    await page.route('**/scans/*/events', (route) => route.abort('connectionreset'));
    await visitor.goto(`/scans/${id}`);
    await visitor.signIn(user.email, user.password);
    await page.getByRole('heading', { name: 'Waiting for a worker' }).waitFor();
    await page.getByText('Live progress is not available.').waitFor();
    await visitor.quiet();
    visitor.takeRequests();
    const now = () => page.evaluate(() => Date.now());
    const start = await now();
    for (let step = 0; step < 10; step += 1) {
      await page.clock.fastForward('00:03');
      await visitor.quiet();
    }
    // The clock of the page goes on between the steps, so that a slow machine leaves time for more requests.
    const most = Math.floor(((await now()) - start) / 10_000) + 1;
    const requests = visitor.takeRequests();
    const loads = requests.filter((one) => one === `GET /scans/${id}`).length;
    expect(loads).toBeGreaterThanOrEqual(2);
    expect(loads).toBeLessThanOrEqual(most);
    expect(requests.filter((one) => one.endsWith('/events'))).toEqual([]);
    await analyst.ask(202, `/scans/${id}/cancel`, { method: 'POST' });
    await page.clock.fastForward('00:11');
    await page.getByText('Cancelled', { exact: true }).first().waitFor();
    expect(await page.getByText('The server cannot be reached').count()).toBe(0);
  });

  it('the scans page keeps the filter by status in the URL', async () => {
    const id = await analyst.launch('shop-prod');
    await analyst.ask(202, `/scans/${id}/cancel`, { method: 'POST' });
    await open('/scans');
    const { page } = visitor;
    const filters = page.getByRole('navigation', { name: 'Filters' });
    await page.getByRole('row', { name: /shop-prod.*Cancelled/ }).waitFor();
    await filters.getByRole('link', { name: 'Failed' }).click();
    await page.getByText('No scan matches these filters').waitFor();
    await filters.getByRole('link', { name: 'Cancelled' }).click();
    await page.getByRole('row', { name: /shop-prod.*Cancelled/ }).waitFor();
    await page.waitForURL(/status=.*cancelled/);
    await page.goBack();
    await page.getByText('No scan matches these filters').waitFor();
    expect(visitor.complaints).toEqual([]);
  });

  it('the scans page hides launch and cancel from a viewer', async () => {
    const id = await analyst.launch('shop-prod');
    user = await server.people.user({ tenant: user.tenant, role: 'viewer' });
    await open(`/scans/${id}`);
    const { page } = visitor;
    await page.getByRole('heading', { name: 'Waiting for a worker' }).waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Cancel scan' }).count()).toBe(0);
    await page
      .getByRole('navigation', { name: 'Main' })
      .getByRole('link', { name: 'Scans' })
      .click();
    await page.getByRole('heading', { name: 'Scans', exact: true, level: 1 }).waitFor();
    await page.getByRole('row', { name: /shop-prod/ }).waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Launch scan' }).count()).toBe(0);
  });

  it('the page of a scan compares it with the previous one, by change and severity', async () => {
    const worker = await work();
    const bad = (name: string) => cluster(name, { legacyAbac: true });
    try {
      await analyst.upload('shop-prod', [bad('stays'), bad('goes')]);
      await analyst.scan('shop-prod', 'gke');
      await analyst.upload('shop-prod', [bad('stays'), bad('comes'), cluster('goes')]);
      const { id } = await analyst.scan('shop-prod', 'gke');
      await open(`/scans/${id}`);
      const { page } = visitor;
      await page.getByRole('button', { name: 'Compare' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('combobox', { name: 'Earlier scan' }).waitFor();
      expect(await visitor.accessibilityViolations()).toEqual([]);
      await visitor.screenshot('scans-compare-choose');
      visitor.takeRequests();
      await dialog.getByRole('button', { name: 'Compare' }).click();
      await page.waitForURL(/\/compare\?with=/);
      await page.getByRole('row', { name: /comes/ }).waitFor();
      await page.getByRole('tab', { name: 'Resolved 1' }).waitFor();
      expect(visitor.takeRequests().length).toBeLessThanOrEqual(3);
      for (const theme of ['light', 'dark']) {
        await page.emulateMedia({ colorScheme: theme as 'light' });
        expect(await visitor.accessibilityViolations()).toEqual([]);
        await visitor.screenshot(`scans-compare-${theme}`);
      }
      await page.getByRole('tab', { name: /^Resolved/ }).click();
      await page.getByRole('row', { name: /goes/ }).waitFor();
      await page.getByRole('button', { name: /^Low/ }).click();
      await page.getByText('No finding has these severities').waitFor();
      expect(await page.getByText(/The rule set changed/).count()).toBe(0);
      await page.getByRole('button', { name: /^High/ }).click();
      await page.getByRole('row', { name: /goes/ }).waitFor();
      await page.waitForURL(/change=resolved.*severity=high.*severity=low/);
      await page.reload();
      await page.getByRole('row', { name: /goes/ }).waitFor();
      await page.getByRole('tab', { name: /^Reopened/ }).click();
      await page.getByRole('tab', { name: /^Unchanged/ }).click();
      await page.getByRole('link', { name: 'Back to the scan' }).click();
      await page.getByRole('heading', { name: 'Scan of shop-prod' }).waitFor();
      const { id: full } = await analyst.scan('shop-prod', 'full');
      await visitor.goto(`/scans/${full}/compare?with=${id}`);
      await page.getByText(/The rule set changed/).waitFor();
      expect(visitor.complaints).toEqual([]);
    } finally {
      await worker.stop();
    }
  });

  it.each(['desktop', 'phone'] as const)(
    'the scans page has no accessibility violations on a %s in either theme',
    async (size) => {
      const id = await analyst.launch('shop-prod');
      const worker = await work();
      await analyst.finished(id);
      await worker.stop();
      for (const theme of ['light', 'dark'] as const) {
        await open('/scans', { size, theme });
        const { page } = visitor;
        await page.getByRole('link', { name: 'shop-prod' }).waitFor();
        visitor.takeRequests();
        expect(await visitor.accessibilityViolations()).toEqual([]);
        await visitor.screenshot(`scans-${size}-${theme}`);
        await page.getByRole('link', { name: 'shop-prod' }).click();
        await page.getByRole('table', { name: 'Verdicts by rule' }).waitFor();
        expect(visitor.takeRequests().length).toBeLessThanOrEqual(3);
        expect(await visitor.accessibilityViolations()).toEqual([]);
        await visitor.screenshot(`scan-${size}-${theme}`);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        expect(wide).toBeLessThanOrEqual(page.viewportSize()?.width ?? 0);
        expect(visitor.complaints).toEqual([]);
        await visitor.close();
      }
    },
  );
});
