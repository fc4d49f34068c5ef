import type { Page, Route } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { Analyst } from '../kit/analyst.ts';
import { noBrowser } from '../kit/browser.ts';
import { consoleFixture } from '../kit/console-fixture.ts';
import { bucket, ndjson } from '../kit/export-records.ts';
import type { TestUser } from '../kit/people.ts';

/** Longer than a page waits for an answer, so that the client does not try again. */
const RETRY_AFTER = '60';

const refuse = (route: Route) =>
  route.fulfill({
    status: 503,
    contentType: 'application/problem+json',
    headers: { 'retry-after': RETRY_AFTER },
    body: JSON.stringify({
      type: 'about:blank',
      title: 'Service Unavailable',
      status: 503,
      code: 'SERVICE_UNAVAILABLE',
      detail: 'The database is busy.',
    }),
  });

describe.skipIf(noBrowser !== null)('loads of the console that fail after others succeeded', () => {
  const site = consoleFixture();
  let user: TestUser;
  let analyst: Analyst;

  beforeEach(async () => {
    user = await site.server.people.user();
    analyst = new Analyst(site.server, user.key, user.tenant.id);
  });

  const create = (path: string, body: object) => analyst.ask(201, path, { method: 'POST', body });
  const failure = (page: Page) =>
    page.getByRole('alert').filter({ hasText: 'The database is busy' });

  /** Saves a description, after which the page loads its project again. */
  async function saveDescription(page: Page): Promise<void> {
    await page.getByRole('button', { name: /More actions/ }).click();
    await page.getByRole('menuitem', { name: 'Edit description' }).click();
    await page.getByRole('dialog').getByLabel('Description').fill('Changed');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  }

  it('a list keeps its rows when the next page cannot be loaded, and loads that page later', async () => {
    for (let number = 0; number < 101; number += 1)
      await create('/projects', { name: `p${number}` });
    const { page } = await site.open('/projects', user);
    const rows = page.getByRole('table', { name: 'Projects' }).getByRole('row');
    await page.getByRole('link', { name: 'p100', exact: true }).waitFor();
    await page.route(/\/projects\?.*cursor/, refuse);
    await page.getByRole('button', { name: 'Load more' }).click();
    await failure(page).waitFor();
    expect(await rows.count()).toBe(101);
    await page.unroute(/\/projects\?.*cursor/);
    await page.getByRole('button', { name: 'Load more' }).click();
    await page.getByRole('link', { name: 'p0', exact: true }).waitFor();
    await failure(page).waitFor({ state: 'detached' });
    expect(await rows.count()).toBe(102);
  });

  it('a form keeps what was typed when the data behind it cannot be loaded again', async () => {
    const visitor = await site.open('/profiles/new', user);
    const { page } = visitor;
    await page.getByLabel('Name').fill('web-tier');
    await page.getByLabel('Include', { exact: true }).fill('severity:high');
    await page.keyboard.press('Enter');
    await page.route(/\/profiles$/, refuse);
    // After an interruption the page loads everything again.
    await page.route(/\/auth\/me/, (route) => route.abort());
    await visitor.returnToTab();
    await page.getByText('The server cannot be reached.').first().waitFor();
    await page.unroute(/\/auth\/me/);
    await failure(page).waitFor();
    expect(await page.getByLabel('Name').inputValue()).toBe('web-tier');
    await page.getByText('severity:high', { exact: true }).waitFor();
    await page.unroute(/\/profiles$/);
    await page.getByRole('button', { name: 'Try again' }).click();
    await failure(page).waitFor({ state: 'detached' });
    expect(await page.getByLabel('Name').inputValue()).toBe('web-tier');
  });

  it('an upload goes on when its project cannot be loaded again', async () => {
    await create('/projects', { name: 'shop-prod' });
    const { page } = await site.open('/projects/shop-prod', user);
    let goOn = () => {};
    const isHeld = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    await page.route(/\/inventory$/, async (route) => {
      await isHeld;
      await route.continue();
    });
    await page.getByLabel('Inventory file').setInputFiles({
      name: 'export.ndjson',
      mimeType: '',
      buffer: Buffer.from(ndjson([bucket('one')])),
    });
    await page.getByRole('button', { name: 'Cancel upload' }).waitFor();
    await page.route(/\/projects\/shop-prod$/, (route) =>
      route.request().method() === 'GET' ? refuse(route) : route.continue(),
    );
    await saveDescription(page);
    await failure(page).waitFor();
    goOn();
    await page.getByText('Uploaded 1 asset of 1 type').waitFor();
  });

  it('a page says that its project does not exist once it was deleted', async () => {
    await create('/projects', { name: 'shop-prod' });
    const { page } = await site.open('/projects/shop-prod', user);
    await page.getByTestId('drop-zone').waitFor();
    await page.route(/\/projects\/shop-prod$/, async (route) => {
      if (route.request().method() === 'PATCH') {
        await route.continue();
        return;
      }
      await analyst.call('/projects/shop-prod', { method: 'DELETE' });
      await route.continue();
    });
    await saveDescription(page);
    await page.getByRole('heading', { name: 'Not found' }).waitFor();
    expect(await page.getByTestId('drop-zone').count()).toBe(0);
  });
});
