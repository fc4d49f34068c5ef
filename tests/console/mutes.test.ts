import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildConsole } from '../../scripts/build-console.mjs';
import { Analyst } from '../kit/analyst.ts';
import { launchBrowser, noBrowser } from '../kit/browser.ts';
import { ConsoleVisitor } from '../kit/console-page.ts';
import type { TestUser } from '../kit/people.ts';
import { plantFindings } from '../kit/planted-findings.ts';
import { BUILT_CONSOLE, startTestServer, type TestServer } from '../kit/test-server.ts';

const XSS = '<img src=x onerror=alert(1)>';

describe.skipIf(noBrowser !== null)('mutes in the console', () => {
  let browser: Browser;
  let server: TestServer;
  let user: TestUser;
  let analyst: Analyst;
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
    analyst = new Analyst(server, user.key, user.tenant.id);
    visitor = await ConsoleVisitor.open(browser, server);
  });

  afterEach(() => visitor.close());

  async function open(path = '/mutes'): Promise<void> {
    await visitor.goto(path);
    await visitor.signIn(user.email, user.password);
  }

  const plant = (selector: object, reason: string) =>
    analyst.ask(201, '/mutes', { method: 'POST', body: { selector, reason } });

  it('the mutes page creates a mute by rule, asset pattern and project, and deletes it', async () => {
    const project = await analyst.project();
    await open();
    const { page } = visitor;
    await page.getByText('There are no active mutes').waitFor();
    await page.getByRole('button', { name: 'Create mute' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Rule').fill('bucket-public');
    await dialog.getByLabel('Asset', { exact: true }).fill('//storage.googleapis.com/shop-*');
    await dialog.getByLabel('Project').fill(project);
    await dialog.getByLabel('Reason').fill(XSS);
    await dialog.getByRole('button', { name: 'Create mute' }).click();
    const row = page.getByRole('row', { name: /bucket-public/ });
    await row.getByText(XSS).filter({ visible: true }).waitFor();
    const { items } = await analyst.ask(200, '/mutes');
    expect(items[0].selector).toEqual({
      ruleId: 'bucket-public',
      asset: '//storage.googleapis.com/shop-*',
      project,
    });
    const href = await row.getByRole('link', { name: /^Findings/ }).getAttribute('href');
    expect(decodeURIComponent(href ?? '')).toMatch(/\/findings\?.*view=muted.*bucket-public/);

    await row.getByRole('button', { name: /Delete/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete mute' }).click();
    await page.getByText('There are no active mutes').waitFor();
    expect((await analyst.ask(200, '/mutes')).items).toEqual([]);
    expect(visitor.complaints).toEqual([]);
  });

  it('the form of a mute refuses a last day that is too late for the server', async () => {
    await open();
    const { page } = visitor;
    await page.getByRole('button', { name: 'Create mute' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Rule').fill('bucket-public');
    await dialog.getByLabel('Reason').fill('A test project');
    await dialog.getByRole('combobox', { name: 'Ends after' }).click();
    await page.getByRole('option', { name: 'Until a date…' }).click();
    const date = dialog.getByLabel('Last day');
    await date.evaluate((input: HTMLInputElement) => {
      input.value = '20270-01-01';
    });
    await dialog.getByRole('button', { name: 'Create mute' }).click();
    await dialog.getByText(/12\/30\/9999/).waitFor();
    await date.fill('9999-12-30');
    await dialog.getByRole('button', { name: 'Create mute' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect((await analyst.ask(200, '/mutes')).items).toHaveLength(1);
  });

  it('the form of a mute accepts tomorrow in the time zone of the reader', async () => {
    // At every hour, it is another day in one of these zones than in UTC.
    const timeZone = new Date().getUTCHours() < 11 ? 'Etc/GMT+12' : 'Pacific/Kiritimati';
    await visitor.close();
    visitor = await ConsoleVisitor.open(browser, server, { timeZone });
    await open();
    const { page } = visitor;
    await page.getByRole('button', { name: 'Create mute' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox', { name: 'Ends after' }).click();
    await page.getByRole('option', { name: 'Until a date…' }).click();
    const tomorrow = new Intl.DateTimeFormat('sv-SE', { timeZone }).format(Date.now() + 86_400_000);
    expect(await dialog.getByLabel('Last day').getAttribute('min')).toBe(tomorrow);
  });

  it('a confirmation stays open while its action runs, and shows only its own failure', async () => {
    await plant({ asset: '//one' }, 'x');
    await plant({ asset: '//two' }, 'x');
    await open();
    const { page } = visitor;
    let answer = () => {};
    const isAsked = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route(/\/mutes\/[0-9a-f-]+$/, async (route) => {
      await isAsked;
      await route.fulfill({ status: 409, json: { code: 'CONFLICT', detail: 'It is in use.' } });
    });
    await page.getByRole('button', { name: 'Delete Asset //one' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Delete mute' }).click();
    await expect.poll(() => dialog.getByRole('button', { name: 'Cancel' }).isDisabled()).toBe(true);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await page.mouse.click(5, 5);
    answer();
    await dialog.getByText('It is in use.').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Delete Asset //two' }).click();
    await dialog.getByText('Asset //two').waitFor();
    expect(await dialog.getByRole('alert').count()).toBe(0);
  });

  it('the mutes page refuses a mute without a condition, and shows what the server refuses', async () => {
    await open();
    const { page } = visitor;
    await page.getByRole('button', { name: 'Create mute' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Reason').fill('Accepted');
    await dialog.getByRole('button', { name: 'Create mute' }).click();
    await dialog.getByRole('alert').getByText('Name a rule, an asset').waitFor();
    await dialog.getByLabel('Asset', { exact: true }).fill('a*'.repeat(12));
    await dialog.getByRole('button', { name: 'Create mute' }).click();
    await dialog
      .getByRole('alert')
      .getByText(/at most 10 wildcards/)
      .waitFor();
    expect((await analyst.ask(200, '/mutes')).items).toEqual([]);
  });

  it('the mutes page mutes one finding by its fingerprint', async () => {
    await open();
    const { page } = visitor;
    const fingerprint = 'ab'.repeat(32);
    await page.getByRole('button', { name: 'Create mute' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox', { name: 'Mute' }).click();
    await page.getByRole('option', { name: 'One finding' }).click();
    await dialog.getByLabel('Reason').fill('Accepted');
    await dialog.getByLabel('Finding', { exact: true }).fill('nonsense');
    await dialog.getByRole('button', { name: 'Create mute' }).click();
    await dialog.getByText('This is neither the id nor the fingerprint').waitFor();
    await dialog.getByLabel('Finding', { exact: true }).fill(fingerprint);
    await dialog.getByRole('button', { name: 'Create mute' }).click();
    await page.getByRole('row', { name: /abababababab/ }).waitFor();
    expect((await analyst.ask(200, '/mutes')).items).toMatchObject([{ fingerprint }]);
  });

  it('the mutes page leads from a mute to its finding in any state, and back', async () => {
    const { page } = visitor;
    const { id } = await analyst.ask(201, '/projects', { method: 'POST', body: { name: 'shop' } });
    const [still, resolved, other] = ['1a'.repeat(32), '2b'.repeat(32), '3c'.repeat(32)];
    await plantFindings(server.database, user.tenant.id, id, [
      { fingerprint: still, title: 'Still open' },
      { fingerprint: resolved, title: 'Resolved later', status: 'resolved' },
      { fingerprint: other, title: 'Another finding' },
    ]);
    for (const fingerprint of [still, resolved, other]) {
      const body = { fingerprint, reason: `Because of ${fingerprint.slice(0, 2)}` };
      await analyst.ask(201, '/mutes', { method: 'POST', body });
    }
    await open();
    await page.getByRole('row', { name: /Finding Still open Asset .* Project shop/ }).waitFor();
    const grid = page.getByRole('grid', { name: 'Findings' });
    await page.getByRole('link', { name: 'Findings of the mute: Finding Resolved later' }).click();
    await grid.getByText('Resolved later').waitFor();
    expect(await grid.getByRole('row').count()).toBe(2);
    await page.goBack();
    await page.getByRole('link', { name: 'Findings of the mute: Finding Still open' }).click();
    await grid.getByRole('button', { name: 'Still open' }).click();
    await page.getByRole('link', { name: 'Show the mute' }).click();
    await page.getByText('Only the mutes of one finding.').waitFor();
    await page.getByRole('row', { name: /Because of 1a/ }).waitFor();
    await expect.poll(() => page.getByRole('row', { name: /Because of/ }).count()).toBe(1);
    expect(await visitor.accessibilityViolations()).toEqual([]);
    await visitor.screenshot('mutes-of-a-finding');
    await page.getByRole('link', { name: 'Show all mutes' }).click();
    await expect.poll(() => page.getByRole('row', { name: /Because of/ }).count()).toBe(3);
    expect(visitor.complaints).toEqual([]);
  });

  it('the link of a mute to a resolved finding counts it, on the tab of any status', async () => {
    const { page } = visitor;
    const { id } = await analyst.ask(201, '/projects', { method: 'POST', body: { name: 'shop' } });
    const fingerprint = '3b'.repeat(32);
    await plantFindings(server.database, user.tenant.id, id, [
      { fingerprint, title: 'Resolved later', status: 'resolved' },
      { title: 'Another finding' },
    ]);
    const body = { fingerprint, reason: 'A static site' };
    await analyst.ask(201, '/mutes', { method: 'POST', body });
    await open();
    await page.getByRole('link', { name: 'Findings of the mute: Finding Resolved later' }).click();
    const grid = page.getByRole('grid', { name: 'Findings' });
    await grid.getByText('Resolved later').waitFor();
    await page.getByText('1 finding in 1 project').waitFor();
    await page.getByText('1 of 1 loaded').waitFor();
    await page.getByRole('tab', { name: 'Any status', selected: true }).waitFor();
    await page.getByRole('tab', { name: 'Open', exact: true }).click();
    await grid.getByText('Another finding').waitFor();
    await page.getByRole('tab', { name: 'Open', exact: true, selected: true }).waitFor();
    expect(visitor.complaints).toEqual([]);
  });

  it('the link from the mutes of a resolved finding opens it in a list that has it', async () => {
    const { page } = visitor;
    const { id } = await analyst.ask(201, '/projects', { method: 'POST', body: { name: 'shop' } });
    const [finding] = await plantFindings(server.database, user.tenant.id, id, [
      { title: 'Resolved later', status: 'resolved' },
      { title: 'Another finding' },
    ]);
    await plant({ project: 'shop' }, 'A test project');
    await open(`/mutes?finding=${finding}`);
    await page.getByRole('row', { name: /A test project/ }).waitFor();
    await page.getByRole('link', { name: 'Open the finding' }).click();
    await page.getByRole('complementary', { name: 'Finding: Resolved later' }).waitFor();
    await page.getByRole('tab', { name: 'Any status', selected: true }).waitFor();
    const grid = page.getByRole('grid', { name: 'Findings' });
    await grid.getByText('Resolved later').waitFor();
    expect(await grid.getByText('Another finding').count()).toBe(0);
    expect(visitor.complaints).toEqual([]);
  });

  it('a finding that is unmuted stays in the list to which its mute led', async () => {
    const { page } = visitor;
    const { id } = await analyst.ask(201, '/projects', { method: 'POST', body: { name: 'shop' } });
    const fingerprint = '3b'.repeat(32);
    await plantFindings(server.database, user.tenant.id, id, [
      { fingerprint, title: 'Still open' },
    ]);
    const body = { fingerprint, reason: 'A static site' };
    await analyst.ask(201, '/mutes', { method: 'POST', body });
    await open();
    await page.getByRole('link', { name: 'Findings of the mute: Finding Still open' }).click();
    const row = page.getByRole('grid').getByRole('row').filter({ hasText: 'Still open' });
    await row.getByRole('button', { name: 'Still open' }).click();
    await page.getByRole('button', { name: 'Unmute' }).click();
    await page.getByText('Finding unmuted').waitFor();
    await row.getByText('Muted').waitFor({ state: 'detached' });
    expect(await row.count()).toBe(1);
  });

  it('the mutes page opens the form for the rule in the URL', async () => {
    await open('/mutes?muteRule=bucket-public');
    const rule = visitor.page.getByRole('dialog').getByLabel('Rule');
    await expect.poll(() => rule.inputValue()).toBe('bucket-public');
    await visitor.page.keyboard.press('Escape');
    await visitor.page.getByRole('dialog').waitFor({ state: 'detached' });
    await visitor.page.waitForURL((url) => !url.searchParams.has('muteRule'));
  });

  const openFormOfRule = async () => {
    const { page } = visitor;
    await open('/rules/bucket-public');
    await page.locator('#main').getByRole('link', { name: 'Mute' }).click();
    const dialog = page.getByRole('dialog', { name: 'Create a mute' });
    await dialog.getByLabel('Reason').fill('A static site');
    return { page, dialog };
  };
  const question = () => visitor.page.getByRole('dialog', { name: 'Discard what you entered?' });

  it('the form of a mute that was opened from a rule closes on Cancel without a question', async () => {
    const { page, dialog } = await openFormOfRule();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.waitForURL((url) => !url.searchParams.has('muteRule'));
    await dialog.waitFor({ state: 'detached' });
    await page.goBack();
    await page.getByRole('heading', { name: /bucket/i, level: 1 }).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  it('the form of a mute that was opened from a rule asks once before Escape discards what was entered', async () => {
    const { page, dialog } = await openFormOfRule();
    await page.keyboard.press('Escape');
    await question().getByRole('button', { name: 'Discard' }).click();
    await page.waitForURL((url) => !url.searchParams.has('muteRule'));
    await dialog.waitFor({ state: 'detached' });
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.getByRole('button', { name: 'Create mute' }).first().click();
    await page.getByRole('dialog').getByLabel('Reason').waitFor();
  });

  it('the form of a mute that was opened from a rule asks once before Back discards what was entered', async () => {
    const { page, dialog } = await openFormOfRule();
    await page.evaluate(() => history.back());
    await question().getByRole('button', { name: 'Cancel' }).click();
    await question().waitFor({ state: 'detached' });
    expect(await dialog.getByLabel('Reason').inputValue()).toBe('A static site');
    await page.evaluate(() => history.back());
    await question().getByRole('button', { name: 'Discard' }).click();
    await page.waitForURL(/\/rules\/bucket-public$/);
    await page.getByRole('heading', { name: 'Mutes', level: 1 }).waitFor({ state: 'detached' });
    await visitor.quiet();
    expect(page.url()).toMatch(/\/rules\/bucket-public$/);
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  it('the mutes page shows a person who may only read neither a create nor a delete button', async () => {
    await plant({ ruleId: 'bucket-public' }, 'Accepted');
    user = await server.people.user({ tenant: user.tenant, role: ['findings.read'] });
    await open();
    await visitor.page.getByRole('row', { name: /bucket-public/ }).waitFor();
    await expect
      .poll(() => visitor.page.getByRole('button', { name: /Create mute|Delete/ }).count())
      .toBe(0);
  });

  it('the mutes page tells a person which permission is missing', async () => {
    user = await server.people.user({ tenant: user.tenant, role: ['scans.read'] });
    await visitor.goto('/mutes');
    await visitor.signIn(user.email, user.password);
    await visitor.page.getByText('lacks the permission findings.read').waitFor();
  });

  it('the mutes page uses at most three requests and one more for the expired mutes', async () => {
    await plant({ ruleId: 'bucket-public' }, 'Accepted');
    await open();
    await visitor.page.getByRole('row', { name: /bucket-public/ }).waitFor();
    const requests = visitor.takeRequests().filter((one) => !one.includes('/auth/'));
    expect(requests).toEqual(['GET /mutes?active=true&limit=100']);
    await visitor.page.getByRole('tab', { name: 'Expired' }).click();
    await visitor.page.getByText('No mute has expired').waitFor();
    expect(visitor.takeRequests()).toEqual(['GET /mutes?active=false&limit=100']);
    await visitor.page.waitForURL(/view=expired/);
  });

  it.each(['desktop', 'phone'] as const)(
    'the mutes page is accessible in both themes on a %s',
    async (size) => {
      const project = await analyst.project();
      await plant({ ruleId: 'bucket-public', project }, 'A static site, on purpose');
      await plant({ asset: '//storage.googleapis.com/shop-static-*' }, 'Served to everybody');
      await plant({ label: 'env=test' }, 'Test data');
      await analyst.ask(201, '/mutes', {
        method: 'POST',
        body: { fingerprint: 'cd'.repeat(32), reason: 'Known' },
      });
      for (const theme of ['light', 'dark'] as const) {
        await visitor.close();
        visitor = await ConsoleVisitor.open(browser, server, { size, theme });
        await open();
        await visitor.page.getByRole('row', { name: /bucket-public/ }).waitFor();
        expect(await visitor.accessibilityViolations()).toEqual([]);
        await visitor.screenshot(`mutes-${size}-${theme}`);
        await visitor.page.getByRole('button', { name: 'Create mute' }).click();
        await visitor.page.getByRole('dialog').getByLabel('Reason').waitFor();
        expect(await visitor.accessibilityViolations()).toEqual([]);
        await visitor.screenshot(`mutes-create-${size}-${theme}`);
        expect(visitor.complaints).toEqual([]);
      }
    },
  );
});
