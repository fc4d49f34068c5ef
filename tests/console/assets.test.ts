import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildConsole } from '../../scripts/build-console.mjs';
import { Analyst } from '../kit/analyst.ts';
import { launchBrowser, noBrowser } from '../kit/browser.ts';
import { ConsoleVisitor } from '../kit/console-page.ts';
import { bucket, bucketPolicy, cluster } from '../kit/export-records.ts';
import type { TestUser } from '../kit/people.ts';
import { BUILT_CONSOLE, startTestServer, type TestServer } from '../kit/test-server.ts';

describe.skipIf(noBrowser !== null)('assets in the console', () => {
  let browser: Browser;
  let server: TestServer;
  let user: TestUser;
  let person: Analyst;
  let project: string;
  let visitor: ConsoleVisitor;

  const HOSTILE = '<img src=x onerror=alert(1)>';
  const RECORDS = [
    cluster('main', { legacyAbac: true }),
    bucket('files'),
    bucketPolicy('files', ['user:ada@example.com']),
    { ...bucket('eu-files'), resource: { location: 'EU', data: { description: HOSTILE } } },
  ];

  beforeAll(async () => {
    await buildConsole();
    [browser, server] = await Promise.all([
      launchBrowser(),
      startTestServer({ worker: true, consoleFolder: BUILT_CONSOLE }),
    ]);
    user = await server.people.user({ role: 'analyst' });
    person = new Analyst(server, user.key, user.tenant.id);
    project = await person.project(RECORDS);
    await person.scan(project, 'gke');
  });

  afterAll(async () => {
    await Promise.all([browser?.close(), server?.close()]);
  });

  beforeEach(async () => {
    visitor = await ConsoleVisitor.open(browser, server);
  });

  afterEach(() => visitor.close());

  const open = async (path = `/projects/${project}`, by = user) => {
    await visitor.goto(path);
    await visitor.signIn(by.email, by.password);
  };

  it('the page of assets lists the assets of a project, filters them in the address, and shows one', async () => {
    await open();
    const { page } = visitor;
    await page.getByRole('link', { name: 'Assets', exact: true }).click();
    const table = page.getByRole('grid', { name: 'Assets' });
    await table.getByRole('link', { name: 'main', exact: true }).waitFor();
    await expect.poll(() => table.getByRole('row').count()).toBe(4);

    await page.getByRole('combobox', { name: 'Type' }).click();
    await page.getByRole('option', { name: 'Bucket (2)' }).click();
    await page.keyboard.press('Escape');
    await expect.poll(() => table.getByRole('row').count()).toBe(3);
    await page.getByRole('combobox', { name: 'Location' }).click();
    await page.getByRole('option', { name: 'eu (1)' }).click();
    await page.keyboard.press('Escape');
    await expect.poll(() => table.getByRole('row').count()).toBe(2);
    await page.waitForURL(/type=storage.googleapis.com%2FBucket&location=eu/);
    await page.getByRole('button', { name: 'Clear' }).click();
    await expect.poll(() => table.getByRole('row').count()).toBe(4);

    await page.getByLabel('Search the names of assets').fill('CLUSTERS');
    await page.waitForURL(/q=CLUSTERS/);
    await expect.poll(() => table.getByRole('row').count()).toBe(2);
    await table.getByRole('link', { name: 'main', exact: true }).click();

    await page.getByRole('heading', { name: 'main', level: 1 }).waitFor();
    const findings = page.getByRole('region', { name: 'Findings of this asset' });
    await findings.getByRole('link', { name: /legacy/i }).waitFor();
    const verdicts = page.getByRole('region', { name: 'Verdicts of the last scan' });
    await verdicts.getByText('Pass', { exact: true }).first().waitFor();
    await verdicts.getByText('Fail', { exact: true }).waitFor();
    await page.getByLabel('Data as JSON').getByText('"legacyAbac"').waitFor();
    expect(visitor.complaints).toEqual([]);
  });

  it('a finding leads to its asset and back in the console', async () => {
    await open('/findings');
    const { page } = visitor;
    await page
      .getByRole('grid', { name: 'Findings' })
      .getByRole('button', { name: /legacy/i })
      .click();
    await page.getByRole('link', { name: 'Data and verdicts' }).click();
    await page.getByRole('heading', { name: 'main', level: 1 }).waitFor();
    await page.getByRole('link', { name: 'Show in findings' }).click();
    await page
      .getByRole('grid', { name: 'Findings' })
      .getByRole('button', { name: /legacy/i })
      .waitFor();
    expect(visitor.complaints).toEqual([]);
  });

  it('the page of assets shows data with markup as text, and the policy separately', async () => {
    const name = encodeURIComponent('//storage.googleapis.com/eu-files');
    await open(`/projects/${project}/assets/lookup?asset=${name}`);
    const { page } = visitor;
    await page.getByLabel('Data as JSON').getByText(HOSTILE).waitFor();
    const files = encodeURIComponent('//storage.googleapis.com/files');
    await visitor.move(`/projects/${project}/assets/lookup?asset=${files}`);
    await page.getByLabel('IAM policy as JSON').getByText('user:ada@example.com').waitFor();
    expect(visitor.complaints).toEqual([]);
  });

  it('the page of assets explains a project without an inventory, an unknown asset, and a missing permission', async () => {
    const empty = await person.project();
    await open(`/projects/${empty}/assets`);
    const { page } = visitor;
    await page.getByText('The project has no assets yet').waitFor();
    await visitor.move(`/projects/${project}/assets?q=nothing-like-this`);
    await page.getByText('No asset matches the filters').waitFor();
    await visitor.move(`/projects/${project}/assets/lookup?asset=unknown`);
    await page.getByRole('heading', { name: 'Not found' }).waitFor();
  });

  it.each(['light', 'dark'] as const)(
    'the page of assets has no accessibility violations in the %s theme',
    async (theme) => {
      await visitor.close();
      visitor = await ConsoleVisitor.open(browser, server, { theme });
      await open(`/projects/${project}/assets`);
      const { page } = visitor;
      const table = page.getByRole('grid', { name: 'Assets' });
      await table.getByRole('link', { name: 'main', exact: true }).waitFor();
      expect(await visitor.accessibilityViolations()).toEqual([]);
      await table.getByRole('link', { name: 'main', exact: true }).click();
      await page.getByLabel('Data as JSON').waitFor();
      expect(await visitor.accessibilityViolations()).toEqual([]);
    },
  );
});
