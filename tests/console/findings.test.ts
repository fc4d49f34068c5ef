import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildConsole } from '../../scripts/build-console.mjs';
import { launchBrowser, noBrowser } from '../kit/browser.ts';
import { ConsoleVisitor } from '../kit/console-page.ts';
import type { TestUser } from '../kit/people.ts';
import { type Planted, plantFindings } from '../kit/planted-findings.ts';
import { BUILT_CONSOLE, startTestServer, type TestServer } from '../kit/test-server.ts';

/** Text that runs a script where it is interpreted as HTML. */
const HOSTILE = '<img src=x onerror="document.title=1"><script>document.title=2</script>';

describe.skipIf(noBrowser !== null)('the findings explorer', () => {
  let browser: Browser;
  let server: TestServer;
  let user: TestUser;
  let visitor: ConsoleVisitor;

  beforeAll(async () => {
    await buildConsole();
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
    visitor = await ConsoleVisitor.open(browser, server);
  });

  afterEach(async () => {
    expect(visitor.complaints).toEqual([]);
    await visitor.close();
  });

  async function project(name: string): Promise<string> {
    const made = await server.call('/projects', {
      method: 'POST',
      headers: user.key,
      body: { name },
    });
    return made.json.id;
  }

  async function plant(findings: readonly Planted[], name = 'shop-prod'): Promise<void> {
    await plantFindings(server.database, user.tenant.id, await project(name), findings);
  }

  async function open(path: string): Promise<void> {
    await visitor.goto(path);
    await visitor.signIn(user.email, user.password);
  }

  const grid = () => visitor.page.getByRole('grid', { name: 'Findings' });
  const row = (name: RegExp | string) => grid().getByRole('row').filter({ hasText: name });
  const shown = (text: string) => visitor.page.getByText(text).first().waitFor();
  const searchBecomes = (search: string) => visitor.page.waitForURL((url) => url.search === search);
  const panel = () => visitor.page.getByRole('complementary', { name: /^Finding:/ });

  it('the findings explorer filters by severity, facet and text, and keeps the filters in the address', async () => {
    const { page } = visitor;
    await plant([
      {
        severity: 'critical',
        title: 'Bucket is public',
        asset: '//storage.googleapis.com/uploads',
      },
      { severity: 'low', title: 'Bucket keeps no usage logs', ruleId: 'bucket-no-logging' },
    ]);
    await plant([{ severity: 'critical', title: 'Bucket is public' }], 'sandbox');
    await open('/findings');
    await shown('3 findings in 2 projects');

    await page.getByRole('button', { name: /^Critical/ }).click();
    await shown('2 findings in 2 projects');
    await searchBecomes('?severity=critical');

    await page.getByRole('button', { name: 'Project', exact: true }).click();
    // It is checked once the address has changed, which `check` does not wait for.
    await page.getByRole('checkbox', { name: /shop-prod/ }).click({ force: true });
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await shown('1 finding in 1 project');
    await searchBecomes('?severity=critical&project=shop-prod');

    await page.keyboard.press('/');
    await page.keyboard.type('uploads');
    await page.waitForURL(/q=uploads/);
    await row('Bucket is public').waitFor();

    await page.reload();
    await row('Bucket is public').waitFor();
    await expect.poll(() => grid().getByRole('row').count()).toBe(2);

    await page.getByRole('button', { name: 'Clear all' }).click();
    await shown('3 findings in 2 projects');
    await searchBecomes('');
  });

  it.each([
    [
      'a link',
      (page: Page) =>
        page
          .getByRole('navigation', { name: 'Main' })
          .getByRole('link', { name: 'Findings', exact: true })
          .click(),
    ],
    ['the back button', (page: Page) => page.goBack()],
  ])('a selection of all matches ends when %s changes the search', async (_name, leave) => {
    const { page } = visitor;
    await plant([
      ...Array.from({ length: 3 }, () => ({ severity: 'critical' })),
      ...Array.from({ length: 4 }, () => ({ severity: 'low' })),
    ]);
    await open('/findings');
    await shown('7 of 7 loaded');
    await visitor.move('/findings?severity=critical');
    await shown('3 of 3 loaded');
    await page.getByRole('checkbox', { name: 'Select all loaded findings' }).click();
    const bar = page.getByRole('toolbar', { name: 'Selected findings' });
    await bar.getByText('3 selected').waitFor();
    await leave(page);
    await shown('7 of 7 loaded');
    await bar.waitFor({ state: 'detached' });
    await page.keyboard.press('x');
    await bar.getByText('1 selected').waitFor();
  });

  it('the list of findings stays where it was scrolled to when more rows arrive', async () => {
    const { page } = visitor;
    await plant(Array.from({ length: 450 }, (_, index) => ({ title: `Finding ${index}` })));
    await open('/findings');
    await shown('200 of 450 loaded');
    const rows = page.getByRole('rowgroup', { name: 'Rows' });
    const top = await rows.evaluate((scroller) => {
      scroller.scrollTop = 8000;
      return scroller.scrollTop;
    });
    await shown('400 of 450 loaded');
    await visitor.quiet();
    expect(await rows.evaluate(({ scrollTop }) => scrollTop)).toBe(top);
  });

  it('the findings explorer shows the change of a week only for a number that the trend counts too', async () => {
    const { page } = visitor;
    const fingerprint = '3b'.repeat(32);
    await plant([
      { severity: 'critical', fingerprint },
      { severity: 'critical' },
      { severity: 'low' },
    ]);
    await server.call('/mutes', {
      method: 'POST',
      headers: user.key,
      body: { fingerprint, reason: 'A static site, public on purpose' },
    });
    const none = { critical: 0, high: 0, medium: 0, low: 0, info: 0 };
    const points = [none, { ...none, critical: 2, low: 1 }].map((counts) => ({ open: counts }));
    await page.route('**/posture/trend*', (route) => route.fulfill({ json: { points } }));
    await open('/findings');
    const card = (name: RegExp) =>
      page.getByRole('group', { name: 'Filter by severity' }).getByRole('button', { name });
    await card(/^Low 1 .*\+1 this week/).waitFor();
    await card(/^Critical 1$/).waitFor();
    await page.getByRole('tab', { name: 'All open' }).click();
    await shown('3 of 3 loaded');
    await card(/^Critical 2 .*\+2 this week/).waitFor();
  });

  it('the findings explorer says so when the address names a finding that does not exist', async () => {
    await plant([{ title: 'Bucket is public' }]);
    await open('/findings?open=01900000-0000-7000-8000-000000000000');
    await row('Bucket is public').waitFor();
    const missing = visitor.page.getByRole('complementary', { name: 'Finding' });
    await missing.getByRole('heading', { name: 'Not found' }).waitFor();
    expect(await visitor.accessibilityViolations()).toEqual([]);
    await missing.getByRole('button', { name: 'Close' }).click();
    await missing.waitFor({ state: 'detached' });
    await searchBecomes('');
  });

  it('a filter with as many values as an address holds says so and offers no more', async () => {
    const { page } = visitor;
    const names = Array.from({ length: 21 }, (_, index) => `project-${index + 10}`);
    for (const name of names) await plant([{}], name);
    const chosen = names.slice(0, 20).map((name) => `project=${name}`);
    await open(`/findings?${chosen.slice(0, 19).join('&')}`);
    await shown('19 of 19 loaded');
    await page.getByRole('button', { name: /^Project/ }).click();
    const box = (name: string) => page.getByRole('checkbox', { name: new RegExp(name) });
    await box('project-30').waitFor();
    expect(await box('project-30').isDisabled()).toBe(false);
    await box('project-29').click({ force: true });
    await shown('At most 20 values can be chosen.');
    await searchBecomes(`?${chosen.join('&')}`);
    expect(await box('project-30').isDisabled()).toBe(true);
    expect(await box('project-29').isDisabled()).toBe(false);
  });

  it('the findings explorer can be operated with the keys j, k, x, Enter, m and Escape', async () => {
    const { page } = visitor;
    await plant(['First', 'Second', 'Third'].map((title) => ({ title })));
    await open('/findings');
    await row('First').waitFor();
    const titles = await grid()
      .getByRole('row')
      .evaluateAll((rows) =>
        rows.slice(1).map((one) => /First|Second|Third/.exec(one.textContent ?? '')?.[0]),
      );
    for (const key of ['j', 'j', 'k', 'Enter']) await page.keyboard.press(key);
    await panel()
      .getByRole('heading', { name: titles[1] ?? '' })
      .waitFor();
    await page.keyboard.press('j');
    await panel()
      .getByRole('heading', { name: titles[2] ?? '' })
      .waitFor();
    await page.keyboard.press('x');
    await page.getByRole('toolbar').getByText('1 selected').waitFor();
    await page.keyboard.press('m');
    await page.getByRole('dialog', { name: 'Mute this finding' }).waitFor();
    // Keys typed into a field act on nothing else.
    await page.keyboard.type('xj');
    await expect.poll(() => page.getByRole('dialog').getByLabel('Reason').inputValue()).toBe('xj');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Discard' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await panel().waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await page.getByRole('toolbar').getByText('1 selected').waitFor({ state: 'detached' });
  });

  it('the findings explorer groups by rule and leads to the findings of a group', async () => {
    const { page } = visitor;
    await plant([
      { ruleId: 'bucket-public', title: 'Bucket is public' },
      { ruleId: 'bucket-public', title: 'Bucket is public' },
      { ruleId: 'bucket-no-logging', title: 'Bucket keeps no usage logs', severity: 'low' },
    ]);
    await open('/findings');
    await page.getByRole('button', { name: 'Sort and group' }).click();
    await page.getByRole('menuitem', { name: 'By rule' }).click();
    const groups = page.getByRole('table', { name: 'Findings by rule' });
    await groups.getByRole('row', { name: /Bucket is public.* 2/ }).waitFor();
    await groups.getByRole('button', { name: 'Bucket is public' }).click();
    await shown('2 findings in 1 project');
    await searchBecomes('?rule=bucket-public');
  });

  it('the findings explorer saves a view and opens it again', async () => {
    const { page } = visitor;
    await plant([{ severity: 'critical' }, { severity: 'low' }]);
    await open('/findings?severity=critical&sort=severity');
    await shown('1 finding in 1 project');
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByRole('menuitem', { name: 'Save this view' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill(HOSTILE);
    await page.getByRole('button', { name: 'Save view' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Clear all' }).click();
    await shown('2 findings in 1 project');
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByRole('menuitem', { name: HOSTILE }).click();
    await shown('1 finding in 1 project');
    await searchBecomes('?severity=critical&sort=severity');
  });

  it('the findings explorer exports the findings that match the filters', async () => {
    const { page } = visitor;
    await plant([
      { severity: 'critical', title: 'Wanted' },
      { severity: 'low', title: 'Unwanted' },
    ]);
    await open('/findings?severity=critical');
    await row('Wanted').waitFor();
    await page.getByRole('button', { name: 'Export' }).click();
    const download = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: /CSV/ }).click();
    const file = await (await download).path();
    const text = await readFile(file, 'utf8');
    expect(text).toContain('Wanted');
    expect(text).not.toContain('Unwanted');
  });

  it('the findings explorer shows text from inventories as text', async () => {
    await plant([
      {
        title: HOSTILE,
        message: HOSTILE,
        asset: `//x/${HOSTILE}`,
        evidence: [{ path: HOSTILE, value: HOSTILE }],
      },
    ]);
    await open('/findings');
    await grid().getByRole('button', { name: HOSTILE, exact: true }).click();
    await panel().getByRole('heading', { name: HOSTILE }).waitFor();
    expect(await visitor.page.title()).toBe('Findings · CSPM');
  });

  it('the findings explorer uses three requests, and two when a filter changes', async () => {
    await plant([
      { severity: 'critical', title: 'Bucket is public' },
      { severity: 'low', title: 'Bucket has no logs' },
    ]);
    await open('/findings');
    await row('Bucket is public').waitFor();
    await shown('2 findings in 1 project');
    await visitor.quiet();
    const first = visitor.takeRequests().filter((one) => !/\/auth\//.test(one));
    expect(first.map((one) => one.replace(/\?.*/, '')).toSorted()).toEqual([
      'GET /findings',
      'GET /findings/summary',
      'GET /posture/trend',
    ]);
    await visitor.page.getByRole('button', { name: /^Critical/ }).click();
    await row('Bucket has no logs').waitFor({ state: 'detached' });
    await shown('1 finding in 1 project');
    await visitor.quiet();
    expect(visitor.takeRequests()).toHaveLength(2);
  });

  it('the findings explorer leads to the sign-in page when the session was ended elsewhere, and back', async () => {
    const { page } = visitor;
    await plant([{ title: 'Bucket is public' }]);
    await open('/findings?sort=severity');
    await row('Bucket is public').waitFor();
    await server.database.owner.query(
      'UPDATE identity.sessions SET revoked_at = now() WHERE user_id = $1',
      [user.id],
    );
    await page.getByRole('tab', { name: 'Resolved' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await visitor.signIn(user.email, user.password);
    await page.getByRole('tab', { name: 'Resolved', selected: true }).waitFor();
    await page.waitForURL(/sort=severity/);
  });

  it('the findings explorer names the permission that a role lacks', async () => {
    user = await server.people.user({ role: ['scans.read'] });
    await open('/findings');
    await visitor.page
      .getByRole('heading', { name: 'You do not have access to this page' })
      .waitFor();
    await shown('findings.read');
    expect(await visitor.page.title()).toBe('You do not have access to this page · CSPM');
  });
});
