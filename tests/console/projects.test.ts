import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { buildConsole } from '../../scripts/build-console.mjs';
import { newId } from '../../server/platform/ids.ts';
import { Analyst } from '../kit/analyst.ts';
import { launchBrowser, noBrowser } from '../kit/browser.ts';
import { type ConsoleOptions, ConsoleVisitor } from '../kit/console-page.ts';
import { rowsOf } from '../kit/owner-queries.ts';
import type { TestUser, UserOptions } from '../kit/people.ts';
import { BUILT_CONSOLE, startTestServer, type TestServer } from '../kit/test-server.ts';

const SAMPLE = new URL('../../samples/shop-prod.ndjson', import.meta.url);

describe.skipIf(noBrowser !== null)('projects in the console', () => {
  let browser: Browser;
  let server: TestServer;
  let sample: Buffer;
  let user: TestUser;
  let analyst: Analyst;
  let visitor: ConsoleVisitor;

  beforeAll(async () => {
    await buildConsole();
    sample = await readFile(SAMPLE);
    [browser, server] = await Promise.all([
      launchBrowser(),
      startTestServer({ consoleFolder: BUILT_CONSOLE, worker: true }),
    ]);
  });

  afterAll(async () => {
    await Promise.all([browser?.close(), server?.close()]);
  });

  afterEach(() => visitor?.close());

  async function visit(path: string, who: UserOptions = {}, options: ConsoleOptions = {}) {
    user = await server.people.user(who);
    analyst = new Analyst(server, user.key, user.tenant.id);
    await open(path, options);
  }

  async function open(path: string, options: ConsoleOptions = {}) {
    visitor = await ConsoleVisitor.open(browser, server, options);
    await visitor.goto(path);
    await visitor.signIn(user.email, user.password);
  }

  async function withProject(name = 'shop-prod') {
    user = await server.people.user();
    analyst = new Analyst(server, user.key, user.tenant.id);
    const description = '<img src=x onerror=alert(1)>';
    await analyst.ask(201, '/projects', { method: 'POST', body: { name, description } });
  }

  it('the projects page searches the loaded projects, and opens any other by its full name', async () => {
    await withProject('the-oldest');
    await rowsOf(
      server.database,
      user.tenant.id,
      `INSERT INTO projects (tenant_id, id, name, description, created_at)
       SELECT $1::uuid, id, 'newer-' || n, 'Team ' || n, now() + n * interval '1 ms' FROM unnest($2::uuid[]) WITH ORDINALITY AS newer(id, n)`,
      [user.tenant.id, Array.from({ length: 100 }, () => newId())],
    );
    await open('/projects');
    const { page } = visitor;
    const search = page.getByRole('searchbox', { name: 'Search projects' });
    const rows = page.getByRole('table', { name: 'Projects' }).locator('tbody tr');
    await search.fill('team 10');
    await expect.poll(() => rows.count()).toBe(2);
    await search.fill('the-oldest');
    await page.getByRole('heading', { name: 'No project matches' }).waitFor();
    await page.getByText('Searched the newest 100 projects.').waitFor();
    expect(await visitor.accessibilityViolations()).toEqual([]);
    await page.getByRole('link', { name: 'Open the-oldest' }).click();
    await page.getByRole('heading', { name: 'the-oldest', level: 1 }).waitFor();
    await page.goBack();
    await page.getByRole('button', { name: 'Load more' }).click();
    await page.getByRole('link', { name: 'the-oldest', exact: true }).waitFor();
    expect(await rows.count()).toBe(1);
    expect(visitor.complaints).toEqual([]);
  });

  it('the projects page creates a project, refuses a name that is taken, and opens the project', async () => {
    await visit('/projects');
    const { page } = visitor;
    await page.getByText('There are no projects yet').waitFor();
    await page.getByRole('button', { name: 'Create project' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Shop Prod');
    await dialog.getByRole('button', { name: 'Create project' }).click();
    await dialog.getByText('Begin with a letter or a digit.', { exact: false }).waitFor();
    await dialog.getByLabel('Name').fill('shop-prod');
    await dialog.getByLabel('Description').fill('The web shop');
    await dialog.getByRole('button', { name: 'Create project' }).click();
    await page.getByRole('heading', { name: 'shop-prod', level: 1 }).waitFor();
    await page.getByText('The web shop').waitFor();

    await page.getByRole('navigation').getByRole('link', { name: 'Projects' }).click();
    await page.getByRole('button', { name: 'Create project' }).click();
    await dialog.getByLabel('Name').fill('shop-prod');
    await dialog.getByRole('button', { name: 'Create project' }).click();
    await dialog.getByRole('alert').waitFor();
    expect(visitor.complaints).toEqual([]);
  });

  it('the project page uploads a chosen file gzipped, and lists the inventory', async () => {
    await withProject();
    await open('/projects/shop-prod');
    const { page } = visitor;
    const request = page.waitForRequest((one) => one.url().endsWith('/shop-prod/inventory'));
    await page
      .getByLabel('Inventory file')
      .setInputFiles({ name: 'shop-prod.ndjson', mimeType: '', buffer: sample });
    await page.getByText(/Uploaded \d+ assets/).waitFor();
    expect((await request).headers()).toMatchObject({
      'content-encoding': 'gzip',
      'content-type': 'application/x-ndjson',
    });
    const { assets } = (await analyst.ask(200, '/projects/shop-prod')).inventory;
    await page.getByRole('row', { name: new RegExp(`Current.*${assets}`) }).waitFor();
    expect(visitor.complaints).toEqual([]);
  });

  it.each(['export.json.gz', 'export.json'])(
    'the project page uploads a dropped file %s that is already gzipped',
    async (name) => {
      await withProject();
      await open('/projects/shop-prod');
      const { page } = visitor;
      await page.getByTestId('drop-zone').waitFor();
      await page.evaluate(
        async ([text, name]) => {
          const gzip = new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'));
          const transfer = new DataTransfer();
          transfer.items.add(new File([await new Response(gzip).blob()], name));
          const zone = document.querySelector('[data-testid=drop-zone]');
          zone?.dispatchEvent(
            new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }),
          );
        },
        [sample.toString(), name] as const,
      );
      await page.getByText(/Uploaded \d+ assets/).waitFor();
      expect(visitor.complaints).toEqual([]);
    },
  );

  it('the project page renews an expired session during an upload', async () => {
    await withProject();
    await open('/projects/shop-prod');
    const { page } = visitor;
    await page.getByTestId('drop-zone').waitFor();
    let refused = 0;
    await page.route('**/inventory', async (route) => {
      refused += 1;
      if (refused > 1) return route.continue();
      return route.continue({
        headers: { ...route.request().headers(), authorization: 'Bearer x' },
      });
    });
    await page
      .getByLabel('Inventory file')
      .setInputFiles({ name: 'shop-prod.ndjson', mimeType: '', buffer: sample });
    await page.getByText(/Uploaded \d+ assets/).waitFor();
    expect(refused).toBe(2);
  });

  it('the project page says what is wrong with a file and keeps the inventory', async () => {
    await withProject();
    await open('/projects/shop-prod');
    const { page } = visitor;
    const file = page.getByLabel('Inventory file');
    await file.setInputFiles({ name: 'x.ndjson', mimeType: '', buffer: Buffer.from('{"a":\n{}') });
    await page.getByRole('alert').waitFor();
    await page.getByRole('button', { name: 'Upload x.ndjson again' }).waitFor();
    expect((await analyst.ask(200, '/projects/shop-prod')).inventory).toBeNull();
    await file.setInputFiles({ name: 'shop.ndjson', mimeType: '', buffer: sample });
    await page.getByText(/Uploaded \d+ assets/).waitFor();
    expect(visitor.complaints).toEqual([]);
  });

  it('the project page says that a file is not gzip, or can no longer be read', async () => {
    await withProject();
    await open('/projects/shop-prod');
    const { page } = visitor;
    const file = page.getByLabel('Inventory file');
    const buffer = Buffer.from('{"a": 1}');
    await file.setInputFiles({ name: 'export.json.gz', mimeType: 'application/gzip', buffer });
    await page.getByText('The file ends with .gz but is not gzip.').waitFor();

    const path = join(await mkdtemp(join(tmpdir(), 'console-')), 'moved.ndjson');
    await writeFile(path, '{"a":\n{}');
    await file.setInputFiles(path);
    const again = page.getByRole('button', { name: 'Upload moved.ndjson again' });
    await again.waitFor();
    await rm(dirname(path), { recursive: true });
    await again.click();
    await page.getByText('The file cannot be read. Choose it again.').waitFor();
    expect(visitor.complaints).toEqual([]);
  });

  it('the list of inventories says that there are more types than it counts', async () => {
    await withProject();
    const types = Array.from({ length: 101 }, (_, index) => `example.com/Type${index}`);
    await analyst.upload(
      'shop-prod',
      types.map((type) => ({ name: `//${type}`, asset_type: type })),
    );
    await open('/projects/shop-prod');
    await visitor.page.getByText('and at least 97 more types').waitFor();
  });

  it('the projects page shows the age of a new project after the page was open for minutes', async () => {
    await visit('/projects');
    const { page } = visitor;
    await page.getByText('There are no projects yet').waitFor();
    await page.clock.install({ time: Date.now() + 240_000 });
    server.clock.advance({ minutes: 4 });
    await page.getByRole('button', { name: 'Create project' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('shop-prod');
    await dialog.getByRole('button', { name: 'Create project' }).click();
    await page.getByTestId('drop-zone').waitFor();
    await page.getByRole('link', { name: 'Projects', exact: true }).first().click();
    const row = page.getByRole('row', { name: /shop-prod/ });
    await row.getByText('just now').waitFor();
  });

  it('the project page edits the description and deletes the project after a confirmation', async () => {
    await withProject();
    await open('/projects/shop-prod');
    const { page } = visitor;
    await page.getByRole('button', { name: 'More actions for shop-prod' }).click();
    await page.getByRole('menuitem', { name: 'Edit description' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Description').fill('Changed');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('Changed', { exact: true }).waitFor();

    await page.getByRole('button', { name: 'More actions for shop-prod' }).click();
    await page.getByRole('menuitem', { name: 'Delete project' }).click();
    await dialog.getByRole('button', { name: 'Delete project' }).click();
    await page.getByText('There are no projects yet').waitFor();
    expect((await analyst.call('/projects/shop-prod')).status).toBe(404);
    expect(visitor.complaints).toEqual([]);
  });

  it('the projects page shows a viewer no actions, and a person without the permission a refusal', async () => {
    await withProject();
    const { tenant } = user;
    user = await server.people.user({ tenant, role: 'viewer' });
    await open('/projects/shop-prod');
    await visitor.page.getByText('Latest scan').waitFor();
    await expect.poll(() => visitor.page.getByTestId('drop-zone').count()).toBe(0);
    await expect
      .poll(() => visitor.page.getByRole('button', { name: /Launch|More actions/ }).count())
      .toBe(0);
    await visitor.close();

    await visit('/projects', { role: ['scans.read'] });
    await visitor.page.getByText('Your role lacks the permission projects.read.').waitFor();
    expect(visitor.complaints).toEqual([]);
  });

  it('the project page says that a project does not exist', async () => {
    await visit('/projects/nothing-here');
    await visitor.page.getByRole('heading', { name: 'Not found' }).waitFor();
  });

  it('the project page uses at most three requests', async () => {
    await withProject();
    await open('/projects/shop-prod');
    await visitor.page.getByText('No inventory has been uploaded').waitFor();
    await visitor.page.getByText('This project has not been scanned.').waitFor();
    const requests = visitor.takeRequests().filter((one) => !/\/auth\//.test(one));
    expect(requests.toSorted()).toEqual([
      'GET /projects/shop-prod',
      'GET /projects/shop-prod/inventories?limit=25',
      'GET /scans?project=shop-prod&limit=1',
    ]);
  });

  it.each(['desktop', 'phone'] as const)(
    'the projects page has no accessibility violations on a %s in either theme',
    async (size) => {
      await withProject();
      await analyst.send('shop-prod', sample);
      await analyst.scan('shop-prod');
      for (const theme of ['light', 'dark'] as const) {
        await open('/projects', { size, theme });
        const { page } = visitor;
        await page.getByRole('link', { name: 'shop-prod' }).waitFor();
        expect(await visitor.accessibilityViolations()).toEqual([]);
        await visitor.screenshot(`projects-${size}-${theme}`);
        await page.getByRole('link', { name: 'shop-prod' }).click();
        await page.getByRole('row', { name: /Current/ }).waitFor();
        await page.getByText('All scans').waitFor();
        expect(await visitor.accessibilityViolations()).toEqual([]);
        await visitor.screenshot(`project-${size}-${theme}`);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        expect(wide).toBeLessThanOrEqual(page.viewportSize()?.width ?? 0);
        expect(visitor.complaints).toEqual([]);
        await visitor.close();
      }
    },
  );
});
