import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildConsole } from '../../scripts/build-console.mjs';
import { Analyst } from '../kit/analyst.ts';
import { launchBrowser, noBrowser } from '../kit/browser.ts';
import { choose } from '../kit/console-journeys.ts';
import { ConsoleVisitor } from '../kit/console-page.ts';
import { CUSTOM_RULE, RuleEditor } from '../kit/console-rule-editor.ts';
import { cloneDatabase, type TestDatabase } from '../kit/database.ts';
import { bucket } from '../kit/export-records.ts';
import type { TestUser } from '../kit/people.ts';
import { plantFindings } from '../kit/planted-findings.ts';
import { BUILT_CONSOLE, startTestServer, type TestServer } from '../kit/test-server.ts';

describe.skipIf(noBrowser !== null)('a page of the console while its server restarts', () => {
  let browser: Browser;
  let database: TestDatabase;
  let server: TestServer;
  let user: TestUser;
  let analyst: Analyst;
  let visitor: ConsoleVisitor;

  beforeAll(async () => {
    await buildConsole();
    browser = await launchBrowser();
  });

  afterAll(() => browser?.close());

  beforeEach(async () => {
    database = await cloneDatabase();
    server = await start();
    const tenant = await server.people.tenant(['custom_rules']);
    user = await server.people.user({ tenant });
    analyst = new Analyst({ call: (path, call) => server.call(path, call) }, user.key, tenant.id);
    visitor = await ConsoleVisitor.open(browser, server);
  });

  afterEach(async () => {
    expect(visitor.complaints).toEqual([]);
    await visitor.close();
    await server.close();
    await database.drop();
  });

  const start = (more: { port?: number; worker?: boolean } = {}) =>
    startTestServer({ consoleFolder: BUILT_CONSOLE, database, ...more });

  /** Stops the server, with all its connections, until it is started again at the same address. */
  async function stop() {
    const port = Number(new URL(server.url).port);
    await server.close();
    return async (worker = false) => {
      server = await start({ port, worker });
    };
  }

  async function open(path: string): Promise<void> {
    await visitor.goto(path);
    await visitor.signIn(user.email, user.password);
  }

  const unreachable = () => visitor.page.getByText(/^The server cannot be reached/).first();

  it('the console keeps what it shows while its server restarts, says so, and continues by itself', async () => {
    const { page } = visitor;
    const project = await analyst.project();
    await open('/projects');
    await page.getByRole('link', { name: project }).waitFor();
    // Not after the restart: the page loads the list once, as soon as the server answers.
    const later = await analyst.project();
    const restart = await stop();
    await visitor.returnToTab();
    await unreachable().waitFor();
    await page.getByRole('link', { name: project }).waitFor();
    expect(await page.getByRole('link', { name: later }).count()).toBe(0);
    expect(await visitor.accessibilityViolations()).toEqual([]);
    await visitor.screenshot('state-server-away');
    await restart();
    await page.getByRole('link', { name: later }).waitFor();
    await unreachable().waitFor({ state: 'detached' });
    await choose(visitor, 'Rules');
    expect(visitor.takeRequests().filter((one) => one.includes('/auth/login'))).toHaveLength(1);
  });

  it('the list of findings keeps its rows, place, focus and selection over a server restart', async () => {
    const { page } = visitor;
    const { id } = await analyst.ask(201, '/projects', {
      method: 'POST',
      body: { name: 'shop-prod' },
    });
    const plant = (titles: readonly string[]) =>
      plantFindings(
        database,
        user.tenant.id,
        id,
        titles.map((title) => ({ title })),
      );
    await plant(Array.from({ length: 250 }, (_, index) => `Finding ${index}.`));
    await open('/findings');
    await page.getByText('200 of 250 loaded').waitFor();
    const rows = page.getByRole('rowgroup', { name: 'Rows' });
    const toEnd = () =>
      rows.evaluate((one) => {
        one.scrollTop = one.scrollHeight;
      });
    await toEnd();
    await page.getByText('250 of 250 loaded').waitFor();
    await toEnd();
    const box = page.getByRole('checkbox', { name: /^Select Finding 1\., / });
    await box.focus();
    await page.keyboard.press('x');
    await page.getByRole('toolbar').getByText('1 selected').waitFor();
    const place = await rows.evaluate(({ scrollTop }) => scrollTop);
    const restart = await stop();
    await visitor.returnToTab();
    await unreachable().waitFor();
    await plant(['New one.']);
    await restart();
    await page.getByText('1 new result').waitFor();
    await page.getByText('250 of 251 loaded').waitFor();
    await page.getByRole('toolbar').getByText('1 selected').waitFor();
    expect(await rows.evaluate(({ scrollTop }) => scrollTop)).toBe(place);
    expect(await box.evaluate((one) => one === document.activeElement)).toBe(true);
  });

  it('the console loads what it shows again when any of its calls reaches the restarted server', async () => {
    const { page } = visitor;
    await page.route('/', (route) =>
      route.request().method() === 'HEAD' ? route.abort() : route.fallback(),
    );
    const project = await analyst.project();
    await open('/projects');
    await page.getByRole('link', { name: project }).waitFor();
    const later = await analyst.project();
    const restart = await stop();
    await visitor.returnToTab();
    await unreachable().waitFor();
    await restart();
    await visitor.returnToTab();
    await page.getByRole('link', { name: later }).waitFor();
    await unreachable().waitFor({ state: 'detached' });
  });

  it('the console follows a scan that a worker completes after the server has restarted', async () => {
    const { page } = visitor;
    const project = await analyst.project([bucket('bad', { uniform: false })]);
    const scan = await analyst.launch(project);
    await open(`/scans/${scan}`);
    await page.getByRole('heading', { name: 'Waiting for a worker' }).waitFor();
    const restart = await stop();
    await unreachable().waitFor();
    await restart(true);
    await page.getByRole('table', { name: 'Verdicts by rule' }).waitFor();
    await unreachable().waitFor({ state: 'detached' });
  });

  it('the console completes an action that failed while its server restarted', async () => {
    const { page } = visitor;
    await open('/projects');
    await page.getByRole('button', { name: 'Create project' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('shop-prod');
    const restart = await stop();
    await dialog.getByRole('button', { name: 'Create project' }).click();
    await dialog.getByRole('alert').getByText('The server cannot be reached.').waitFor();
    await restart();
    expect(await dialog.getByLabel('Name').inputValue()).toBe('shop-prod');
    await dialog.getByRole('button', { name: 'Create project' }).click();
    await page.getByRole('heading', { name: 'shop-prod', level: 1 }).waitFor();
    expect((await analyst.ask(200, '/projects')).items).toHaveLength(1);
  });

  it('the console keeps the draft of a rule over a server restart and a reload', async () => {
    const { page } = visitor;
    const editor = new RuleEditor(visitor);
    await open('/custom-rules/_new');
    await editor.fillIn('Written before the restart');
    await editor.condition().click();
    await page.keyboard.insertText(CUSTOM_RULE.predicate);
    const restart = await stop();
    await restart();
    page.once('dialog', (dialog) => void dialog.accept());
    await page.reload();
    await page.getByRole('button', { name: 'Restore draft' }).click();
    await expect.poll(() => editor.written()).toEqual([CUSTOM_RULE.predicate]);
    await page.getByRole('button', { name: 'Create rule' }).click();
    await page.getByRole('heading', { name: 'Written before the restart', level: 1 }).waitFor();
  });
});
