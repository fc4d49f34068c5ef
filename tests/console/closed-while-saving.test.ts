import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { noBrowser } from '../kit/browser.ts';
import { signInWithCode } from '../kit/console-admin.ts';
import { consoleFixture } from '../kit/console-fixture.ts';
import { choose } from '../kit/console-journeys.ts';
import type { ConsoleVisitor } from '../kit/console-page.ts';
import { CUSTOM_RULE, RuleEditor } from '../kit/console-rule-editor.ts';
import { holdDelete, holdPost } from '../kit/held-request.ts';
import type { TestUser } from '../kit/people.ts';

interface Form {
  readonly path: string;
  /** The button that opens the form, and the one that saves it. */
  readonly buttons: readonly [open: string, save: string];
  readonly title: string;
  readonly field: string;
  /** Two values of the field. */
  readonly values: readonly [string, string];
  readonly fill?: (dialog: Locator) => Promise<void>;
  readonly saved: string;
}

const ROLE: Form = {
  path: '/roles',
  buttons: ['Create role', 'Create role'],
  title: 'Create a role',
  field: 'Name',
  values: ['ops', 'audit'],
  fill: (dialog) => dialog.getByLabel('See projects').check(),
  saved: 'Role created',
};

const FORMS: readonly Form[] = [
  {
    path: '/people',
    buttons: ['Invite', 'Send invitation'],
    title: 'Invite somebody',
    field: 'E-mail',
    values: ['ada@example.com', 'grace@example.com'],
    saved: 'Invitation sent',
  },
  ROLE,
  {
    path: '/schedules',
    buttons: ['Create schedule', 'Create schedule'],
    title: 'Create a schedule',
    field: 'Name',
    values: ['nightly', 'weekly'],
    fill: (dialog) => dialog.getByRole('checkbox', { name: /shop-prod/ }).check(),
    saved: 'Schedule created',
  },
  {
    path: '/mutes',
    buttons: ['Create mute', 'Create mute'],
    title: 'Create a mute',
    field: 'Reason',
    values: ['A static site', 'A test'],
    fill: (dialog) => dialog.getByLabel('Project').fill('shop-prod'),
    saved: 'Mute created',
  },
];

describe.skipIf(noBrowser !== null)('forms of the console that are closed while they save', () => {
  const site = consoleFixture({ mail: true, worker: true });

  async function open(path: string, given?: TestUser): Promise<ConsoleVisitor> {
    const user = given ?? (await site.server.people.user());
    const body = { name: 'shop-prod' };
    await site.server.call('/projects', { method: 'POST', headers: user.key, body });
    const visitor = await site.visit();
    await visitor.goto(path);
    await signInWithCode(visitor, site.server, user);
    await visitor.page.locator('#main').getByRole('heading', { level: 1 }).waitFor();
    return visitor;
  }

  const drafts = (page: Page) =>
    page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.startsWith('cspm-draft')));
  const toast = (page: Page, text: string) =>
    page.getByRole('region', { name: 'Notifications' }).getByText(text).waitFor();
  const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 });

  /** Opens the dialog that deletes what the page shows. */
  async function openDeletion(page: Page): Promise<void> {
    const more = page.getByRole('button', { name: /^More actions for/ });
    const button = page.locator('#main').getByRole('button', { name: 'Delete', exact: true });
    await more.or(button).click();
    if (await more.isVisible())
      await page.getByRole('menuitem', { name: 'Delete project' }).click();
  }

  it.each(FORMS)(
    'a form that was cancelled while it saved leaves the form that was opened after it open, with its draft: $title',
    async ({ path, buttons, title, field, values, fill, saved }) => {
      const { page } = await open(path);
      const dialog = page.getByRole('dialog', { name: title });
      const input = dialog.getByLabel(field, { exact: true });
      const { sent, release } = await holdPost(page, path === '/people' ? '/users' : path);
      await page.getByRole('button', { name: buttons[0] }).first().click();
      await input.fill(values[0]);
      await fill?.(dialog);
      await dialog.getByRole('button', { name: buttons[1] }).click();
      await sent;
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await dialog.waitFor({ state: 'detached' });
      await page.getByRole('button', { name: buttons[0] }).first().click();
      await input.fill(values[1]);
      release();
      await toast(page, saved);
      expect(await input.inputValue()).toBe(values[1]);
      expect(await drafts(page)).toHaveLength(1);
    },
  );

  it('the draft of a form that was left by Back while it saved is forgotten when it is saved', async () => {
    const visitor = await open('/findings');
    const { page } = visitor;
    await choose(visitor, 'Roles');
    const dialog = page.getByRole('dialog', { name: ROLE.title });
    const { sent, release } = await holdPost(page, '/roles');
    await page.getByRole('button', { name: 'Create role' }).first().click();
    await dialog.getByLabel('Name', { exact: true }).fill('ops');
    await dialog.getByLabel('See projects').check();
    await dialog.getByRole('button', { name: 'Create role' }).click();
    await sent;
    await page.evaluate(() => history.back());
    await heading(page, 'Findings').waitFor();
    release();
    await toast(page, 'Role created');
    expect(await drafts(page)).toEqual([]);
  });

  it('a domain that is added or verified after its dialog was closed does not close the form of another domain', async () => {
    const tenant = await site.server.people.tenant(['sso']);
    const user = await site.server.people.user({ tenant });
    const { page } = await open('/tenant', user);
    const dialog = page.getByRole('dialog');
    const input = dialog.getByLabel('Domain', { exact: true });
    const add = page.locator('#main').getByRole('button', { name: 'Add domain' });
    const first = `${tenant.id}.example.com`;
    const creation = await holdPost(page, '/tenant/domains');
    await add.click();
    await input.fill(first);
    await dialog.getByRole('button', { name: 'Add domain' }).click();
    await creation.sent;
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await add.click();
    await input.fill('second.example.com');
    creation.release();
    await toast(page, 'Domain added');
    expect(await input.inputValue()).toBe('second.example.com');
    await dialog.getByRole('button', { name: 'Cancel' }).click();

    const { json } = await site.server.call('/tenant/domains', { headers: user.key });
    site.server.dns.set(first, [json.items[0].record.value]);
    await page.getByRole('button', { name: `DNS record of ${first}` }).click();
    const check = await holdPost(page, `/tenant/domains/${first}/verify`);
    await dialog.getByRole('button', { name: 'Verify now' }).click();
    await check.sent;
    await dialog.getByRole('button', { name: 'Close' }).first().click();
    await add.click();
    await input.fill('third.example.com');
    check.release();
    await toast(page, 'Domain verified');
    expect(await input.inputValue()).toBe('third.example.com');
  });

  it('a project, a profile or a rule that is deleted after the person went back leads to no other page', async () => {
    const tenant = await site.server.people.tenant(['custom_rules']);
    const user = await site.server.people.user({ tenant });
    const make = (path: string, body: object) =>
      site.server.call(path, { method: 'POST', headers: user.key, body });
    await make('/projects', { name: 'shop-prod' });
    await make('/profiles', { name: 'custom:web-tier', include: ['severity:high'] });
    const rule = await make('/custom-rules', CUSTOM_RULE);
    expect(rule.status).toBe(201);
    const visitor = await open('/findings', user);
    const { page } = visitor;
    for (const [path, title, button, done] of [
      ['/projects/shop-prod', 'shop-prod', 'Delete project', 'Project deleted'],
      ['/profiles/custom:web-tier', 'custom:web-tier', 'Delete profile', 'Profile deleted'],
      [`/custom-rules/${rule.json.id}`, 'Bucket is not uniform', 'Delete rule', 'Rule deleted'],
    ] as const) {
      await heading(page, 'Findings').waitFor();
      await visitor.move(path);
      await heading(page, title).waitFor();
      const { sent, release } = await holdDelete(page, path);
      await openDeletion(page);
      await page.getByRole('dialog').getByRole('button', { name: button }).click();
      await sent;
      await page.goBack();
      await heading(page, 'Findings').waitFor();
      release();
      await toast(page, done);
      await visitor.quiet();
      expect(await heading(page, 'Findings').count()).toBe(1);
    }
  });

  it('a toast says why a project could not be deleted after the person went back', async () => {
    const user = await site.server.people.user();
    await site.server.call('/projects', {
      method: 'POST',
      headers: user.key,
      body: { name: 'shop-prod' },
    });
    const visitor = await open('/findings', user);
    const { page } = visitor;
    await heading(page, 'Findings').waitFor();
    await visitor.move('/projects/shop-prod');
    await heading(page, 'shop-prod').waitFor();
    const { sent, release } = await holdDelete(page, '/projects/shop-prod');
    await openDeletion(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Delete project' }).click();
    await sent;
    await page.goBack();
    await heading(page, 'Findings').waitFor();
    await site.server.call('/projects/shop-prod', { method: 'DELETE', headers: user.key });
    release();
    await toast(page, 'This does not exist. It may have been deleted.');
  });

  it('the console does not open a project whose form was closed before it was created', async () => {
    const visitor = await open('/projects');
    const { page } = visitor;
    const { sent, release } = await holdPost(page, '/projects');
    await page.getByRole('button', { name: 'Create project' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: true }).fill('shop-test');
    await dialog.getByRole('button', { name: 'Create project' }).click();
    await sent;
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await choose(visitor, 'Findings');
    release();
    await toast(page, 'Project created');
    await visitor.quiet();
    expect(await heading(page, 'Findings').count()).toBe(1);
  });

  it('the console does not open a profile whose form was left before it was created, and forgets its draft', async () => {
    const visitor = await open('/profiles/new');
    const { page } = visitor;
    const { sent, release } = await holdPost(page, '/profiles');
    await page.getByLabel('Name').fill('web-tier');
    await page.getByLabel('Include', { exact: true }).fill('severity:high');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Create profile' }).click();
    await sent;
    await choose(visitor, 'Findings');
    release();
    await toast(page, 'Profile created');
    await visitor.quiet();
    expect(await heading(page, 'Findings').count()).toBe(1);
    expect(await drafts(page)).toEqual([]);
  });

  it('a toast says why a profile could not be created after its form was left', async () => {
    const user = await site.server.people.user();
    const body = { name: 'custom:web-tier', include: ['severity:high'] };
    await site.server.call('/profiles', { method: 'POST', headers: user.key, body });
    const visitor = await open('/profiles/new', user);
    const { page } = visitor;
    const { sent, release } = await holdPost(page, '/profiles');
    await page.getByLabel('Name').fill('web-tier');
    await page.getByLabel('Include', { exact: true }).fill('severity:high');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Create profile' }).click();
    await sent;
    await choose(visitor, 'Findings');
    const answer = page.waitForResponse((one) => one.request().method() === 'POST');
    release();
    const { detail } = await (await answer).json();
    await toast(page, detail);
  });

  it('the console does not open a custom rule whose form was left before it was created', async () => {
    const tenant = await site.server.people.tenant(['custom_rules']);
    const visitor = await open('/custom-rules/_new', await site.server.people.user({ tenant }));
    const { page } = visitor;
    const editor = new RuleEditor(visitor);
    const { sent, release } = await holdPost(page, '/custom-rules');
    await editor.fillIn('Bucket is not uniform');
    await editor.write('true');
    await page.getByRole('button', { name: 'Create rule' }).click();
    await sent;
    await page.getByRole('link', { name: 'All custom rules' }).click();
    const question = page.getByRole('dialog', { name: 'Leave without saving?' });
    await question.getByRole('button', { name: 'Discard changes' }).click();
    await heading(page, 'Custom rules').waitFor();
    release();
    await toast(page, 'Rule created');
    await visitor.quiet();
    expect(await heading(page, 'Custom rules').count()).toBe(1);
  });
});
