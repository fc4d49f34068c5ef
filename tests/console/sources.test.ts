import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildConsole } from '../../scripts/build-console.mjs';
import { newId } from '../../server/platform/ids.ts';
import { Analyst } from '../kit/analyst.ts';
import { launchBrowser, noBrowser } from '../kit/browser.ts';
import { type ConsoleOptions, ConsoleVisitor } from '../kit/console-page.ts';
import { FakeGoogle } from '../kit/google/fake-google.ts';
import { loseAnswers } from '../kit/lost-answer.ts';
import { rowsOf } from '../kit/owner-queries.ts';
import type { TestUser } from '../kit/people.ts';
import { BUILT_CONSOLE, startTestServer, type TestServer } from '../kit/test-server.ts';

const PARENT = 'projects/shop-prod';
const SAMPLE = new URL('../../samples/shop-prod.ndjson', import.meta.url);
const SCREEN = '/projects/shop-prod/source';

describe.skipIf(noBrowser !== null)('the inventory source of a project in the console', () => {
  let browser: Browser;
  let google: FakeGoogle;
  let server: TestServer;
  let user: TestUser;
  let person: Analyst;
  let visitor: ConsoleVisitor;
  /** Each test has an account of its own, because quota is counted for it. */
  let email: string;
  let accounts = 0;

  beforeAll(async () => {
    await buildConsole();
    google = await FakeGoogle.start();
    await google.serveFile(PARENT, SAMPLE);
    [browser, server] = await Promise.all([
      launchBrowser(),
      startTestServer({ consoleFolder: BUILT_CONSOLE, worker: true, googleCloud: google }),
    ]);
  });

  afterAll(async () => {
    await Promise.all([browser?.close(), server?.close()]);
    await google?.close();
  });

  beforeEach(async () => {
    google.misbehave = null;
    accounts += 1;
    email = `scanner@console-${accounts}.iam.gserviceaccount.com`;
    user = await server.people.user();
    person = new Analyst(server, user.key, user.tenant.id);
    await person.ask(201, '/projects', { method: 'POST', body: { name: 'shop-prod' } });
  });

  afterEach(() => visitor.close());

  async function open(path = SCREEN, by = user, options: ConsoleOptions = {}): Promise<void> {
    visitor = await ConsoleVisitor.open(browser, server, options);
    await visitor.goto(path);
    await visitor.signIn(by.email, by.password);
  }

  const attach = (key: object) =>
    person.ask(201, '/projects/shop-prod/source', {
      method: 'PUT',
      body: {
        kind: 'google-cloud',
        parent: PARENT,
        credential: { type: 'service_account_key', key },
      },
    });

  const fileOf = (content: unknown) => ({
    name: 'key.json',
    mimeType: 'application/json',
    buffer: Buffer.from(typeof content === 'string' ? content : JSON.stringify(content)),
  });

  it('the page of an inventory source sets a key file, checks it, pulls an inventory, and deletes the source', async () => {
    const key = google.viewer(PARENT, email);
    await open('/projects/shop-prod');
    const { page } = visitor;
    await page.getByRole('link', { name: 'Pull from Google Cloud' }).click();
    await page.getByText('The project has no inventory source').waitFor();
    await page.getByText('No inventory has been pulled').waitFor();
    await page.getByRole('button', { name: 'Set source' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Parent').fill(PARENT);
    await dialog.getByRole('button', { name: 'Set source' }).click();
    await dialog.getByText('Choose a key file.').waitFor();
    const put = page.waitForRequest((one) => one.method() === 'PUT');
    await dialog.getByLabel('Key file').setInputFiles(fileOf({ ...key, extra: 'not sent' }));
    await dialog.getByText(email).waitFor();
    await dialog.getByRole('button', { name: 'Set source' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect((await put).postDataJSON().credential.key).toEqual({
      type: 'service_account',
      client_email: email,
      private_key: key['private_key'],
    });
    await page.getByText(email, { exact: true }).waitFor();
    expect(await page.content()).not.toContain('PRIVATE KEY');

    await page.getByRole('button', { name: 'Check', exact: true }).click();
    await page.getByText('A pull would be complete.').waitFor();
    await page.getByRole('button', { name: 'Pull now' }).click();
    await page.getByRole('row', { name: /Completed/ }).waitFor();
    const { inventory } = await person.ask(200, '/projects/shop-prod');
    expect(inventory.assets).toBeGreaterThan(0);
    await page.getByRole('row', { name: new RegExp(`Completed ${inventory.assets}`) }).waitFor();
    await page.locator('#main').getByRole('link', { name: 'shop-prod', exact: true }).click();
    await page.getByRole('row', { name: new RegExp(`Current.*${inventory.assets}`) }).waitFor();

    await page.getByRole('link', { name: 'Inventory source', exact: true }).click();
    await page.getByRole('button', { name: 'Delete source' }).click();
    await dialog.getByRole('button', { name: 'Delete source' }).click();
    await page.getByText('The project has no inventory source').waitFor();
    await page.getByRole('row', { name: /Completed/ }).waitFor();
    expect(await person.ask(200, '/projects/shop-prod')).toMatchObject({ hasSource: false });
    expect(visitor.complaints).toEqual([]);
  });

  it('the page of an inventory source accepts a dropped key file, and explains why other files are refused', async () => {
    await open();
    const { page } = visitor;
    await page.getByRole('button', { name: 'Set source' }).click();
    const dialog = page.getByRole('dialog');
    const input = dialog.getByLabel('Key file');
    for (const [content, text] of [
      ['-----BEGIN PRIVATE KEY-----', 'The file is not a JSON object.'],
      [{ type: 'external_account' }, 'Files of workload identity federation are not accepted.'],
      [{ type: 'authorized_user' }, 'its type is not service_account'],
      [{ type: 'service_account', client_email: email }, 'lacks client_email or private_key'],
      ['x'.repeat(40_000), 'too large for a key file'],
    ] as const) {
      await input.setInputFiles(fileOf(content));
      await dialog.getByRole('alert').getByText(text, { exact: false }).waitFor();
    }
    await dialog.getByTestId('drop-zone').evaluate(
      (zone, key) => {
        const transfer = new DataTransfer();
        transfer.items.add(new File([key], 'key.json'));
        zone.dispatchEvent(
          new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }),
        );
      },
      JSON.stringify(google.viewer(PARENT, email)),
    );
    await dialog.getByText(email).waitFor();
    await dialog.getByLabel('Parent').fill(PARENT);
    await dialog.getByRole('button', { name: 'Set source' }).click();
    await page.getByText(email, { exact: true }).waitFor();
    expect(visitor.complaints).toEqual([]);
  });

  it('the page of an inventory source accepts only an account with the prefix of the tenant for impersonation', async () => {
    const { googlePrincipalPrefix: prefix } = await person.ask(200, '/tenant');
    await open();
    const { page } = visitor;
    await page.getByRole('button', { name: 'Set source' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Parent').fill(PARENT);
    await dialog.getByRole('combobox', { name: 'Credential' }).click();
    await page.getByRole('option', { name: 'Impersonation of a service account' }).click();
    await dialog.getByText(prefix, { exact: true }).waitFor();
    const account = dialog.getByLabel('Service account');
    await account.fill('other@shop-prod.iam.gserviceaccount.com');
    await dialog.getByRole('button', { name: 'Set source' }).click();
    await dialog.getByRole('alert').waitFor();
    await account.fill(`${prefix}@shop-prod.iam.gserviceaccount.com`);
    await dialog.getByRole('button', { name: 'Set source' }).click();
    await page.getByText('Impersonation', { exact: true }).waitFor();
    expect(await person.ask(200, '/projects/shop-prod/source')).toMatchObject({
      credentialType: 'impersonation',
    });
    expect(visitor.complaints).toEqual([]);
  });

  it('the page of an inventory source says how to grant a missing permission, and why a pull failed', async () => {
    await attach(google.identities.serviceAccount(email, google.settings.tokenUrl));
    await open();
    const { page } = visitor;
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    await page.getByText('A pull would fail or be partial.').waitFor();
    const checks = page.getByRole('list', { name: 'Checks' });
    await checks.getByText('roles/cloudasset.viewer', { exact: false }).first().waitFor();
    expect(await visitor.accessibilityViolations()).toEqual([]);
    await visitor.screenshot('source-check-failed');
    await page.getByRole('button', { name: 'Pull now' }).click();
    await page.getByRole('row', { name: /Failed/ }).waitFor();
    const { items } = await person.ask(200, '/projects/shop-prod/inventory/pulls');
    await page.getByText(items[0].problem).waitFor();
    expect(visitor.complaints).toEqual([]);
  });

  it('the page of an inventory source shows the end of a pull after more pulls were loaded', async () => {
    await attach(google.viewer(PARENT, email));
    const project = await person.ask(200, '/projects/shop-prod');
    const at = new Date().toISOString();
    const statuses = [...Array.from({ length: 26 }, () => 'completed'), 'running'];
    const rows = statuses.map((status) => ({
      ...{ tenant_id: user.tenant.id, id: newId(), project_id: project.id, status, parent: PARENT },
      ...{ turn: 1, stalls: 0, pages: 1, records: 1, bytes: 1, missing: [], assets: 1 },
      ...{ created_by_kind: 'user', created_by_label: 'Ada', created_at: at, started_at: at },
      finished_at: status === 'running' ? null : at,
    }));
    await rowsOf(
      server.database,
      user.tenant.id,
      'INSERT INTO pulls SELECT * FROM json_populate_recordset(NULL::pulls, $1)',
      [JSON.stringify(rows)],
    );
    await open();
    const { page } = visitor;
    const start = page.getByRole('button', { name: 'Pull now' });
    await page.getByRole('row', { name: /Running/ }).waitFor();
    await page.getByRole('button', { name: 'Load more' }).click();
    await expect.poll(() => page.getByRole('row', { name: /Completed/ }).count()).toBe(26);
    expect(await start.getAttribute('aria-disabled')).toBe('true');
    await rowsOf(
      server.database,
      user.tenant.id,
      "UPDATE pulls SET status = 'completed', finished_at = now() WHERE status = 'running'",
    );
    await page.getByRole('row', { name: /Running/ }).waitFor({ state: 'detached' });
    await expect.poll(() => start.getAttribute('aria-disabled')).toBeNull();
    expect(visitor.complaints).toEqual([]);
  });

  it('a second try after the answer to a pull was lost starts no second pull', async () => {
    await attach(google.viewer(PARENT, email));
    await open();
    const { page } = visitor;
    const path = '/projects/shop-prod/inventory/pull';
    const lost = await loseAnswers(page, path);
    await page.getByRole('button', { name: 'Pull now' }).click();
    await page.getByRole('alert').getByText('The server cannot be reached.').waitFor();
    const pulls = async () => (await person.ask(200, `${path}s`)).items;
    await expect.poll(async () => (await pulls())[0].status).toBe('completed');
    lost.end();
    await page.getByRole('button', { name: 'Pull now' }).click();
    await page.getByRole('row', { name: /Completed/ }).waitFor();
    expect(await pulls()).toHaveLength(1);
  });

  it('the failure of a check of an inventory source goes when another source replaces it', async () => {
    await attach(google.viewer(PARENT, email));
    await open();
    const { page } = visitor;
    await page.route('**/source/check', (route) => route.abort());
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    const failure = page.getByRole('alert').getByText('The server cannot be reached.');
    await failure.waitFor();
    await page.getByRole('button', { name: 'Replace' }).click();
    const dialog = page.getByRole('dialog', { name: 'Set the inventory source' });
    const key = google.viewer(PARENT, `other-${email}`);
    await dialog.getByLabel('Key file').setInputFiles(fileOf(key));
    await dialog.getByRole('button', { name: 'Set source' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText(`other-${email}`).waitFor();
    expect(await failure.count()).toBe(0);
  });

  describe('before the source is loaded', () => {
    let load: () => void;

    beforeEach(async () => {
      await attach(google.viewer(PARENT, email));
      await open('/projects/shop-prod');
      const { page } = visitor;
      const isLoaded = new Promise<void>((resolve) => {
        load = resolve;
      });
      await page.route('**/projects/shop-prod/source', async (route) => {
        await isLoaded;
        await route.continue();
      });
      await page.getByRole('link', { name: 'Inventory source', exact: true }).click();
    });

    it('a check of an inventory source that is started before the source is loaded shows its result', async () => {
      const { page } = visitor;
      await page.getByRole('button', { name: 'Check', exact: true }).click();
      await page.locator('button[aria-disabled]', { hasText: 'Check' }).waitFor();
      load();
      await page.getByText('A pull would be complete.').waitFor();
      expect(visitor.complaints).toEqual([]);
    });

    it('the form that replaces an inventory source waits for the source, whose parent it shows', async () => {
      const { page } = visitor;
      await page.getByRole('button', { name: 'Replace' }).click();
      const dialog = page.getByRole('dialog', { name: 'Set the inventory source' });
      await dialog.waitFor();
      expect(await dialog.getByLabel('Parent').count()).toBe(0);
      load();
      await expect.poll(() => dialog.getByLabel('Parent').inputValue()).toBe(PARENT);
      expect(visitor.complaints).toEqual([]);
    });
  });

  it('the page of an inventory source is refused without the permission to write projects, and not offered', async () => {
    await open(
      '/projects/shop-prod',
      await server.people.user({ tenant: user.tenant, role: 'viewer' }),
    );
    const { page } = visitor;
    await page.getByText('Latest scan').waitFor();
    await expect.poll(() => page.getByRole('link', { name: /source|Pull from/ }).count()).toBe(0);
    await visitor.move(SCREEN);
    await page.getByText('Your role lacks the permission projects.write.').waitFor();
    expect(visitor.complaints).toEqual([]);
  });

  it('the page of an inventory source says that a project does not exist', async () => {
    await open('/projects/nothing-here/source');
    await visitor.page.getByRole('heading', { name: 'Not found' }).waitFor();
  });

  it.each(['desktop', 'phone'] as const)(
    'the page of an inventory source has no accessibility violations on a %s in either theme',
    async (size) => {
      for (const theme of ['light', 'dark'] as const) {
        await open(SCREEN, user, { size, theme });
        const { page } = visitor;
        if (theme === 'light') {
          await page.getByText('The project has no inventory source').waitFor();
          expect(await visitor.accessibilityViolations()).toEqual([]);
          await visitor.screenshot(`source-none-${size}`);
          await attach(google.viewer(PARENT, email));
          await page.reload();
        }
        await page.getByRole('button', { name: 'Check', exact: true }).click();
        await page.getByText('A pull would be complete.').waitFor();
        await page.getByRole('button', { name: 'Pull now' }).click();
        await page
          .getByRole('row', { name: /Completed/ })
          .first()
          .waitFor();
        expect(await visitor.accessibilityViolations()).toEqual([]);
        await visitor.screenshot(`source-${size}-${theme}`);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        expect(wide).toBeLessThanOrEqual(page.viewportSize()?.width ?? 0);
        await page.getByRole('button', { name: 'Replace' }).click();
        const dialog = page.getByRole('dialog');
        await dialog.getByText('Drop a key file here').waitFor();
        await expect.poll(() => dialog.getByLabel('Parent').inputValue()).toBe(PARENT);
        expect(await visitor.accessibilityViolations()).toEqual([]);
        await visitor.screenshot(`source-set-${size}-${theme}`);
        expect(visitor.complaints).toEqual([]);
        if (theme === 'light') await visitor.close();
      }
    },
  );

  it('the page of an inventory source uses at most three requests', async () => {
    await attach(google.viewer(PARENT, email));
    await open();
    await visitor.page.getByText(email, { exact: true }).waitFor();
    await visitor.page.getByText('No inventory has been pulled').waitFor();
    const requests = visitor.takeRequests().filter((one) => !/\/auth\//.test(one));
    expect(requests.toSorted()).toEqual([
      'GET /projects/shop-prod',
      'GET /projects/shop-prod/inventory/pulls?limit=25',
      'GET /projects/shop-prod/source',
    ]);
  });
});
