import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildConsole } from '../../scripts/build-console.mjs';
import { launchBrowser, noBrowser } from '../kit/browser.ts';
import { ConsoleVisitor } from '../kit/console-page.ts';
import type { TestUser } from '../kit/people.ts';
import { type Planted, plantFindings } from '../kit/planted-findings.ts';
import { BUILT_CONSOLE, startTestServer, type TestServer } from '../kit/test-server.ts';

describe.skipIf(noBrowser !== null)('mutes in the findings explorer', () => {
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
  const panel = () => visitor.page.getByRole('complementary', { name: /^Finding:/ });
  const undo = () => visitor.page.getByRole('button', { name: 'Undo' }).click();

  it('the findings explorer mutes a finding from the panel with a reason, and unmutes it', async () => {
    const { page } = visitor;
    await plant([{ title: 'Bucket is public' }, { title: 'Bucket keeps no usage logs' }]);
    await open('/findings');
    await row('Bucket is public').getByRole('button', { name: 'Bucket is public' }).click();
    await panel().getByRole('button', { name: 'Mute' }).click();
    const dialog = page.getByRole('dialog', { name: 'Mute this finding' });
    await dialog.getByRole('button', { name: 'Mute' }).click();
    await dialog.getByText('Reason is required.').waitFor();
    await dialog.getByLabel('Reason').fill('A static site, public on purpose');
    await dialog.getByRole('radio', { name: '30 days' }).check({ force: true });
    await dialog.getByRole('button', { name: 'Mute' }).click();

    await dialog.waitFor({ state: 'detached' });
    await row('Bucket is public').waitFor({ state: 'detached' });
    await shown('1 finding in 1 project');
    const { items } = (await server.call('/mutes', { headers: user.key })).json;
    expect(items).toMatchObject([{ reason: 'A static site, public on purpose' }]);

    await page.getByRole('button', { name: 'Undo' }).click();
    await row('Bucket is public').waitFor();
    expect((await server.call('/mutes', { headers: user.key })).json.items).toEqual([]);
  });

  it('a second try after the answer to a mute was lost creates no second mute', async () => {
    const { page } = visitor;
    await plant([{ title: 'Bucket is public' }, { title: 'Another' }]);
    await open('/findings');
    await row('Bucket is public').getByRole('button', { name: 'Bucket is public' }).focus();
    await page.route('**/mutes', async (route) => {
      await route.fetch();
      await route.abort();
    });
    await page.keyboard.press('m');
    const dialog = page.getByRole('dialog', { name: 'Mute this finding' });
    await dialog.getByLabel('Reason').fill('A static site');
    await dialog.getByRole('button', { name: 'Mute' }).click();
    await dialog.getByRole('alert').getByText('The server cannot be reached.').waitFor();
    await page.unroute('**/mutes');
    await dialog.getByRole('button', { name: 'Mute' }).click();
    await row('Bucket is public').waitFor({ state: 'detached' });
    expect((await server.call('/mutes', { headers: user.key })).json.items).toHaveLength(1);
    await undo();
    await row('Bucket is public').waitFor();
    expect((await server.call('/mutes', { headers: user.key })).json.items).toEqual([]);
  });

  it('the findings explorer mutes all matches of a filter at once', async () => {
    const { page } = visitor;
    await plant(Array.from({ length: 230 }, (_, index) => ({ title: `Finding ${index}` })));
    await open('/findings?sort=severity');
    await shown('200 of 230 loaded');
    await page.getByRole('checkbox', { name: 'Select all loaded findings' }).click();
    const bar = page.getByRole('toolbar', { name: 'Selected findings' });
    await bar.getByText('200 selected').waitFor();
    await bar.getByRole('button', { name: 'Select all 230' }).click();
    await bar.getByRole('button', { name: 'Mute' }).click();
    const dialog = page.getByRole('dialog', { name: 'Mute 230 findings' });
    await dialog.getByLabel('Reason').fill('A test project');
    await dialog.getByRole('button', { name: 'Mute' }).click();
    await shown('No open findings');
    const summary = await server.call('/findings/summary', { headers: user.key });
    expect(summary.json.total).toMatchObject({ open: 230, muted: 230 });
  });

  /** Findings that are open and findings that are resolved, told apart by their titles. */
  const mixed = (open: number, resolved: number): Planted[] => [
    ...Array.from({ length: open }, (_, index) => ({ title: `Still there ${index}` })),
    ...Array.from({ length: resolved }, (_, index) => ({
      title: `Gone ${index}`,
      status: 'resolved' as const,
    })),
  ];
  const muted = async () =>
    (await server.call('/mutes', { headers: user.key })).json.items.map(
      (one: { finding: { title: string } }) => one.finding.title,
    );
  const check = (title: string) => row(title).getByRole('checkbox').click();

  it.each(['view=any', 'view=any&project=shop-prod'])(
    'muting all matches of %s mutes the open findings, and leaves the resolved ones out',
    async (search) => {
      const { page } = visitor;
      await plant(mixed(5, 3));
      await open(`/findings?${search}`);
      await check('Still there 0');
      const bar = page.getByRole('toolbar', { name: 'Selected findings' });
      await bar.getByRole('button', { name: 'Select all 8' }).click();
      await bar.getByText('8 selected, 5 open. Only open findings can be muted').waitFor();
      await bar.getByRole('button', { name: 'Mute' }).click();
      const dialog = page.getByRole('dialog', { name: 'Mute 5 findings' });
      await dialog.getByLabel('Reason').fill('A test project');
      await dialog.getByRole('button', { name: 'Mute' }).click();
      await shown('5 findings muted until');
      await dialog.waitFor({ state: 'detached' });
      expect((await muted()).sort()).toEqual(mixed(5, 0).map(({ title }) => title));
    },
  );

  it('muting selected rows leaves the resolved findings out', async () => {
    const { page } = visitor;
    await plant(mixed(1, 1));
    await open('/findings?view=any');
    await check('Still there 0');
    await check('Gone 0');
    const bar = page.getByRole('toolbar', { name: 'Selected findings' });
    await bar.getByText('2 selected, 1 open. Only open findings can be muted').waitFor();
    await bar.getByRole('button', { name: 'Mute' }).click();
    const dialog = page.getByRole('dialog', { name: 'Mute this finding' });
    await dialog.getByText('Still there 0').waitFor();
    await page.keyboard.press('Escape');
    await check('Still there 0');
    await bar.getByText('1 selected, 0 open. Only open findings can be muted').waitFor();
    expect(await bar.getByRole('button', { name: 'Mute' }).isDisabled()).toBe(true);
  });

  it.each(['any', 'resolved'])(
    'the key m says that a resolved finding cannot be muted, and opens no dialog on the view %s',
    async (view) => {
      const { page } = visitor;
      await plant(mixed(0, 2));
      await open(`/findings?view=${view}`);
      await shown('2 of 2 loaded');
      const press = async () => {
        await page.keyboard.press('m');
        const notices = page.getByRole('region', { name: 'Notifications' });
        const notice = notices.getByText('Only open findings can be muted.');
        await notice.waitFor();
        await notices.getByRole('button', { name: 'Close' }).click();
        await notice.waitFor({ state: 'detached' });
        expect(await page.getByRole('dialog').count()).toBe(0);
      };
      await press();
      await check('Gone 0');
      await press();
      await page.getByRole('button', { name: 'Select all 2' }).click();
      await press();
    },
  );

  it('the key m mutes nothing while findings are grouped and none is open', async () => {
    const { page } = visitor;
    await plant([{ title: 'Bucket is public' }]);
    await open('/findings?by=rule');
    await page
      .getByRole('table', { name: 'Findings by rule' })
      .getByRole('button', { name: 'Bucket is public' })
      .waitFor();
    await visitor.quiet();
    await page.keyboard.press('m');
    // The keys of the page do nothing while a dialog is open.
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: /shortcuts/i }).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(1);
  });

  it('the mutes page shows the mutes of all matches at once, although it was loaded before', async () => {
    const { page } = visitor;
    await plant([{ title: 'First' }, { title: 'Second' }]);
    const go = (name: string) =>
      page
        .getByRole('navigation', { name: 'Main' })
        .getByRole('link', { name, exact: true })
        .click();
    await open('/mutes');
    await shown('There are no active mutes');
    await go('Findings');
    await shown('2 of 2 loaded');
    await row('First')
      .getByRole('checkbox', { name: /^Select First/ })
      .click();
    const bar = page.getByRole('toolbar', { name: 'Selected findings' });
    await bar.getByRole('button', { name: 'Select all 2' }).click();
    await bar.getByRole('button', { name: 'Mute' }).click();
    const dialog = page.getByRole('dialog', { name: 'Mute 2 findings' });
    await dialog.getByLabel('Reason').fill('A test project');
    await dialog.getByRole('button', { name: 'Mute' }).click();
    await shown('No open findings');
    await go('Mutes');
    await page.getByText('A test project').filter({ visible: true }).first().waitFor();
  });

  it('the findings explorer says how many findings can be muted at once before it asks for a reason', async () => {
    const { page } = visitor;
    await plant(Array.from({ length: 5001 }, (_, index) => ({ title: `Finding ${index}` })));
    await open('/findings');
    await shown('200 of 5,001 loaded');
    for (const loaded of ['400', '600', '800', '1,000', '1,200']) {
      await page.getByRole('rowgroup', { name: 'Rows' }).evaluate((scroller) => {
        scroller.scrollTop = scroller.scrollHeight;
      });
      await shown(`${loaded} of 5,001 loaded`);
    }
    await page.getByRole('checkbox', { name: 'Select all loaded findings' }).click();
    const bar = page.getByRole('toolbar', { name: 'Selected findings' });
    const mute = bar.getByRole('button', { name: 'Mute' });
    await bar.getByText(/selected, at most 1,000 can be muted at once/).waitFor();
    expect(await mute.isDisabled()).toBe(true);
    await bar.getByRole('button', { name: 'Select all 5,001' }).click();
    await bar.getByText('5,001 selected, at most 5,000 can be muted at once').waitFor();
    expect(await mute.isDisabled()).toBe(true);
    await page.keyboard.press('m');
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: /shortcuts/i }).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(1);
  });
});
