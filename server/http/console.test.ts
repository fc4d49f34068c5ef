import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { precompress } from '../../scripts/build-console.mjs';
import { startTestServer, type TestServer } from '../../tests/kit/test-server.ts';
import { until } from '../../tests/kit/until.ts';

const PAGE = `<!doctype html><title>Console</title>${'<p>a page</p>'.repeat(100)}`;
const SCRIPT = `${'console.log("a script");\n'.repeat(100)}`;

/** Contains the folder of the console, and a file beside it. */
let outer: string;
let folder: string;
let server: TestServer;
let unbuilt: TestServer;
const lines: string[] = [];
const log = { write: (line: string) => void lines.push(line) };

beforeAll(async () => {
  outer = await mkdtemp(join(tmpdir(), 'console-'));
  folder = join(outer, 'console');
  await mkdir(join(folder, 'assets'), { recursive: true });
  await mkdir(join(folder, '.vite'));
  await writeFile(join(folder, 'index.html'), PAGE);
  await writeFile(join(folder, 'assets/index-3b1f.js'), SCRIPT);
  await writeFile(join(folder, '.vite/manifest.json'), '{}');
  await writeFile(join(outer, 'outside.js'), 'outside');
  await precompress(folder);
  // One request a minute: only requests that do not count get through.
  const config = { rateLimit: 1 };
  const consoleFolder = pathToFileURL(`${folder}/`);
  server = await startTestServer({ consoleFolder, config, log });
  unbuilt = await startTestServer({ consoleFolder: new URL('none/', consoleFolder) });
});

afterAll(async () => {
  await Promise.all([server.close(), unbuilt.close()]);
  await rm(outer, { recursive: true });
});

/** The bytes as they were sent: fetch decompresses and normalizes paths. */
function raw(path: string, { method = 'GET', ...headers }: Record<string, string> = {}) {
  return new Promise<{ status: number; headers: Record<string, unknown>; body: Buffer }>(
    (resolve, reject) => {
      const sent = request(server.url + path, { path, method, headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(chunks),
          }),
        );
      });
      sent.once('error', reject).end();
    },
  );
}

describe('the console', () => {
  it('the console returns its page for every path that is not a file', async () => {
    for (const path of ['/console/', '/console/findings', '/console/findings?severity=high']) {
      const reply = await raw(path);
      expect(reply.status).toBe(200);
      expect(reply.headers['content-type']).toBe('text/html; charset=utf-8');
      expect(reply.headers['cache-control']).toBe('no-cache');
      expect(reply.body.toString()).toBe(PAGE);
    }
  });

  it('the console redirects /console to /console/ and keeps the query', async () => {
    const reply = await raw('/console?next=1');
    expect(reply.status).toBe(308);
    expect(reply.headers['location']).toBe('/console/?next=1');
  });

  it.each(['/verify-email', '/reset-password', '/accept-invite', '/auth/callback'])(
    'the console redirects %s to its own page and keeps the query',
    async (path) => {
      const reply = await raw(`${path}?token=a%2Bb`);
      expect(reply.status).toBe(303);
      expect(reply.headers['location']).toBe(`/console${path}?token=a%2Bb`);
      expect(reply.headers['cache-control']).toBe('no-store');
      expect(reply.headers['referrer-policy']).toBe('no-referrer');
      const fallback = await fetch(unbuilt.url + path, { redirect: 'manual' });
      expect(fallback.status).toBe(200);
    },
  );

  it.each(['/verify-email/', '/Verify-Email', '/api/v1/verify-email', '/API/v1/verify-email/'])(
    'the console redirects %s as it redirects /verify-email, before the rate limit',
    async (path) => {
      const ip = '203.0.113.8';
      for (let request = 0; request < 3; request += 1) {
        const reply = await server.call(`${path}?token=a`, { ip });
        expect(reply.status).toBe(303);
        expect(reply.headers.get('location')).toBe('/console/verify-email?token=a');
        expect(reply.headers.get('ratelimit')).toBe(null);
      }
    },
  );

  it('the correlation id is in every response of the console and in its log line', async () => {
    const paths = {
      '/console': 308,
      '/console/findings': 200,
      '/console/assets/index-0000.js': 404,
      '/auth/callback?code=a': 303,
    };
    for (const [path, status] of Object.entries(paths)) {
      lines.length = 0;
      const own = await raw(path, { 'x-correlation-id': 'mine' });
      expect(own).toMatchObject({ status, headers: { 'x-correlation-id': 'mine' } });
      await until('a log line', async () => lines.length > 0);
      expect(lines.map((line) => JSON.parse(line))).toMatchObject([
        { msg: 'request', correlationId: 'mine', status },
      ]);
      const other = await raw(path, { 'x-correlation-id': 'not valid' });
      expect(other.headers['x-correlation-id']).toMatch(/^[0-9a-f-]{36}$/);
    }
    const missing = await unbuilt.call('/console/');
    expect(missing.headers.get('x-correlation-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('the console sends a policy that allows its own files only', async () => {
    const { headers } = await raw('/console/findings');
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
    );
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['referrer-policy']).toBe('no-referrer');
  });

  it('the console lets browsers keep files whose name contains a hash', async () => {
    const { headers } = await raw('/console/assets/index-3b1f.js');
    expect(headers['content-type']).toBe('text/javascript; charset=utf-8');
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
  });

  it.each([
    ['br, gzip', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
    ['br;q=0, gzip', 'gzip', gunzipSync],
  ])(
    'the console sends the best encoding for Accept-Encoding: %s',
    async (accepted, encoding, decompress) => {
      const reply = await raw('/console/assets/index-3b1f.js', { 'accept-encoding': accepted });
      expect(reply.headers['content-encoding']).toBe(encoding);
      expect(reply.headers['vary']).toContain('Accept-Encoding');
      expect(reply.headers['content-length']).toBe(String(reply.body.length));
      expect(decompress(reply.body).toString()).toBe(SCRIPT);
    },
  );

  it('the console sends no body with a 304 or in response to HEAD', async () => {
    const path = '/console/assets/index-3b1f.js';
    const first = await raw(path);
    const etag = String(first.headers['etag']);
    for (const given of [etag, `"other", W/${etag}`]) {
      const again = await raw(path, { 'if-none-match': given });
      expect(again.status).toBe(304);
      expect(again.headers['etag']).toBe(etag);
      expect(again.body.length).toBe(0);
    }
    const head = await raw(path, { method: 'HEAD' });
    expect(head.status).toBe(200);
    expect(head.headers['content-length']).toBe(String(SCRIPT.length));
    expect(head.body.length).toBe(0);
  });

  it('the console gives each encoding its own ETag', async () => {
    const path = '/console/assets/index-3b1f.js';
    const plain = await raw(path);
    const packed = await raw(path, { 'accept-encoding': 'br' });
    expect(packed.headers['etag']).not.toBe(plain.headers['etag']);
  });

  it('the console answers 404 for a file of another build instead of the page', async () => {
    const reply = await raw('/console/assets/index-0000.js');
    expect(reply.status).toBe(404);
    expect(reply.body.toString()).not.toContain('<');
  });

  it.each([
    '/console/../outside.js',
    '/console/%2e%2e/outside.js',
    '/console/assets/../../../outside.js',
    '/console/..%2foutside.js',
    '/console/.vite/manifest.json',
    '/console/index.html.br',
    '/console/__proto__',
    '/console/%',
  ])('the console never serves a path outside its files: %s', async (path) => {
    const reply = await raw(path);
    expect(reply.body.toString()).not.toBe('outside');
    expect([PAGE, 'No such file.\n']).toContain(reply.body.toString());
  });

  it('the console serves files before the rate limit, and counts other requests', async () => {
    const ip = '203.0.113.7';
    expect((await server.call('/rules', { ip })).status).toBe(401);
    expect((await server.call('/rules', { ip })).status).toBe(429);
    for (let request = 0; request < 20; request += 1) {
      expect((await server.call('/console/findings', { ip })).status).toBe(200);
    }
  });

  it('the console leaves other methods and paths in other letter case to the API', async () => {
    expect((await server.call('/console/', { method: 'POST' })).json.code).toBe('NOT_FOUND');
    expect((await server.call('/Console/')).json.code).toBe('NOT_FOUND');
  });
});

describe('a console that is not built', () => {
  it('a console that is not built shows how to build it and links to pages that answer', async () => {
    const reply = await unbuilt.call('/console/findings');
    expect(reply.status).toBe(503);
    expect(reply.text).toContain('npm run build:console');
    expect(reply.text).not.toMatch(/<style|\bstyle=|\bon[a-z]+=|<script|<base/);
    const links = [...reply.text.matchAll(/href="(\/[^"]*)"/g)].map(([, path]) => path ?? '');
    expect(links).toEqual(['/pages/style.css', '/docs', '/openapi.json', '/health/ready']);
    for (const link of links) expect((await unbuilt.call(link)).status, link).toBe(200);
  });

  it('a console that is not built shows a first call that works', async () => {
    const { text } = await unbuilt.call('/console/');
    const [, path = ''] = /curl "\$CSPM_URL(\S+)" -H "X-API-Key: \$CSPM_API_KEY"/.exec(text) ?? [];
    const { key } = await unbuilt.people.user();
    expect((await unbuilt.call(path, { headers: key })).status).toBe(200);
  });
});
