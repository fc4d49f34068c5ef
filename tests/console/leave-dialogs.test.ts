import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { noBrowser } from '../kit/browser.ts';
import { signInWithCode } from '../kit/console-admin.ts';
import { consoleFixture } from '../kit/console-fixture.ts';
import { choose, waitForShell } from '../kit/console-journeys.ts';
import type { ConsoleVisitor } from '../kit/console-page.ts';
import type { TestUser } from '../kit/people.ts';
import { plantFindings } from '../kit/planted-findings.ts';

/** A dialog with a form: its screen, the button that opens it, its title, and a field. */
const DIALOGS = [
  ['Roles', 'Create role', 'Create a role', 'Name'],
  ['Schedules', 'Create schedule', 'Create a schedule', 'Name'],
  ['People', 'Invite', 'Invite somebody', 'Name'],
  ['API keys', 'Create key', 'Create an API key', 'Name'],
  ['Webhooks', 'Create webhook', 'Create a webhook', 'Description'],
  ['Projects', 'Create project', 'Create a project', 'Name'],
] as const;

interface ChangedForm {
  readonly form: string;
  readonly screen: string;
  readonly open: (page: Page) => Promise<unknown>;
  readonly change: (page: Page) => Promise<unknown>;
  /** The title of the question. Default: that of a dialog. */
  readonly question?: string;
}

const fill = (label: string) => (page: Page) =>
  page.getByLabel(label, { exact: true }).fill('typed');

/** Forms that need something to change. */
const CHANGED: readonly ChangedForm[] = [
  {
    form: 'the role of a person',
    screen: 'People',
    async open(page) {
      const row = page.getByRole('row', { name: /viewer/ });
      await row.getByRole('button', { name: /^Actions for/ }).click();
      await page.getByRole('menuitem', { name: 'Change role' }).click();
    },
    async change(page) {
      await page.getByRole('dialog').getByRole('combobox', { name: 'Role' }).click();
      await page.getByRole('option', { name: 'analyst' }).click();
    },
  },
  {
    form: 'the description of a project',
    screen: 'Projects',
    async open(page) {
      await page.getByRole('link', { name: 'shop-prod', exact: true }).click();
      await page.getByRole('button', { name: /^More actions for/ }).click();
      await page.getByRole('menuitem', { name: /Edit/ }).click();
    },
    change: fill('Description'),
  },
  {
    form: 'a mute of a finding',
    screen: 'Findings',
    async open(page) {
      await page.getByRole('button', { name: 'Public', exact: true }).focus();
      await page.keyboard.press('m');
    },
    change: fill('Reason'),
  },
  {
    form: 'a saved view',
    screen: 'Findings',
    async open(page) {
      await page.getByRole('button', { name: 'Views', exact: true }).click();
      await page.getByRole('menuitem', { name: /Save/ }).click();
    },
    change: fill('Name'),
  },
  {
    form: 'the identity provider',
    screen: 'Single sign-on',
    open: async () => {},
    change: fill('E-mail domains'),
    question: 'Leave without saving?',
  },
];

describe.skipIf(noBrowser !== null)('leaving an open dialog of the console', () => {
  const site = consoleFixture();

  /** Arrives from the dashboard, so that Back leads there. */
  async function arrive(screen: string, user?: TestUser): Promise<ConsoleVisitor> {
    const visitor = await site.visit();
    await visitor.goto('/');
    await signInWithCode(visitor, site.server, user ?? (await site.server.people.user()));
    await waitForShell(visitor);
    await choose(visitor, screen);
    return visitor;
  }

  const questionOn = (page: Page) =>
    page.getByRole('dialog', { name: 'Discard what you entered?' });
  const back = (page: Page) => page.evaluate(() => history.back());
  const leaves = (page: Page, screen: string) =>
    page.getByRole('heading', { name: screen, level: 1 }).waitFor({ state: 'detached' });

  it.each(DIALOGS)(
    'the console asks before Back or a reload discards what was entered on %s: %s',
    async (screen, button, title, label) => {
      const { page } = await arrive(screen);
      const asked: string[] = [];
      page.on('dialog', async (dialog) => {
        asked.push(dialog.type());
        await dialog.dismiss();
      });
      await page.getByRole('button', { name: button }).first().click();
      const field = page.getByRole('dialog', { name: title }).getByLabel(label, { exact: true });
      await field.fill('typed');
      await back(page);
      await questionOn(page).getByRole('button', { name: 'Cancel' }).click();
      await questionOn(page).waitFor({ state: 'detached' });
      expect(await field.inputValue()).toBe('typed');
      await page.evaluate(() => location.reload());
      await expect.poll(() => asked).toEqual(['beforeunload']);
      expect(await field.inputValue()).toBe('typed');
      await back(page);
      await questionOn(page).getByRole('button', { name: 'Discard' }).click();
      await leaves(page, screen);
      expect(await page.getByRole('dialog').count()).toBe(0);
    },
  );

  it.each(CHANGED)(
    'the console asks before Back discards a changed form: $form',
    async ({ screen, open, change, question = 'Discard what you entered?' }) => {
      const tenant = await site.server.people.tenant(['sso']);
      const user = await site.server.people.user({ tenant });
      const body = { name: 'shop-prod' };
      const made = await site.server.call('/projects', { method: 'POST', headers: user.key, body });
      await plantFindings(site.server.database, tenant.id, made.json.id, [{ title: 'Public' }]);
      await site.server.people.user({ tenant, role: 'viewer' });
      const visitor = await arrive('Schedules', user);
      const { page } = visitor;
      await choose(visitor, screen);
      await open(page);
      const address = page.url();
      await change(page);
      await back(page);
      const dialog = page.getByRole('dialog', { name: question });
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await dialog.waitFor({ state: 'detached' });
      // The address is that of the page again.
      await page.waitForURL(address);
      await back(page);
      await dialog.getByRole('button', { name: /^Discard/ }).click();
      await expect.poll(() => page.url()).not.toBe(address);
      await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
    },
  );

  it('a dialog of the console asks no question before Back when nothing was entered', async () => {
    const { page } = await arrive('Schedules');
    await page.getByRole('button', { name: 'Create schedule' }).first().click();
    await page.getByRole('dialog').getByLabel('Name', { exact: true }).waitFor();
    await back(page);
    await leaves(page, 'Schedules');
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  it('a dialog of the console asks no question while it saves and after it has saved', async () => {
    const { page } = await arrive('Projects');
    const create = async (name: string) => {
      await page.getByRole('button', { name: 'Create project' }).first().click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Name', { exact: true }).fill(name);
      await dialog.getByRole('button', { name: 'Create project' }).click();
    };
    await create('shop-prod');
    await page.getByRole('heading', { name: 'shop-prod', level: 1 }).waitFor();
    await back(page);
    await page.getByRole('heading', { name: 'Projects', level: 1 }).waitFor();
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/projects', async (route) => {
      await released;
      await route.continue();
    });
    const sent = page.waitForRequest('**/projects');
    await create('shop-test');
    await sent;
    await back(page);
    await leaves(page, 'Projects');
    expect(await page.getByRole('dialog').count()).toBe(0);
    release();
  });

  it('a dialog on a page with unsaved changes asks one question before Back', async () => {
    const tenant = await site.server.people.tenant(['sso']);
    const { page } = await arrive('Tenant', await site.server.people.user({ tenant }));
    await page.getByLabel('Own domains').fill('typed.example.com');
    await page.getByRole('button', { name: 'Add domain' }).click();
    await page.getByRole('dialog').getByLabel('Domain').fill('corp.example.com');
    await back(page);
    const question = page.getByRole('dialog', { name: 'Leave without saving?' });
    await question.getByRole('button', { name: 'Discard changes' }).click();
    await leaves(page, 'Tenant');
    expect(await page.getByRole('dialog').count()).toBe(0);
  });
});
