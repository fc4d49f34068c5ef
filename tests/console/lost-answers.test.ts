import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { noBrowser } from '../kit/browser.ts';
import { signInWithCode } from '../kit/console-admin.ts';
import { consoleFixture } from '../kit/console-fixture.ts';
import { invite } from '../kit/console-journeys.ts';
import type { ConsoleVisitor } from '../kit/console-page.ts';
import { BUCKET_TYPE, RuleEditor } from '../kit/console-rule-editor.ts';
import { loseAnswers } from '../kit/lost-answer.ts';
import { WebhookReceiver } from '../kit/webhook-receiver.ts';

const LOST = 'The server cannot be reached.';

interface Form {
  readonly what: string;
  /** The page with the form. */
  readonly path: string;
  /** The button that opens the form; left out: the page shows it. */
  readonly open?: string;
  readonly fill: (page: Page, visitor: ConsoleVisitor) => Promise<void>;
  /** The button that creates. */
  readonly create: string;
  /** The path of the API, which also lists what was created. */
  readonly api: string;
  /** Shows that it was created. */
  readonly created: (page: Page) => Promise<unknown>;
}

const toast = (text: string) => (page: Page) =>
  page.getByRole('region', { name: 'Notifications' }).getByText(text).waitFor();
const heading = (name: string) => (page: Page) =>
  page.getByRole('heading', { name, level: 1 }).waitFor();
const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });

const FORMS: readonly Form[] = [
  {
    what: 'a project',
    path: '/projects',
    open: 'Create project',
    fill: (page) => field(page, 'Name').fill('shop-test'),
    create: 'Create project',
    api: '/projects',
    created: heading('shop-test'),
  },
  {
    what: 'a scan',
    path: '/scans',
    open: 'Launch scan',
    async fill(page) {
      await page.getByRole('checkbox', { name: 'shop-prod' }).check();
      await page.getByRole('button', { name: 'Check', exact: true }).click();
    },
    create: 'Launch scan',
    api: '/scans',
    created: heading('Scan of shop-prod'),
  },
  {
    what: 'a schedule',
    path: '/schedules',
    open: 'Create schedule',
    async fill(page) {
      await field(page, 'Name').fill('nightly');
      await page.getByRole('checkbox', { name: 'shop-prod' }).check();
    },
    create: 'Create schedule',
    api: '/schedules',
    created: toast('Schedule created'),
  },
  {
    what: 'a mute by a selector',
    path: '/mutes',
    open: 'Create mute',
    async fill(page) {
      await field(page, 'Project').fill('shop-prod');
      await field(page, 'Reason').fill('A test');
      await page.getByRole('combobox', { name: 'Ends after' }).click();
      await page.getByRole('option', { name: '30 days' }).click();
    },
    create: 'Create mute',
    api: '/mutes',
    created: toast('Mute created'),
  },
  {
    what: 'a saved view',
    path: '/findings?severity=high',
    open: 'Views',
    async fill(page) {
      await page.getByRole('menuitem', { name: /Save/ }).click();
      await field(page, 'Name').fill('High');
    },
    create: 'Save view',
    api: '/views',
    created: toast('View “High” saved'),
  },
  {
    what: 'a role',
    path: '/roles',
    open: 'Create role',
    async fill(page) {
      await field(page, 'Name').fill('ops');
      await page.getByLabel('See projects').check();
    },
    create: 'Create role',
    api: '/roles',
    created: toast('Role created'),
  },
  {
    what: 'a profile',
    path: '/profiles/new',
    async fill(page) {
      await field(page, 'Name').fill('web-tier');
      await field(page, 'Include').fill('severity:high');
      await page.keyboard.press('Enter');
    },
    create: 'Create profile',
    api: '/profiles',
    created: heading('custom:web-tier'),
  },
  {
    what: 'a custom rule',
    path: '/custom-rules/_new',
    async fill(_, visitor) {
      const editor = new RuleEditor(visitor);
      await editor.fillIn('Bucket is not uniform');
      await editor.write('true');
    },
    create: 'Create rule',
    api: '/custom-rules',
    created: heading('Bucket is not uniform'),
  },
  {
    what: 'an invitation',
    path: '/people',
    open: 'Invite',
    fill: (page) => field(page, 'E-mail').fill('ada@example.com'),
    create: 'Send invitation',
    api: '/users',
    created: toast('Invitation sent'),
  },
  {
    what: 'an e-mail domain',
    path: '/tenant',
    open: 'Add domain',
    fill: (page) => field(page, 'Domain').fill('example.com'),
    create: 'Add domain',
    api: '/tenant/domains',
    created: (page) => page.getByRole('dialog', { name: 'Verify example.com' }).waitFor(),
  },
];

describe.skipIf(noBrowser !== null)('a second try in the console after an answer was lost', () => {
  const site = consoleFixture({ mail: true, worker: true });

  async function arrive(path: string) {
    const tenant = await site.server.people.tenant(['sso', 'custom_rules']);
    const user = await site.server.people.user({ tenant });
    const call = (at: string, body?: object, method = 'POST') =>
      site.server.call(at, { headers: user.key, ...(body === undefined ? {} : { method, body }) });
    await call('/projects', { name: 'shop-prod' });
    const records = { name: '//x', asset_type: BUCKET_TYPE };
    await site.server.call('/projects/shop-prod/inventory', {
      method: 'PUT',
      headers: { ...user.key, 'content-type': 'application/x-ndjson' },
      body: JSON.stringify(records),
    });
    const visitor = await site.visit();
    await visitor.goto(path);
    await signInWithCode(visitor, site.server, user);
    await visitor.page.locator('#main').getByRole('heading', { level: 1 }).waitFor();
    return { visitor, page: visitor.page, call };
  }

  it.each(FORMS)(
    'a second try after a lost answer creates it once and shows it: $what',
    async (form) => {
      const { visitor, page, call } = await arrive(form.path);
      const count = async () => (await call(form.api)).json.items.length;
      const before = await count();
      if (form.open !== undefined)
        await page.locator('#main').getByRole('button', { name: form.open }).first().click();
      await form.fill(page, visitor);
      const scope = form.open === undefined ? page.locator('#main') : page.getByRole('dialog');
      const button = scope.getByRole('button', { name: form.create, exact: true });
      const { keys, end } = await loseAnswers(page, form.api);
      await button.click();
      await page.getByRole('alert').getByText(LOST).first().waitFor();
      end();
      await button.click();
      await form.created(page);
      expect(await count()).toBe(before + 1);
      expect(new Set(keys).size).toBe(1);
    },
  );

  it('a second try after a lost answer shows the API key that the first try created, and creates another one for another name', async () => {
    const { page, call } = await arrive('/api-keys');
    const names = async () =>
      (await call('/api-keys')).json.items.map(({ name }: { name: string }) => name);
    const before = await names();
    const dialog = page.getByRole('dialog');
    const button = dialog.getByRole('button', { name: 'Create key' });
    await page.getByRole('button', { name: 'Create key' }).first().click();
    const { keys, end } = await loseAnswers(page, '/api-keys');
    for (const name of ['pipeline', 'laptop']) {
      await field(page, 'Name').fill(name);
      await button.click();
      await dialog.getByRole('alert').getByText(LOST).waitFor();
    }
    expect(new Set(keys).size).toBe(2);
    end();
    await button.click();
    const key = await dialog.getByTestId('api-key').innerText();
    expect(new Set(keys).size).toBe(2);
    expect(new Set(await names())).toEqual(new Set([...before, 'pipeline', 'laptop']));
    const own = await site.server.call('/projects', { headers: { 'x-api-key': key } });
    expect(own.status).toBe(200);
  });

  it('a second try after a lost answer shows the secret of the webhook that the first try created, and rotates it once, also after the question was closed', async () => {
    const receiver = await WebhookReceiver.start();
    try {
      const { page, call } = await arrive('/webhooks');
      const dialog = page.getByRole('dialog');
      const secret = dialog.getByTestId('webhook-secret');
      await page.getByRole('button', { name: 'Create webhook' }).first().click();
      await field(page, 'URL').fill(receiver.url);
      await dialog.getByLabel('scan.completed').check();
      const create = dialog.getByRole('button', { name: 'Create webhook' });
      const creation = await loseAnswers(page, '/webhooks');
      await create.click();
      await dialog.getByRole('alert').getByText(LOST).waitFor();
      creation.end();
      await create.click();
      const first = await secret.innerText();
      const { items } = (await call('/webhooks')).json;
      expect(items).toHaveLength(1);
      await dialog.getByRole('button', { name: 'Done' }).click();

      await page.getByRole('link', { name: receiver.url }).click();
      const ask = page.locator('#main').getByRole('button', { name: 'Rotate secret' });
      await ask.click();
      const rotate = dialog.getByRole('button', { name: 'Rotate secret' });
      const rotation = await loseAnswers(page, `/webhooks/${items[0].id}/rotate-secret`);
      await rotate.click();
      await dialog.getByRole('alert').getByText(LOST).waitFor();
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await page.getByText('Previous secret', { exact: true }).waitFor();
      rotation.end();
      await ask.click();
      await rotate.click();
      expect(await secret.innerText()).not.toBe(first);
      expect(new Set(rotation.keys).size).toBe(1);
      await dialog.getByRole('button', { name: 'Done' }).click();
      await ask.click();
      await rotate.click();
      await secret.waitFor();
      expect(new Set(rotation.keys).size).toBe(2);
    } finally {
      await receiver.close();
    }
  });

  it('a second try after a lost answer sends an invitation again once', async () => {
    const { visitor, page, call } = await arrive('/people');
    const email = 'grace@example.com';
    await invite(visitor, email, 'Grace Hopper', 'viewer');
    await toast('Invitation sent')(page);
    const { items } = (await call('/users')).json;
    const invited = items.find((one: { email: string }) => one.email === email);
    site.server.clock.advance({ minutes: 11 });
    await page.getByRole('button', { name: `Actions for ${email}` }).click();
    await page.getByRole('menuitem', { name: 'Send the invitation again' }).click();
    const button = page.getByRole('dialog').getByRole('button', { name: 'Send again' });
    const { end } = await loseAnswers(page, `/users/${invited.id}/resend-invitation`);
    await button.click();
    await page.getByRole('dialog').getByRole('alert').getByText(LOST).waitFor();
    end();
    await button.click();
    await button.waitFor({ state: 'detached' });
  });
});
