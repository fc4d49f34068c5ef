import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildConsole } from '../../scripts/build-console.mjs';
import { Analyst } from '../kit/analyst.ts';
import { launchBrowser, noBrowser } from '../kit/browser.ts';
import { ConsoleVisitor } from '../kit/console-page.ts';
import type { TestUser } from '../kit/people.ts';
import { BUILT_CONSOLE, startTestServer, type TestServer } from '../kit/test-server.ts';

interface Profile {
  readonly name: string;
  readonly definition: { readonly include: string[]; readonly exclude: string[] };
}

describe.skipIf(noBrowser !== null)('profiles in the console', () => {
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

  async function open(path: string): Promise<void> {
    await visitor.goto(path);
    await visitor.signIn(user.email, user.password);
  }

  const plant = (name: string) =>
    analyst.ask(201, '/profiles', {
      method: 'POST',
      body: {
        name,
        include: ['category:kms', 'bucket-*'],
        exclude: ['bucket-public'],
        parameters: { 'kms-rotation-90d': { days: 30 } },
      },
    });

  it('the profiles page creates a profile with a parameter, changes it and deletes it', async () => {
    await open('/profiles');
    const { page } = visitor;
    await page.getByRole('link', { name: 'Create profile' }).click();
    await page.getByLabel('Name').fill('web-tier');
    await page.getByLabel('Include', { exact: true }).fill('kms-rotation-*');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Selects 1 rule' }).waitFor();
    await page.getByLabel('kms-rotation-90d: days').fill('30');
    await page.getByRole('button', { name: 'Create profile' }).click();
    await page.getByRole('heading', { name: 'custom:web-tier', level: 1 }).waitFor();
    const saved = async () =>
      (await analyst.ask(200, '/profiles')).items.find(
        (one: { name: string }) => one.name === 'custom:web-tier',
      );
    expect((await saved()).definition).toEqual({
      include: ['kms-rotation-*'],
      exclude: [],
      parameters: { 'kms-rotation-90d': { days: 30 } },
    });

    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Include', { exact: true }).fill('category:storage');
    await page.getByRole('button', { name: 'Add to Include' }).click();
    await page.getByLabel('Exclude', { exact: true }).fill('bucket-public');
    await page.keyboard.press('Enter');
    const preview = await page.getByRole('heading', { name: /^Selects/ }).innerText();
    await page.getByRole('button', { name: 'Save profile' }).click();
    await page.getByRole('button', { name: 'Delete' }).waitFor();
    expect(preview).toBe(`Selects ${(await saved()).ruleCount} rules`);

    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete profile' }).click();
    await page.getByRole('heading', { name: 'Profiles', level: 1 }).waitFor();
    expect(await saved()).toBeUndefined();
    expect(visitor.complaints).toEqual([]);
  });

  it('the profiles page saves selectors that were typed but not added', async () => {
    await open('/profiles/new');
    const { page } = visitor;
    await page.getByLabel('Name').fill('web-tier');
    await page.getByLabel('Include', { exact: true }).fill('severity:high');
    await page.getByLabel('Exclude', { exact: true }).fill('category:iam');
    await page.getByText('severity:high', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Create profile' }).click();
    await page.getByRole('heading', { name: 'custom:web-tier' }).waitFor();
    const { items } = await analyst.ask(200, '/profiles');
    const saved = items.find(({ name }: { name: string }) => name === 'custom:web-tier');
    expect(saved.definition).toMatchObject({
      include: ['severity:high'],
      exclude: ['category:iam'],
    });
  });

  it('the profiles page shows the refusal of the server next to the selector', async () => {
    await open('/profiles/new');
    const { page } = visitor;
    await page.getByLabel('Name').fill('broken');
    await page.getByRole('button', { name: 'Create profile' }).click();
    await page.getByText('Include at least one selector.').waitFor();
    await page.getByLabel('Include', { exact: true }).fill('no-such-rule');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Create profile' }).click();
    await page.getByText(/^no-such-rule: /).waitFor();
    expect(await page.getByRole('alert').allTextContents()).toEqual(['Correct the marked fields.']);
  });

  it('the profiles page shows built-in profiles without buttons that change them', async () => {
    await open('/profiles/full');
    const { page } = visitor;
    await page.getByText(/built-in profile, read-only/).waitFor();
    await page.getByRole('table', { name: 'Rules of the profile' }).waitFor();
    await expect.poll(() => page.getByRole('button', { name: /^(Edit|Delete)$/ }).count()).toBe(0);
  });

  it('the form of a profile closes on the way to another profile, which keeps its own definition', async () => {
    const definitions = { 'custom:one': 'category:kms', 'custom:two': 'bucket-*' };
    for (const [name, include] of Object.entries(definitions))
      await analyst.ask(201, '/profiles', { method: 'POST', body: { name, include: [include] } });
    await open('/profiles');
    const { page } = visitor;
    const edit = page.getByRole('button', { name: 'Edit' });
    await page.getByRole('link', { name: 'custom:two' }).click();
    await edit.waitFor();
    await page.getByRole('link', { name: 'All profiles' }).click();
    await page.getByRole('link', { name: 'custom:one' }).click();
    await edit.click();
    await page.getByRole('button', { name: 'Save profile' }).waitFor();
    await page.evaluate(() => history.go(-2));
    await page.getByRole('heading', { name: 'custom:two', level: 1 }).waitFor();
    await edit.click();
    await page.getByLabel('Exclude', { exact: true }).fill('bucket-public');
    await page.getByRole('button', { name: 'Save profile' }).click();
    await page.getByText('Profile saved').waitFor();
    const { items } = await analyst.ask(200, '/profiles');
    const saved = items.filter(({ name }: { name: string }) => name in definitions);
    expect(
      saved.map(({ name, definition: { include, exclude } }: Profile) => [name, include, exclude]),
    ).toEqual([
      ['custom:one', ['category:kms'], []],
      ['custom:two', ['bucket-*'], ['bucket-public']],
    ]);
  });

  it('the profiles page marks other names of a profile, which the form of a scan does not offer', async () => {
    await analyst.project();
    await open('/profiles');
    const { page } = visitor;
    const row = page.getByRole('row', { name: /^cis-gcp ?Alias/ });
    await row.getByText('Another name of cis-gcp-4.0.').waitFor();
    await visitor.goto('/scans');
    await page.getByRole('button', { name: 'Launch scan' }).first().click();
    await page.getByRole('dialog').getByRole('combobox', { name: 'Profile' }).click();
    await page.getByRole('option', { name: /Critical and high/ }).waitFor();
    expect(await page.getByRole('option', { name: /Critical and high/ }).count()).toBe(1);
    expect(visitor.complaints).toEqual([]);
  });

  it('the profiles page offers no changes to a person who may only read', async () => {
    await plant('custom:theirs');
    user = await server.people.user({ tenant: user.tenant, role: ['rules.read'] });
    await open('/profiles');
    const { page } = visitor;
    await page.getByRole('link', { name: 'custom:theirs' }).waitFor();
    await expect.poll(() => page.getByRole('button', { name: /Delete/ }).count()).toBe(0);
    await expect.poll(() => page.getByRole('link', { name: 'Create profile' }).count()).toBe(0);
  });

  it('the profiles page tells a person who may only read which permission a new profile needs', async () => {
    user = await server.people.user({ role: ['rules.read'] });
    await open('/profiles/new');
    await visitor.page.getByText('lacks the permission rules.write').waitFor();
  });

  it('the profiles page uses one request for the list', async () => {
    await open('/profiles');
    await visitor.page.getByRole('table').getByText('full', { exact: true }).waitFor();
    const requests = visitor.takeRequests().filter((one) => !one.includes('/auth/'));
    expect(requests).toEqual(['GET /profiles']);
  });

  it.each(['desktop', 'phone'] as const)(
    'the profiles page is accessible in both themes on a %s',
    async (size) => {
      await plant('custom:web-tier');
      for (const theme of ['light', 'dark'] as const) {
        await visitor.close();
        visitor = await ConsoleVisitor.open(browser, server, { size, theme });
        await open('/profiles');
        const { page } = visitor;
        await page.getByRole('link', { name: 'custom:web-tier' }).waitFor();
        expect(await visitor.accessibilityViolations()).toEqual([]);
        await visitor.screenshot(`profiles-${size}-${theme}`);
        await page.getByRole('link', { name: 'custom:web-tier' }).click();
        await page.getByRole('table', { name: 'Rules of the profile' }).waitFor();
        expect(await visitor.accessibilityViolations()).toEqual([]);
        await visitor.screenshot(`profile-${size}-${theme}`);
        await page.getByRole('button', { name: 'Edit' }).click();
        await page.getByLabel('Include', { exact: true }).waitFor();
        expect(await visitor.accessibilityViolations()).toEqual([]);
        await visitor.screenshot(`profile-edit-${size}-${theme}`);
        expect(visitor.complaints).toEqual([]);
      }
    },
  );
});
