import { Script } from 'node:vm';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser, noBrowser } from '../../../tests/kit/browser.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';
import { DOCS_CSP, docsPage, docsScript, docsStyle } from './docs-page.ts';

const FIRST_VIEW = ['/docs', '/docs/script.js', '/docs/style.css', '/openapi.json'];

test('the documentation page loads everything from its own origin under both paths', () => {
  const addresses = [...docsPage().matchAll(/\b(?:href|src)="([^"]*)"/g)].map(
    ([, url]) => url ?? '',
  );
  expect(new Set(addresses)).toEqual(
    new Set(['data:,', '/openapi.json', '/docs/style.css', '/docs/script.js']),
  );
  for (const base of ['https://api.example.com/docs', 'https://api.example.com/api/v1/docs']) {
    for (const address of addresses.filter((each) => each.startsWith('/'))) {
      expect(new URL(address, base).href).toBe(`https://api.example.com${address}`);
    }
  }
});

test('the documentation page has no inline code, and its policy allows no inline script', () => {
  expect(docsPage()).not.toMatch(/<style|\bstyle=|\bon[a-z]+=|<script(?![^>]*\bsrc=)|<base/);
  expect(DOCS_CSP).toMatch(/^default-src 'none'; script-src 'self'; /);
  expect(DOCS_CSP.match(/unsafe-\w+/g)).toEqual(['unsafe-inline']);
  expect(DOCS_CSP).toContain("style-src 'self' 'unsafe-inline'; ");
});

test('the assets of the documentation page parse and refer to no external source map, font or image', () => {
  expect(() => new Script(docsScript())).not.toThrow();
  expect(docsScript()).not.toContain('sourceMappingURL');
  expect(docsStyle()).not.toMatch(/@import|url\(|sourceMappingURL/);
});

describe.skipIf(noBrowser !== null)('the documentation page in a browser', () => {
  let server: TestServer;
  let browser: Browser;

  beforeAll(async () => {
    server = await startTestServer();
    browser = await launchBrowser();
  });

  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  /** Opens the page, and collects what the browser complains of and every address that it asks for. */
  async function open(width: number, colorScheme: 'light' | 'dark') {
    const context = await browser.newContext({ viewport: { width, height: 844 }, colorScheme });
    const page = await context.newPage();
    const complaints: string[] = [];
    const requested: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('request', (request) => requested.push(request.url()));
    await page.goto(`${server.url}/docs`);
    await page.getByText('First steps').first().waitFor();
    return { page, complaints, requested };
  }

  async function openLaunch(page: Page) {
    await page.getByRole('button', { name: 'Search' }).first().click();
    await page.locator('#advanced-search-dialog-input').pressSequentially('launch');
    await page.getByText('/scans - Launch a scan').click();
    await page.getByRole('button', { name: 'curl' }).waitFor();
  }

  test.each([
    [1280, 'light'],
    [1280, 'dark'],
    [390, 'light'],
    [390, 'dark'],
  ] as const)(
    'the documentation page finds an operation by search and shows its samples: %i pixels, %s',
    async (width, theme) => {
      const { page, complaints, requested } = await open(width, theme);
      await openLaunch(page);
      await page.getByText('cspm.scans.launch').first().waitFor();
      expect(await page.evaluate(() => document.documentElement.dataset['theme'])).toBe(theme);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(overflow).toBeLessThanOrEqual(0);
      expect(complaints).toEqual([]);
      for (const url of requested) expect(url).toMatch(new RegExp(`^(data:|${server.url}/)`));
      await page.context().close();
    },
  );

  test('the documentation page has a switch for the theme', async () => {
    const { page } = await open(1280, 'light');
    await page.getByRole('button', { name: 'Light or dark' }).click();
    expect(await page.evaluate(() => document.documentElement.dataset['theme'])).toBe('dark');
    await page.context().close();
  });

  test('the samples of the documentation page have the address of the server that shows them', async () => {
    const { page } = await open(1280, 'light');
    await openLaunch(page);
    await page.getByText(server.url).first().waitFor();
    expect(await page.getByText('http://127.0.0.1:3000').count()).toBe(0);
    await page.context().close();
  });

  test('the documentation page loads four files of at most 600 kB compressed at first', async () => {
    const { requested } = await open(1280, 'light');
    const paths = requested
      .map((url) => new URL(url))
      .filter(({ protocol }) => protocol !== 'data:');
    expect(new Set(paths.map(({ pathname }) => pathname))).toEqual(new Set(FIRST_VIEW));
    let bytes = 0;
    for (const path of FIRST_VIEW) {
      const reply = await server.call(path, { headers: { 'accept-encoding': 'br' } });
      expect(reply.headers.get('content-encoding')).toBe('br');
      bytes += Number(reply.headers.get('content-length'));
    }
    expect(bytes).toBeLessThan(600_000);
    expect(bytes).toBeGreaterThan(100_000);
  });
});
