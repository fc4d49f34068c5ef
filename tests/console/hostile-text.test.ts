import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildConsole } from '../../scripts/build-console.mjs';
import { launchBrowser, noBrowser } from '../kit/browser.ts';
import { ConsoleVisitor } from '../kit/console-page.ts';
import type { TestUser } from '../kit/people.ts';
import { plantFindings } from '../kit/planted-findings.ts';
import { BUILT_CONSOLE, startTestServer, type TestServer } from '../kit/test-server.ts';

/** Runs a script where it is interpreted as HTML, an attribute or a template. */
const HOSTILE = `<img src=x onerror=pwned=1><script>pwned=2</script>"'><svg onload=pwned=3>{{pwned=4}}`;
const HOSTILE_URL = 'javascript:window.pwned=4';

describe.skipIf(noBrowser !== null)('text from outside in the console', () => {
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

  async function create(path: string, body: unknown): Promise<{ id: string }> {
    const made = await server.call(path, { method: 'POST', headers: user.session, body });
    expect(made.status, made.text).toBeLessThan(300);
    return made.json;
  }

  /** Puts the text into every field that takes free text. */
  async function plantEverywhere(): Promise<string> {
    const { owner } = server.database;
    const project = await create('/projects', { name: 'shop-prod', description: HOSTILE });
    const fingerprint = 'ab'.repeat(32);
    const [finding = ''] = await plantFindings(server.database, user.tenant.id, project.id, [
      {
        fingerprint,
        title: HOSTILE,
        message: HOSTILE,
        asset: `//x/${HOSTILE}`,
        assetType: `x/${HOSTILE}`,
        subject: HOSTILE,
        labels: { [HOSTILE]: HOSTILE },
        evidence: [
          { path: HOSTILE, value: HOSTILE },
          { path: 'link', value: HOSTILE_URL },
        ],
      },
    ]);
    await create('/mutes', { fingerprint, reason: HOSTILE });
    await create('/mutes', { selector: { asset: `//x/${HOSTILE}` }, reason: HOSTILE_URL });
    await create('/views', {
      name: HOSTILE,
      query: `q=${encodeURIComponent(HOSTILE)}`,
      shared: true,
    });
    await create('/api-keys', { name: HOSTILE });
    await create('/schedules', {
      name: HOSTILE.slice(0, 100),
      projects: ['shop-prod'],
      profile: 'full',
      cron: '0 3 * * *',
      timezone: 'Europe/Berlin',
    });
    await create('/webhooks', {
      url: 'http://127.0.0.1:9000/hook',
      description: HOSTILE,
      events: ['scan.completed'],
    });
    await owner.query('UPDATE identity.tenants SET name = $2 WHERE id = $1', [
      user.tenant.id,
      HOSTILE,
    ]);
    await owner.query('UPDATE identity.users SET name = $2 WHERE id = $1', [user.id, HOSTILE]);
    return finding;
  }

  it('text from inventories and people is shown as text on every page of the console, and runs nothing', async () => {
    const { page } = visitor;
    const finding = await plantEverywhere();
    await visitor.goto('/findings');
    await visitor.signIn(user.email, user.password);
    // The name of the tenant is beside every page, so the text is looked for in the page alone.
    const main = page.getByRole('main');
    const showsPage = (name: string) =>
      main.getByRole('heading', { name, exact: true, level: 1 }).waitFor();
    await showsPage('Findings');
    await page
      .getByRole('button')
      .filter({ hasText: HOSTILE })
      .filter({ visible: true })
      .first()
      .waitFor();
    const screens: readonly (readonly [string, string, string])[] = [
      ['/findings?view=muted', 'Findings', HOSTILE],
      [`/findings?view=muted&open=${finding}`, 'Findings', HOSTILE],
      [`/findings?q=${encodeURIComponent(HOSTILE)}`, 'Findings', HOSTILE],
      ['/findings?view=muted&by=asset', 'Findings', HOSTILE],
      ['/mutes', 'Mutes', HOSTILE_URL],
      ['/projects', 'Projects', HOSTILE],
      ['/projects/shop-prod', 'shop-prod', HOSTILE],
      ['/api-keys', 'API keys', HOSTILE],
      ['/schedules', 'Schedules', HOSTILE.slice(0, 60)],
      ['/webhooks', 'Webhooks', HOSTILE],
      ['/people', 'People', HOSTILE],
      ['/account', 'Your account', HOSTILE],
      ['/audit-log', 'Audit log', user.email],
      ['/tenant', 'Tenant', 'Maximum age of an inventory'],
      [`/rules/${encodeURIComponent(HOSTILE)}`, 'Rule', 'Not found'],
      [`/scans/${encodeURIComponent(HOSTILE)}`, 'Scan', 'Not found'],
      [`/${encodeURIComponent(HOSTILE)}`, 'This page does not exist', 'The address may be'],
    ];
    for (const [path, name, text] of screens) {
      await visitor.move(path);
      await showsPage(name);
      await visitor.quiet();
      await main.getByText(text).filter({ visible: true }).first().waitFor();
      const found = await page.evaluate(() => ({
        ran: 'pwned' in window,
        elements: document.querySelectorAll('img[src=x], body svg[onload], #root script').length,
        links: [...document.links].filter(({ protocol }) => !/^https?:$/.test(protocol)).length,
      }));
      expect({ path, ...found }).toEqual({ path, ran: false, elements: 0, links: 0 });
    }
  });

  it('characters that change the direction of a text are shown by their codes and change nothing around a name', async () => {
    const { page } = visitor;
    const project = await create('/projects', { name: 'shop-prod' });
    const asset = '//storage.googleapis.com/gpj.\u202Eexe';
    await plantFindings(server.database, user.tenant.id, project.id, [
      {
        asset,
        message: 'Anybody can read gpj.\u2066exe.',
        evidence: [{ path: 'a', value: 'b\u200Bc' }],
      },
      { asset: '//storage.googleapis.com/\u05D0\u05D1-1', title: 'In Hebrew' },
    ]);
    await visitor.goto('/findings');
    await visitor.signIn(user.email, user.password);
    const grid = page.getByRole('grid', { name: 'Findings' });
    await grid.getByText('gpj.[U+202E]exe', { exact: true }).filter({ visible: true }).waitFor();
    await grid
      .getByRole('checkbox', { name: 'Select Bucket is public, gpj.[U+202E]exe' })
      .waitFor();
    await grid.getByText('Anybody can read gpj.[U+2066]exe.').waitFor();
    await grid.getByRole('button', { name: 'Bucket is public', exact: true }).click();
    const panel = page.getByRole('complementary', { name: /^Finding/ });
    await panel.getByText('gpj.[U+202E]exe', { exact: true }).waitFor();
    await panel.getByText('"b[U+200B]c"').waitFor();
    // Beside the panel, the name and the project share a line.
    const names = grid.locator('bdi').filter({ visible: true });
    await expect.poll(() => names.count()).toBe(2);
    const order = await names.evaluateAll((all) =>
      all.map((name) => {
        const project = document.createRange();
        if (name.nextSibling !== null) project.selectNode(name.nextSibling);
        return project.getBoundingClientRect().left >= name.getBoundingClientRect().right - 1;
      }),
    );
    expect(order).toEqual([true, true]);
    await panel.getByRole('button', { name: 'All findings of this asset' }).click();
    await page
      .getByRole('list', { name: 'Active filters' })
      .getByText('//storage.googleapis.com/gpj.[U+202E]exe')
      .waitFor();
    await visitor.move('/findings?by=asset');
    const groups = page.getByRole('table', { name: 'Findings by asset' });
    await groups.getByText('gpj.[U+202E]exe').first().waitFor();
    const main = await page.getByRole('main').innerText();
    expect(main).not.toMatch(/[\u202A-\u202E\u2066-\u2069]/);
  });

  it.each([
    ['another origin', 'https://evil.example/'],
    ['another origin without a scheme', '//evil.example/'],
    ['a script', 'javascript:window.pwned=5'],
    ['a back slash', '/\\evil.example/'],
  ])('the sign-in page does not lead to %s', async (_, next) => {
    await visitor.goto(`/sign-in?next=${encodeURIComponent(next)}`);
    await visitor.signIn(user.email, user.password);
    await visitor.page.getByRole('navigation', { name: 'Main' }).first().waitFor();
    await visitor.page.waitForURL(`${server.url}/console/`);
    expect(await visitor.page.evaluate(() => 'pwned' in window)).toBe(false);
  });
});
