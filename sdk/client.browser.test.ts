import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser, noBrowser } from '../tests/kit/browser.ts';
import { startTestServer, type TestServer } from '../tests/kit/test-server.ts';

type Sdk = typeof import('@cspm/sdk');

/** Code to run in the page; receives the SDK and the arguments of `inPage`. */
type Work<T> = (sdk: Sdk, baseUrl: string, apiKey: string) => Promise<T>;

describe.skipIf(noBrowser)('a page of another origin than the service', () => {
  let pages: Server;
  let server: TestServer;
  let browser: Browser;
  let apiKey: string;

  beforeAll(async () => {
    const script = await bundle();
    pages = createServer((request, response) => {
      const isScript = request.url === '/sdk.js';
      response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
      if (request.url?.startsWith('/moved')) response.writeHead(302, { location: '/' });
      response.end(isScript ? script : '<script type="module" src="sdk.js"></script>');
    }).listen(0, '127.0.0.1');
    await once(pages, 'listening');
    server = await startTestServer({ worker: true, config: { corsOrigins: [origin()] } });
    apiKey = (await server.people.user()).key['x-api-key'];
    browser = await launchBrowser();
  });

  afterAll(async () => {
    await browser.close();
    await server.close();
    pages.close();
  });

  const origin = (host = 'localhost') => `http://${host}:${(pages.address() as AddressInfo).port}`;

  async function inPage<T>(work: Work<T>, from = origin()): Promise<T> {
    const page: Page = await browser.newPage();
    await page.goto(from);
    await page.waitForFunction('globalThis.sdk');
    const call = `(${work})(globalThis.sdk, ${JSON.stringify(server.url)}, ${JSON.stringify(apiKey)})`;
    const answer = (await page.evaluate(call)) as T;
    await page.close();
    return answer;
  }

  it('a page of another origin uploads a file, launches with its own key and follows the scan to its end', async () => {
    const seen = await inPage(async ({ createClient }, baseUrl, apiKey) => {
      const cspm = createClient({ baseUrl, apiKey });
      await cspm.projects.create({ name: 'shop' });
      const inventory = new File(
        ['{"name":"//x.googleapis.com/x","assetType":"x.googleapis.com/X"}'],
        'x.ndjson',
      );
      await cspm.projects.uploadInventory({ name: 'shop', inventory });
      const launch = { projects: ['shop'], profile: 'full' };
      const first = await cspm.scans.launch(launch, { idempotencyKey: 'k' });
      const again = await cspm.scans.launch(launch, { idempotencyKey: 'k' }).withResponse();
      const done = await cspm.scans.wait(first.id);
      const { response, correlationId } = again;
      return {
        same: first.id === again.data.id,
        replayed: response.headers.get('idempotency-replayed'),
        named: correlationId !== undefined,
        limited: response.headers.has('ratelimit'),
        status: done.status,
      };
    });
    expect(seen).toEqual({
      same: true,
      replayed: 'true',
      named: true,
      limited: true,
      status: 'completed',
    });
  });

  it('a page of another origin follows a scan and resumes after the last event', async () => {
    const seen = await inPage(async ({ createClient }, baseUrl, apiKey) => {
      const cspm = createClient({ baseUrl, apiKey });
      const { id } = await cspm.scans.launch({ projects: ['shop'], profile: 'full' });
      const events = [];
      for await (const { event } of cspm.scans.events({ id })) events.push(event);
      const headers = { 'last-event-id': '0' };
      for await (const { event } of cspm.scans.events({ id }, { headers })) events.push(event);
      return events.filter((event) => event !== 'progress');
    });
    expect(seen).toEqual(['done', 'done']);
  });

  it('a page of another origin reads the remaining time of a rate limit', async () => {
    const seen = await inPage(async ({ createClient, RateLimitError }, baseUrl, apiKey) => {
      const cspm = createClient({ baseUrl, apiKey, pacing: 'off', retry: false });
      const calls = Array.from({ length: 11 }, () =>
        cspm.preflight.run({ projects: ['shop'], profile: 'full' }),
      );
      const refusals = (await Promise.allSettled(calls)).flatMap((call) =>
        call.status === 'rejected' ? [call.reason] : [],
      );
      return refusals.map((error) => [error instanceof RateLimitError, error.retryAfterMs > 0]);
    });
    expect(seen).toEqual([[true, true]]);
  });

  it('a page whose request is redirected gets an error that names the redirect, after one request', async () => {
    const seen = await inPage(async ({ createClient }) => {
      const cspm = createClient({ baseUrl: `${location.origin}/moved`, apiKey: 'cspm_k' });
      return cspm.projects.list().catch(({ message, attempts }) => [message, attempts.length]);
    });
    expect(seen).toEqual(['INVALID_RESPONSE: redirected; check baseUrl', 1]);
  });

  it('a page whose origin the service does not list is refused by CORS, which appears as a broken connection', async () => {
    const ask: Work<string> = async ({ createClient }, baseUrl, apiKey) => {
      const cspm = createClient({ baseUrl, apiKey, retry: false });
      return cspm.auth.me().then(
        () => 'answered',
        (error) => error.name,
      );
    };
    expect(await inPage(ask, origin('127.0.0.1'))).toBe('ConnectionError');
    expect(await inPage(ask)).toBe('answered');
  });
});

/** Bundles the whole package as a global of the page. esbuild refuses Node modules here. */
async function bundle(): Promise<Uint8Array> {
  const { outputFiles } = await build({
    stdin: {
      contents: "import * as sdk from '@cspm/sdk'; globalThis.sdk = sdk;",
      resolveDir: fileURLToPath(new URL('..', import.meta.url)),
    },
    bundle: true,
    format: 'esm',
    platform: 'browser',
    write: false,
  });
  return outputFiles[0]?.contents ?? new Uint8Array();
}
