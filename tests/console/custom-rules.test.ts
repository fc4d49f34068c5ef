import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildConsole } from '../../scripts/build-console.mjs';
import { Analyst } from '../kit/analyst.ts';
import { launchBrowser, noBrowser } from '../kit/browser.ts';
import { type ConsoleOptions, ConsoleVisitor } from '../kit/console-page.ts';
import { bucket, bucketPolicy, cluster } from '../kit/export-records.ts';
import { Belongings } from '../kit/fixtures.ts';
import type { TestTenant, TestUser } from '../kit/people.ts';
import { BUILT_CONSOLE, startTestServer, type TestServer } from '../kit/test-server.ts';

const BUCKET = 'storage.googleapis.com/Bucket';
const IS_NOT_UNIFORM = 'resource.data.iamConfiguration.uniformBucketLevelAccess.enabled == false';
const RULE = {
  id: 'mine',
  title: 'Bucket is not uniform',
  severity: 'high',
  assetTypes: [BUCKET],
  predicate: IS_NOT_UNIFORM,
};
const HOSTILE = '"><img src=x onerror=alert(1)><style>*{display:none}</style>';

describe.skipIf(noBrowser !== null)('custom rules in the console', () => {
  let browser: Browser;
  let server: TestServer;
  let tenant: TestTenant;
  let user: TestUser;
  let analyst: Analyst;
  let visitor: ConsoleVisitor;

  beforeAll(async () => {
    await buildConsole();
    [browser, server] = await Promise.all([
      launchBrowser(),
      startTestServer({ consoleFolder: BUILT_CONSOLE, worker: true }),
    ]);
  });

  afterAll(async () => {
    await Promise.all([browser?.close(), server?.close()]);
  });

  beforeEach(async () => {
    tenant = await server.people.tenant(['custom_rules']);
    user = await server.people.user({ tenant });
    analyst = new Analyst(server, user.key, tenant.id);
  });

  afterEach(() => visitor?.close());

  async function open(path: string, options: ConsoleOptions = {}): Promise<void> {
    visitor = await ConsoleVisitor.open(browser, server, options);
    await visitor.goto(path);
    await visitor.signIn(user.email, user.password);
  }

  const inventory = () =>
    analyst.project([
      bucket('good'),
      bucket('bad', { uniform: false }),
      bucketPolicy('bare'),
      cluster('of-another-type'),
    ]);
  const plant = (more: object = {}) =>
    analyst.ask(201, '/custom-rules', { method: 'POST', body: { ...RULE, ...more } });
  const condition = () => visitor.page.getByRole('textbox', { name: 'Condition' });
  /** Replaces the text as a person does: the editor gives up a selection that it did not make itself. */
  const write = async (text: string) => {
    await condition().press('ControlOrMeta+a');
    if (text === '') await visitor.page.keyboard.press('Delete');
    else await visitor.page.keyboard.insertText(text);
  };
  const completions = () => visitor.page.getByRole('listbox', { name: 'Completions' });
  const written = () => condition().locator('.cm-line').allInnerTexts();
  const testRequests = () =>
    visitor.takeRequests().filter((one) => one === 'POST /custom-rules/test');

  async function fillIn(title: string): Promise<void> {
    const { page } = visitor;
    await page.getByLabel('Title').fill(title);
    await page.getByLabel('Asset types', { exact: true }).fill(BUCKET);
    await page.keyboard.press('Enter');
    await page.getByText(BUCKET, { exact: true }).waitFor();
  }

  it('writes a rule with completion, sees its error in place, tries it out, saves it and finds its violation', async () => {
    const project = await inventory();
    await open('/custom-rules');
    const { page } = visitor;
    await page.getByRole('link', { name: 'Create rule' }).first().click();
    await fillIn(RULE.title);
    const fields = page.waitForResponse(/custom-rules\/fields/);
    await condition().click();
    await fields;
    await page.keyboard.type('true &&\nresourc.data.x');
    visitor.takeRequests();
    await page.keyboard.press('Control+Enter');
    await page.locator('.cm-faultText').getByText('unknown variable resourc').waitFor();
    expect(await page.locator('.cm-fault').innerText()).toBe('resourc');
    await page.getByRole('alert').filter({ hasText: 'Condition, line 2, column 1' }).waitFor();
    expect(testRequests()).toHaveLength(1);

    await page.keyboard.press('Control+A');
    await page.keyboard.type('reso');
    await completions().getByText('resource', { exact: true }).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.type('.');
    await completions().getByText('data', { exact: true }).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.type('.iamC');
    await completions().getByText('iamConfiguration', { exact: true }).waitFor();
    await completions().getByText('object · 2 of 3').waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.type('.uni');
    await completions().getByText('uniformBucketLevelAccess', { exact: true }).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.type('.enabled == false');
    await expect.poll(written).toEqual([IS_NOT_UNIFORM]);
    await expect.poll(() => page.locator('.cm-faultText').count()).toBe(0);

    await page.getByRole('button', { name: /^Run/ }).click();
    await page.getByRole('button', { name: 'Violations 1' }).waitFor();
    await page.getByRole('list', { name: 'Violations' }).getByText('bad').waitFor();
    await page.getByRole('button', { name: 'Undecided 1' }).click();
    await page.getByRole('list', { name: 'Undecided' }).getByText('RESOURCE').waitFor();
    await page.getByRole('button', { name: 'Passed 1' }).click();
    await page.getByRole('list', { name: 'Passed' }).getByText('good').waitFor();
    await page.getByText(`3 assets of ${project} evaluated`).waitFor();

    await page.getByRole('button', { name: 'Create rule' }).click();
    await page.getByRole('heading', { name: RULE.title, level: 1 }).waitFor();
    const scan = await analyst.scan(project);
    expect(scan.status).toBe('completed');
    await page.getByRole('link', { name: 'Open findings' }).click();
    await page.getByText('bad', { exact: true }).first().waitFor();
    expect(await analyst.findings('rule=bucket-is-not-uniform')).toHaveLength(1);
    expect(visitor.complaints).toEqual([]);
  });

  it('changes, disables and deletes a rule', async () => {
    await plant();
    await open('/custom-rules');
    const { page } = visitor;
    await page.getByRole('link', { name: RULE.title }).click();
    await page.getByLabel('Title').fill('Renamed');
    await page.getByRole('checkbox', { name: /Enabled/ }).uncheck();
    await page.getByText('Unsaved changes').waitFor();
    await page.getByRole('button', { name: 'Save rule' }).click();
    await page.getByRole('heading', { name: 'Renamed', level: 1 }).waitFor();
    await page.getByText('Unsaved changes').waitFor({ state: 'detached' });
    const saved = async () => (await analyst.ask(200, '/custom-rules')).items;
    expect(await saved()).toMatchObject([{ ...RULE, title: 'Renamed', enabled: false }]);

    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete rule' }).click();
    await page.getByText('There are no custom rules yet').waitFor();
    expect(await saved()).toEqual([]);
    expect(visitor.complaints).toEqual([]);
  });

  it('runs tests, shows those that differ, and refuses to save them', async () => {
    await open('/custom-rules/_new');
    const { page } = visitor;
    await fillIn('Bucket without an owner');
    await condition().click();
    await page.keyboard.type('!has(resource.data.labels');
    await page.getByRole('button', { name: 'Add a test' }).click();
    const test = page.getByRole('group', { name: /Test 1/ });
    await test.getByLabel('Asset').fill('{ "name": ');
    await page.getByRole('button', { name: 'Create rule' }).click();
    await test.getByText(/The asset is not valid JSON/).waitFor();
    const asset = { name: 'b', asset_type: BUCKET, resource: { data: { labels: {} } } };
    await test.getByLabel('Asset').fill(JSON.stringify(asset));
    await page.getByRole('button', { name: 'Create rule' }).click();
    await test.getByText('the rule returns pass; expected fail').waitFor();
    await page.getByRole('button', { name: /^Run/ }).click();
    await test.getByText('Returned pass').waitFor();
    await page.getByText('1 of 1 test failed').waitFor();

    await test.getByRole('combobox', { name: 'Expected verdict' }).click();
    await page.getByRole('option', { name: /^pass/ }).click();
    await page.getByRole('button', { name: /^Run/ }).click();
    await page.getByText('1 test passed').waitFor();
    await page.getByRole('button', { name: 'Create rule' }).click();
    await page.getByRole('heading', { name: 'Bucket without an owner', level: 1 }).waitFor();
    expect((await analyst.ask(200, '/custom-rules')).items[0].tests).toEqual([
      { asset, verdict: 'pass' },
    ]);
    expect(visitor.complaints).toEqual([]);
  });

  it('can be written, repaired and saved with the keyboard alone', async () => {
    await inventory();
    await open('/custom-rules/_new');
    const { page } = visitor;
    const focused = () =>
      page.evaluate(() => {
        const outer = document.activeElement;
        const inner = outer?.shadowRoot?.activeElement ?? outer;
        return inner?.getAttribute('aria-label') ?? inner?.textContent ?? '';
      });
    await page.getByLabel('Title').focus();
    await page.keyboard.type('Typed');
    for (const _ of ['severity', 'id', 'types']) await page.keyboard.press('Tab');
    await page.keyboard.type(BUCKET);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: `Remove ${BUCKET}` }).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await expect.poll(focused).toBe('Condition');
    // The keys of shortcuts, such as ? and g s, are text here.
    await page.keyboard.type('g s? ');
    await page.keyboard.press('Tab');
    await expect.poll(focused).toBe('Condition');
    await page.keyboard.press('Control+A');
    await page.keyboard.type('tru');
    await page.keyboard.press('Escape');
    await page.keyboard.type('e');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Tab');
    await expect.poll(focused).toBe('Add a test');
    await page.keyboard.press('Shift+Tab');
    await expect.poll(focused).toBe('Condition');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('button', { name: 'Violations 3' }).waitFor();
    await expect.poll(written).toEqual(['true']);
    await page.getByRole('button', { name: 'Create rule' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Typed', level: 1 }).waitFor();
    expect(visitor.complaints).toEqual([]);
  });

  it('violates no policy on replacing the whole text, pasting, completing and changing the theme', async () => {
    const project = await inventory();
    await plant();
    await open('/custom-rules/mine');
    const { page } = visitor;
    await page.evaluate(() => {
      const seen: string[] = [];
      Object.assign(globalThis, { violations: seen });
      document.addEventListener('securitypolicyviolation', ({ violatedDirective, sourceFile }) =>
        seen.push(`${violatedDirective} ${sourceFile}`),
      );
    });
    await condition().waitFor();
    await write('"one" ==\n"two"');
    await expect.poll(written).toEqual(['"one" ==', '"two"']);
    await page.keyboard.press('Control+A');
    await page.keyboard.press('Control+X');
    await page.keyboard.press('Control+V');
    await expect.poll(written).toEqual(['"one" ==', '"two"']);
    await condition().evaluate((element, html) => {
      const data = new DataTransfer();
      data.setData('text/html', `<p style="color:red">${html}</p>`);
      data.setData('text/plain', 'pasted');
      element.dispatchEvent(
        new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
      );
    }, HOSTILE);
    await expect.poll(async () => (await written()).join('')).toContain('pasted');
    await write('');
    await page.keyboard.type('reso');
    await completions().waitFor();
    await page.keyboard.press('Escape');
    await completions().waitFor({ state: 'detached' });
    await page.getByRole('combobox', { name: 'Inventory of' }).getByText(project).waitFor();
    await page.keyboard.press('Control+Enter');
    await page.locator('.cm-faultText').waitFor();
    await page.getByRole('button', { name: /theme/i }).first().click();
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.keyboard.press('Escape');
    const violations = await page.evaluate(
      () => (globalThis as unknown as { violations: string[] }).violations,
    );
    expect(violations).toEqual([]);
    expect(visitor.complaints).toEqual([]);
  });

  it('shows hostile text as text in every field', async () => {
    await inventory();
    const asset = { name: HOSTILE, asset_type: HOSTILE, resource: { data: { [HOSTILE]: 1 } } };
    await plant({
      title: HOSTILE,
      description: HOSTILE,
      recommendation: HOSTILE,
      assetTypes: [HOSTILE],
      predicate: `"${HOSTILE.replaceAll('"', "'")}" == ""`,
      tests: [{ asset, verdict: 'pass' }],
    });
    await open('/custom-rules');
    const { page } = visitor;
    await page.getByRole('link', { name: HOSTILE }).click();
    await page.getByRole('heading', { name: HOSTILE, level: 1 }).waitFor();
    await write(`${HOSTILE.slice(1)}`);
    await page.getByRole('button', { name: /^Run/ }).click();
    await page.locator('.cm-faultText').waitFor();
    await write('resource.');
    await completions().getByText(HOSTILE, { exact: true }).waitFor();
    await expect.poll(() => page.locator('img[src=x], main style').count()).toBe(0);
    expect(visitor.complaints).toEqual([]);
  });

  it('asks before unsaved changes are lost', async () => {
    await plant();
    await open('/custom-rules');
    const { page } = visitor;
    await page.getByRole('link', { name: RULE.title }).click();
    await page.getByLabel('Title').fill('Changed');
    await page.getByRole('link', { name: 'All custom rules' }).click();
    const dialog = page.getByRole('dialog', { name: 'Leave without saving?' });
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => page.getByLabel('Title').inputValue()).toBe('Changed');
    await page.evaluate(() => history.back());
    await dialog.getByRole('button', { name: 'Discard changes' }).click();
    await page.getByLabel('Title').waitFor({ state: 'detached' });
    expect((await analyst.ask(200, '/custom-rules')).items).toMatchObject([RULE]);
  });

  it('cancels a trial, and sends one request for two presses', async () => {
    await inventory();
    await plant();
    await open('/custom-rules/mine');
    const { page } = visitor;
    await page.getByRole('button', { name: /^Run/ }).waitFor();
    await condition().click();
    visitor.takeRequests();
    await page.keyboard.press('Control+Enter');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('button', { name: 'Violations 1' }).waitFor();
    expect(testRequests()).toHaveLength(1);

    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/custom-rules/test', async (route) => {
      await held;
      await route.abort().catch(() => undefined);
    });
    await page.keyboard.press('Control+Enter');
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByRole('button', { name: /^Run/ }).waitFor();
    release();
    expect(visitor.complaints).toEqual([]);
  });

  it('shows a spent rate limit and a lost connection beside the trial', async () => {
    await plant();
    await open('/custom-rules/mine');
    const { page } = visitor;
    const run = page.getByRole('button', { name: /^Run/ });
    await run.waitFor();
    await page.route('**/custom-rules/test', (route) => route.abort('connectionrefused'));
    await run.click();
    await page.getByText('The server cannot be reached.').first().waitFor();
    await page.unroute('**/custom-rules/test');
    await page.route('**/custom-rules/test', (route) =>
      route.fulfill({
        status: 429,
        headers: { 'content-type': 'application/problem+json', 'retry-after': '30' },
        body: JSON.stringify({ status: 429, code: 'RATE_LIMITED', title: 'Too many requests' }),
      }),
    );
    await run.click();
    await page.getByText('Too many requests. Try again in 30 s.').waitFor();
  });

  it('shows a rule to a person who may only read, without a way to change it', async () => {
    await plant();
    user = await server.people.user({ tenant, role: ['rules.read'] });
    await open('/custom-rules');
    const { page } = visitor;
    await page.getByRole('link', { name: RULE.title }).click();
    await page.getByText(IS_NOT_UNIFORM).waitFor();
    await expect.poll(() => page.getByRole('button', { name: /Save|Delete|Run/ }).count()).toBe(0);
    await condition().click();
    await page.keyboard.type('x');
    await expect.poll(written).toEqual([IS_NOT_UNIFORM]);
    expect(await visitor.accessibilityViolations()).toEqual([]);
    expect(visitor.complaints).toEqual([]);
    await visitor.close();
    await open('/custom-rules/_new');
    await visitor.page.getByText('lacks the permission rules.write').waitFor();
  });

  it('tells a person without the permission, and a tenant without the feature, what is missing', async () => {
    user = await server.people.user({ tenant, role: ['scans.read'] });
    await open('/custom-rules');
    await visitor.page.getByText('lacks the permission rules.read').waitFor();
    await visitor.close();
    user = await server.people.user();
    await open('/custom-rules');
    await visitor.page.getByText('Custom rules are not enabled for your tenant').waitFor();
    expect(await visitor.accessibilityViolations()).toEqual([]);
  });

  it('offers no further rule to a tenant that has a hundred', async () => {
    const has = new Belongings(server.services, server.database, tenant);
    for (let made = 0; made < 100; made += 1) await has.customRule();
    await open('/custom-rules');
    const { page } = visitor;
    await page.getByText('Delete one to create another.').waitFor();
    await expect.poll(() => page.getByRole('link', { name: 'Create rule' }).count()).toBe(0);
  });

  it('uses one request for the list and three for a rule', async () => {
    await inventory();
    await plant();
    await open('/custom-rules');
    await visitor.page.getByRole('link', { name: RULE.title }).waitFor();
    const requests = () => visitor.takeRequests().filter((one) => !/\/auth\//.test(one));
    expect(requests()).toEqual(['GET /custom-rules?limit=100']);
    await visitor.close();
    await open('/custom-rules/mine');
    await condition().waitFor();
    await visitor.page
      .getByRole('combobox', { name: 'Inventory of' })
      .getByText('4 assets')
      .waitFor();
    expect(requests().toSorted()).toEqual([
      'GET /custom-rules?limit=100',
      'GET /projects?limit=100',
      'GET /rules?limit=500',
    ]);
  });

  it.each(['desktop', 'phone'] as const)('is accessible in both themes on a %s', async (size) => {
    await inventory();
    const labels = { asset_type: BUCKET, name: '//storage.googleapis.com/b' };
    const asset = { ...labels, resource: { data: { labels: { owner: 'web' } } } };
    await plant({ tests: [{ asset, verdict: 'unknown' }], description: 'Access is uniform here.' });
    for (const theme of ['light', 'dark'] as const) {
      await open('/custom-rules', { size, theme });
      const { page } = visitor;
      await page.getByRole('link', { name: RULE.title }).waitFor();
      expect(await visitor.accessibilityViolations()).toEqual([]);
      await visitor.screenshot(`custom-rules-${size}-${theme}`);
      await page.getByRole('link', { name: RULE.title }).click();
      await condition().waitFor();
      await page.getByRole('button', { name: /^Run/ }).click();
      await page.getByRole('button', { name: 'Violations 1' }).waitFor();
      expect(await visitor.accessibilityViolations()).toEqual([]);
      await visitor.screenshot(`custom-rule-${size}-${theme}`);
      const fields = page.waitForResponse(/custom-rules\/fields/);
      await condition().click();
      await fields;
      await page.keyboard.press('Control+A');
      await page.keyboard.type(
        '!isPublic(iam_policy) &&\nresource.data.labels["a"] == 2.5 || resource.data.',
      );
      await completions().getByText('iamConfiguration', { exact: true }).waitFor();
      expect(await visitor.accessibilityViolations()).toEqual([]);
      await visitor.screenshot(`custom-rule-completion-${size}-${theme}`);
      await page.keyboard.press('Escape');
      await page.keyboard.press('Control+Enter');
      await page.locator('.cm-faultText').waitFor();
      expect(await visitor.accessibilityViolations()).toEqual([]);
      await visitor.screenshot(`custom-rule-error-${size}-${theme}`);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      expect(wide).toBeLessThanOrEqual(page.viewportSize()?.width ?? 0);
      expect(visitor.complaints).toEqual([]);
      await visitor.close();
    }
  });
});
