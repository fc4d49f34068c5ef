import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildConsole } from '../../scripts/build-console.mjs';
import { launchBrowser, noBrowser } from '../kit/browser.ts';
import { ConsoleVisitor } from '../kit/console-page.ts';
import type { TestUser } from '../kit/people.ts';
import { type Planted, plantFindings } from '../kit/planted-findings.ts';
import { BUILT_CONSOLE, startTestServer, type TestServer } from '../kit/test-server.ts';

/** Text that runs a script where it is interpreted as HTML. */
const HOSTILE = '<img src=x onerror="document.title=1"><script>document.title=2</script>';

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

  it('the findings explorer shows muted findings on their tab and unmutes them there', async () => {
    const { page } = visitor;
    const fingerprint = '3b'.repeat(32);
    await plant([{ title: 'Bucket is public', fingerprint }, { title: 'Another' }]);
    await server.call('/mutes', {
      method: 'POST',
      headers: user.key,
      body: { fingerprint, reason: HOSTILE },
    });
    await open('/findings');
    await row('Another').waitFor();
    await expect.poll(() => row('Bucket is public').count()).toBe(0);
    await page.getByRole('tab', { name: 'Muted' }).click();
    await row('Bucket is public').getByRole('button', { name: 'Bucket is public' }).click();
    await panel().getByText(HOSTILE).waitFor();
    await panel().getByRole('button', { name: 'Unmute' }).click();
    await shown('No muted findings');
  });

  it('a finding that is unmuted while its tab is left is listed by the open tab, and no longer by the muted one', async () => {
    const { page } = visitor;
    const fingerprint = '3b'.repeat(32);
    await plant([{ title: 'Bucket is public', fingerprint }, { title: 'Another' }]);
    await server.call('/mutes', {
      method: 'POST',
      headers: user.key,
      body: { fingerprint, reason: 'A static site' },
    });
    await open('/findings?view=all');
    await row('Bucket is public').waitFor();
    await tab('Muted').click();
    await row('Another').waitFor({ state: 'detached' });
    await row('Bucket is public').getByRole('button', { name: 'Bucket is public' }).click();
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/mutes/*', async (route) => {
      await released;
      await route.continue();
    });
    const asked = page.waitForRequest((one) => one.method() === 'DELETE');
    await panel().getByRole('button', { name: 'Unmute' }).click();
    await asked;
    await tab('Open').click();
    await row('Another').waitFor();
    expect(await row('Bucket is public').count()).toBe(0);
    release();
    await shown('Finding unmuted');
    await page.getByText('1 new result').waitFor();
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await row('Bucket is public').waitFor();
    await tab('Muted').click();
    await shown('No muted findings');
  });

  it('a finding that is unmuted on the tab of all open findings leaves the muted tab when it was opened meanwhile', async () => {
    const { page } = visitor;
    const fingerprint = '3b'.repeat(32);
    await plant([{ title: 'Bucket is public', fingerprint }, { title: 'Another' }]);
    await server.call('/mutes', {
      method: 'POST',
      headers: user.key,
      body: { fingerprint, reason: 'A static site' },
    });
    await open('/findings?view=all');
    await row('Bucket is public').getByRole('button', { name: 'Bucket is public' }).click();
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/mutes/*', async (route) => {
      await released;
      await route.continue();
    });
    const asked = page.waitForRequest((one) => one.method() === 'DELETE');
    await panel().getByRole('button', { name: 'Unmute' }).click();
    await asked;
    await tab('Muted').click();
    await row('Another').waitFor({ state: 'detached' });
    await row('Bucket is public').waitFor();
    release();
    await shown('No muted findings');
    await tab('All open').click();
    await row('Bucket is public').waitFor();
  });

  async function muteFromKeyboard(title: string): Promise<void> {
    const { page } = visitor;
    await row(title).getByRole('button', { name: title }).focus();
    await page.keyboard.press('m');
    const dialog = page.getByRole('dialog', { name: 'Mute this finding' });
    await dialog.getByLabel('Reason').fill('A static site');
    await dialog.getByRole('button', { name: 'Mute' }).click();
    await row(title).waitFor({ state: 'detached' });
  }

  const tab = (name: string) => visitor.page.getByRole('tab', { name, exact: true });
  const undo = () => visitor.page.getByRole('button', { name: 'Undo' }).click();

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

  it('the undo of a mute can be pressed with the mouse while a dialog is open, and leaves the dialog open', async () => {
    const { page } = visitor;
    await plant([{ title: 'Bucket is public' }, { title: 'Another' }]);
    await open('/findings');
    await row('Another').waitFor();
    await muteFromKeyboard('Bucket is public');
    await page.keyboard.press('?');
    const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await dialog.waitFor();
    await undo();
    await shown('Mute undone');
    await dialog.waitFor();
    expect(await visitor.accessibilityViolations()).toEqual([]);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await row('Bucket is public').waitFor();
  });

  it('the undo of a mute can be reached with Tab in the topmost of two open dialogs', async () => {
    const { page } = visitor;
    await plant([{ title: 'Bucket is public' }, { title: 'Another' }]);
    await open('/findings');
    await row('Another').waitFor();
    await muteFromKeyboard('Bucket is public');
    await row('Another').getByRole('button', { name: 'Another' }).focus();
    await page.keyboard.press('m');
    await page.keyboard.type('Something that is not saved');
    await page.keyboard.press('Escape');
    const question = page.getByRole('dialog', { name: 'Discard what you entered?' });
    await question.getByRole('button', { name: 'Cancel' }).waitFor();
    const focused = page.locator(':focus');
    await expect
      .poll(async () => {
        await page.keyboard.press('Tab');
        return focused.textContent({ timeout: 1000 }).catch(() => null);
      })
      .toBe('Undo');
    await page.keyboard.press('Enter');
    await shown('Mute undone');
    await question.waitFor();
    expect((await server.call('/mutes', { headers: user.key })).json.items).toEqual([]);
  });

  it('the undo of a mute removes the finding from the muted tab that was opened after the mute', async () => {
    await plant([{ title: 'Bucket is public' }, { title: 'Another' }]);
    await open('/findings');
    await muteFromKeyboard('Bucket is public');
    await tab('Muted').click();
    await row('Bucket is public').waitFor();
    await undo();
    await shown('No muted findings');
    await tab('Open').click();
    await row('Bucket is public').waitFor();
  });

  it('the undo of a mute removes the finding from a list that is still loading for the first time', async () => {
    const { page } = visitor;
    await plant([{ title: 'Bucket is public' }, { title: 'Another' }]);
    await open('/findings');
    await muteFromKeyboard('Bucket is public');
    let isUndone = () => {};
    const undone = new Promise<void>((resolve) => {
      isUndone = resolve;
    });
    let answered = 0;
    await page.route('**/findings?*muted=true*', async (route) => {
      if (answered > 0) return route.continue();
      const response = await route.fetch();
      answered += 1;
      await undone;
      // The page may have given up waiting for the answer.
      await route.fulfill({ response }).catch(() => undefined);
    });
    await tab('Muted').click();
    await expect.poll(() => answered).toBe(1);
    await undo();
    await shown('Mute undone');
    isUndone();
    await shown('No muted findings');
  });

  it('the undo of a mute restores a finding of a later page after the list began again', async () => {
    const { page } = visitor;
    await plant(Array.from({ length: 201 }, (_, index) => ({ title: `Finding ${index}.` })));
    await open('/findings');
    const scroll = () =>
      page.getByRole('rowgroup', { name: 'Rows' }).evaluate((scroller) => {
        scroller.scrollTop = scroller.scrollHeight;
      });
    await shown('200 of 201 loaded');
    await scroll();
    await shown('201 of 201 loaded');
    await scroll();
    await muteFromKeyboard('Finding 0.');
    await shown('200 of 200 loaded');
    await tab('Muted').click();
    await row('Finding 0.').waitFor();
    await tab('Open').click();
    await shown('200 of 200 loaded');
    await visitor.quiet();
    await undo();
    await shown('200 of 201 loaded');
    await visitor.quiet();
    await scroll();
    await shown('201 of 201 loaded');
    await row('Finding 0.').waitFor();
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
