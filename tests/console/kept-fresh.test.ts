import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { Analyst } from '../kit/analyst.ts';
import { noBrowser } from '../kit/browser.ts';
import { consoleFixture } from '../kit/console-fixture.ts';
import type { ConsoleVisitor } from '../kit/console-page.ts';
import { bucket } from '../kit/export-records.ts';
import { rowsOf } from '../kit/owner-queries.ts';
import type { TestUser } from '../kit/people.ts';
import { plantFindings } from '../kit/planted-findings.ts';

describe.skipIf(noBrowser !== null)('open screens of the console', () => {
  const site = consoleFixture();

  interface Tenant {
    readonly user: TestUser;
    /** Adds findings, the last of which is listed first. */
    readonly plant: (...titles: string[]) => Promise<string[]>;
    readonly resolve: (id: string | undefined) => Promise<unknown>;
  }

  async function tenant(): Promise<Tenant> {
    const user = await site.server.people.user();
    const { database } = site.server;
    const made = await site.server.call('/projects', {
      method: 'POST',
      headers: user.key,
      body: { name: 'shop-prod' },
    });
    return {
      user,
      plant: (...titles) =>
        plantFindings(
          database,
          user.tenant.id,
          made.json.id,
          titles.map((title) => ({ title })),
        ),
      resolve: (id) =>
        rowsOf(
          database,
          user.tenant.id,
          `UPDATE findings SET status = 'resolved', delta = 'resolved', resolved_at = now(),
             resolved_reason = 'fixed' WHERE id = $1`,
          [id],
        ),
    };
  }

  async function open(path: string, user: TestUser): Promise<ConsoleVisitor> {
    const visitor = await site.visit();
    await visitor.page.clock.install();
    await visitor.goto(path);
    await visitor.signIn(user.email, user.password);
    return visitor;
  }

  async function returnLater(visitor: ConsoleVisitor, later = '01:00'): Promise<void> {
    await visitor.page.clock.fastForward(later);
    await visitor.returnToTab();
  }

  const scroller = (page: Page) => page.getByRole('rowgroup', { name: 'Rows' });
  const row = (page: Page, name: string) =>
    page.getByRole('grid').getByRole('button', { name, exact: true });
  const cursorRow = (page: Page) => page.locator('[data-cursor]');
  const ofFindings = (visitor: ConsoleVisitor) =>
    visitor.takeRequests().filter((one) => one.startsWith('GET /findings'));
  const numbered = (size: number) => Array.from({ length: size }, (_, at) => `Finding ${at}.`);

  it('the list of findings keeps its rows, cursor, selection and place until new findings are asked for', async () => {
    const { user, plant } = await tenant();
    await plant(...numbered(40));
    const visitor = await open('/findings', user);
    const { page } = visitor;
    await page.getByText('40 of 40 loaded').waitFor();
    await page.getByRole('checkbox', { name: 'Select Finding 38., b', exact: true }).click();
    for (let moves = 0; moves < 20; moves += 1) await page.keyboard.press('j');
    const before = await cursorRow(page).innerText();
    const place = await scroller(page).evaluate(({ scrollTop }) => scrollTop);
    expect(place).toBeGreaterThan(0);
    await plant('New one.', 'New two.', 'New three.');
    await returnLater(visitor);
    await page.getByText('3 new results').waitFor();
    await page.getByText('40 of 43 loaded').waitFor();
    expect(await scroller(page).evaluate(({ scrollTop }) => scrollTop)).toBe(place);
    expect(await cursorRow(page).innerText()).toBe(before);
    expect(await visitor.accessibilityViolations()).toEqual([]);
    await visitor.screenshot('findings-new-results');
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await row(page, 'New three.').waitFor();
    await page.getByText('43 of 43 loaded').waitFor();
    expect(await page.getByText('3 new results').count()).toBe(0);
    await page.getByRole('toolbar').getByText('1 selected').waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('k');
    expect(await cursorRow(page).innerText()).toBe(before);
  });

  it('the panel of a finding shows that it was resolved, and its row stays', async () => {
    const { user, plant, resolve } = await tenant();
    const [first] = await plant('Finding A.', 'Finding B.');
    const visitor = await open('/findings', user);
    const { page } = visitor;
    await row(page, 'Finding A.').click();
    const panel = page.getByRole('complementary', { name: 'Finding: Finding A.' });
    await panel.getByText('Last seen').or(panel.getByText('First seen')).first().waitFor();
    await resolve(first);
    await returnLater(visitor);
    await panel.getByText('A scan found the asset as it should be.').waitFor();
    await page.getByText('The list has changed').waitFor();
    expect(await row(page, 'Finding A.').count()).toBe(1);
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await page.getByText('1 of 1 loaded').waitFor();
    await panel.getByText('A scan found the asset as it should be.').waitFor();
  });

  it('a hidden tab sends no requests, and a tab that was left for a moment sends none either', async () => {
    const { user, plant } = await tenant();
    await plant('Finding A.');
    const visitor = await open('/findings', user);
    const { page } = visitor;
    await page.getByText('1 of 1 loaded').waitFor();
    await visitor.quiet();
    ofFindings(visitor);
    await returnLater(visitor, '00:05');
    await visitor.quiet();
    expect(ofFindings(visitor)).toEqual([]);
    await page.evaluate(() => {
      Object.defineProperty(document, 'visibilityState', { configurable: true, value: 'hidden' });
      document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
    });
    await page.clock.fastForward('10:00');
    await visitor.quiet();
    expect(ofFindings(visitor)).toEqual([]);
    await plant('Finding B.');
    await visitor.returnToTab();
    await page.getByText('1 new result').waitFor();
    expect(ofFindings(visitor).length).toBe(2);
  });

  it('a visible tab looks for new data every few minutes', async () => {
    const { user, plant } = await tenant();
    await plant('Finding A.');
    const visitor = await open('/findings', user);
    const { page } = visitor;
    await page.getByText('1 of 1 loaded').waitFor();
    await visitor.quiet();
    await plant('Finding B.');
    await page.clock.fastForward('06:00');
    await page.getByText('1 new result').waitFor();
  });

  it('a form stays as it is while it is open', async () => {
    const { user, plant } = await tenant();
    await plant('Finding A.');
    const visitor = await open('/findings', user);
    const { page } = visitor;
    await row(page, 'Finding A.').click();
    await page.keyboard.press('m');
    const reason = page.getByRole('dialog').getByLabel('Reason');
    await reason.fill('A static site');
    await visitor.quiet();
    ofFindings(visitor);
    await plant('Finding B.');
    await returnLater(visitor);
    await visitor.quiet();
    expect(ofFindings(visitor)).toEqual([]);
    expect(await reason.inputValue()).toBe('A static site');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await visitor.returnToTab();
    await page.getByText('1 new result').waitFor();
  });

  it('a return to the tab while a menu is open loads new data once it is closed', async () => {
    const { user, plant } = await tenant();
    await plant('Finding A.');
    const visitor = await open('/findings', user);
    const { page } = visitor;
    await page.getByText('1 of 1 loaded').waitFor();
    await visitor.quiet();
    await page.getByRole('button', { name: /^Account/ }).click();
    await page.getByRole('menu').waitFor();
    ofFindings(visitor);
    await plant('Finding B.');
    await returnLater(visitor);
    await visitor.quiet();
    expect(ofFindings(visitor)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
    await page.clock.fastForward('01:00');
    await page.getByText('1 new result').waitFor();
  });

  it('a page that could not load the code of reloads loads it at the next return', async () => {
    const { user, plant } = await tenant();
    await plant('Finding A.');
    const visitor = await site.visit();
    const { page } = visitor;
    let failures = 0;
    await page.route('**/reloads-*.js', (route) => {
      failures += 1;
      return failures === 1 ? route.abort() : route.continue();
    });
    await page.clock.install();
    await visitor.goto('/findings');
    await visitor.signIn(user.email, user.password);
    await page.getByText('1 of 1 loaded').waitFor();
    await expect.poll(() => failures).toBe(1);
    await plant('Finding B.');
    await returnLater(visitor);
    await expect.poll(() => failures).toBe(2);
    await returnLater(visitor);
    await page.getByText('1 new result').waitFor();
  });

  it('a refused reload is not repeated before the time that the server names', async () => {
    const { user, plant } = await tenant();
    await plant('Finding A.');
    const visitor = await open('/findings', user);
    const { page } = visitor;
    await page.getByText('1 of 1 loaded').waitFor();
    await visitor.quiet();
    await plant('Finding B.');
    let isLimited = true;
    await page.route('**/findings*', (route) =>
      isLimited
        ? route.fulfill({ status: 429, headers: { 'retry-after': '120' } })
        : route.continue(),
    );
    ofFindings(visitor);
    const refused: string[] = [];
    await returnLater(visitor);
    await expect.poll(() => refused.push(...ofFindings(visitor))).toBe(2);
    await visitor.quiet();
    expect(ofFindings(visitor)).toEqual([]);
    await returnLater(visitor, '01:00');
    await visitor.quiet();
    expect(ofFindings(visitor)).toEqual([]);
    await row(page, 'Finding A.').waitFor();
    isLimited = false;
    await returnLater(visitor, '01:05');
    await page.getByText('1 new result').waitFor();
  });

  it('the end of a scan that one tab sees loads the data of the other tabs', async () => {
    const { user, plant } = await tenant();
    const analyst = new Analyst(site.server, user.key, user.tenant.id);
    await analyst.upload('shop-prod', [bucket('b')]);
    // No worker runs it.
    const scan = await analyst.launch('shop-prod');
    await plant('Finding A.');
    const visitor = await open('/projects/shop-prod', user);
    await visitor.page.getByText('Queued').waitFor();
    const other = await visitor.tab();
    await other.goto('/findings');
    await other.page.getByText('1 of 1 loaded').waitFor();
    await plant('Finding B.');
    await analyst.call(`/scans/${scan}/cancel`, { method: 'POST' });
    await visitor.page.clock.fastForward('00:11');
    await visitor.page.getByText('Cancelled').waitFor();
    await other.page.getByText('1 new result').waitFor();
  });

  it('a list without findings shows new ones at once', async () => {
    const { user, plant } = await tenant();
    const visitor = await open('/findings', user);
    const { page } = visitor;
    await page.getByRole('heading', { name: 'No open findings' }).waitFor();
    await plant('Finding A.');
    await returnLater(visitor);
    await row(page, 'Finding A.').waitFor();
  });

  it.each([
    ['/projects/shop-prod', 'Latest scan', 'Queued'],
    ['/scans', 'Nothing has been scanned yet', 'shop-prod'],
    ['/projects', 'Projects', 'shop-dev'],
  ])('the page %s shows what has changed when a person returns to it', async (path, old, now) => {
    const { user } = await tenant();
    const visitor = await open(path, user);
    const { page } = visitor;
    await page.getByRole('heading', { name: old }).waitFor();
    await visitor.quiet();
    const analyst = new Analyst(site.server, user.key, user.tenant.id);
    await analyst.ask(201, '/projects', { method: 'POST', body: { name: 'shop-dev' } });
    await analyst.upload('shop-prod', [bucket('b')]);
    await analyst.launch('shop-prod');
    expect(await page.getByRole('main').getByText(now).count()).toBe(0);
    await returnLater(visitor);
    await page.getByRole('main').getByText(now, { exact: true }).first().waitFor();
  });
});
