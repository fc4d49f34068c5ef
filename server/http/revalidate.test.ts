import { request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Analyst } from '../../tests/kit/analyst.ts';
import { launchBrowser, noBrowser } from '../../tests/kit/browser.ts';
import type { TestUser } from '../../tests/kit/people.ts';
import { startTestServer, type TestServer } from '../../tests/kit/test-server.ts';
import { threadCpuMs } from '../../tests/kit/thread-cpu.ts';

let server: TestServer;
let admin: TestUser;

beforeAll(async () => {
  server = await startTestServer();
  admin = await server.people.user({ role: 'admin' });
});

afterAll(() => server.close());

const ask = (path: string, user: TestUser, headers: Record<string, string> = {}) =>
  server.call(path, { headers: { ...user.session, ...headers } });

describe('a list that rarely changes', () => {
  it('a list that rarely changes is answered with 304 until it changes', async () => {
    const first = await ask('/profiles', admin);
    const etag = first.headers.get('etag') ?? '';
    const same = await ask('/profiles', admin, { 'if-none-match': etag });
    expect([same.status, same.text, same.headers.get('etag')]).toEqual([304, '', etag]);
    expect(same.headers.get('cache-control')).toBe('private, no-cache');
    expect(same.headers.get('content-type')).toBeNull();
    const created = await server.call('/profiles', {
      method: 'POST',
      headers: admin.session,
      body: { name: 'custom:nightly', include: ['category:storage'] },
    });
    expect(created.status).toBe(201);
    const changed = await ask('/profiles', admin, { 'if-none-match': etag });
    expect(changed.status).toBe(200);
    expect(changed.text).toContain('custom:nightly');
    expect(changed.headers.get('etag')).not.toBe(etag);
  });

  it('a list that rarely changes has an ETag for each filter', async () => {
    const one = await ask('/rules?category=storage', admin);
    const etag = one.headers.get('etag') ?? '';
    const two = await ask('/rules?category=iam', admin, { 'if-none-match': etag });
    expect(two.status).toBe(200);
  });

  it('a list that rarely changes is refused without the permission, with any ETag', async () => {
    const etag = (await ask('/roles', admin)).headers.get('etag') ?? '';
    const viewer = await server.people.user({ tenant: admin.tenant, role: 'viewer' });
    for (const headers of [{ 'if-none-match': etag }, { 'if-none-match': '*' }]) {
      const reply = await ask('/roles', viewer, headers);
      expect(reply.status).toBe(403);
      expect(reply.headers.get('cache-control')).toBe('no-store');
      expect(reply.headers.has('etag')).toBe(false);
    }
  });

  it('responses that change often cannot be cached by any client', async () => {
    const analyst = await Analyst.at(server);
    const reply = await analyst.call('/findings');
    expect(reply.headers.get('cache-control')).toBe('no-store');
    expect(reply.headers.has('etag')).toBe(false);
  });
});

interface Raw {
  readonly status: number;
  readonly headers: Record<string, unknown>;
  readonly bytes: Buffer;
}

/** Without the decompression of `fetch`. */
function raw(path: string, headers: Record<string, string>, method = 'GET'): Promise<Raw> {
  return new Promise((resolve, reject) => {
    request(server.url + path, { headers, method }, (response) => {
      const pieces: Buffer[] = [];
      response.on('data', (piece: Buffer) => pieces.push(piece));
      response.on('error', reject);
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          bytes: Buffer.concat(pieces),
        }),
      );
    })
      .on('error', reject)
      .end();
  });
}

describe.skipIf(noBrowser !== null)('a browser', () => {
  it('a browser revalidates a list that rarely changes by itself, and gives a page the cached response', async () => {
    const browser = await launchBrowser();
    try {
      const page = await browser.newPage();
      await page.goto(`${server.url}/docs`);
      const sent: string[] = [];
      page.on('request', async (one) => {
        if (!one.url().endsWith('/profiles')) return;
        sent.push((await one.allHeaders())['if-none-match'] ?? 'none');
      });
      const bodies = await page.evaluate(async (headers) => {
        const first = await (await fetch('/profiles', { headers })).text();
        const second = await fetch('/profiles', { headers });
        return [first === (await second.text()), second.status];
      }, admin.key);
      expect(bodies).toEqual([true, 200]);
      await expect.poll(() => sent.toSorted()).toEqual([expect.stringMatching(/^"/), 'none']);
    } finally {
      await browser.close();
    }
  });
});

describe.each(['/openapi.json', '/docs', '/docs/script.js', '/docs/style.css'])('%s', (path) => {
  it('a compressible response has the same content and an ETag of its own in each encoding', async () => {
    const plain = await raw(path, {});
    const br = await raw(path, { 'accept-encoding': 'gzip, br' });
    const gz = await raw(path, { 'accept-encoding': 'gzip, br;q=0' });
    expect([br.headers['content-encoding'], gz.headers['content-encoding']]).toEqual([
      'br',
      'gzip',
    ]);
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(brotliDecompressSync(br.bytes).equals(plain.bytes)).toBe(true);
    expect(gunzipSync(gz.bytes).equals(plain.bytes)).toBe(true);
    expect(new Set([plain, br, gz].map(({ headers }) => headers['etag'])).size).toBe(3);
    for (const { headers, bytes } of [plain, br, gz]) {
      expect(headers).toMatchObject({ 'cache-control': 'no-cache', vary: 'Accept-Encoding' });
      expect(headers['content-length']).toBe(String(bytes.length));
    }
  });

  it('a compressible response is answered 304 for the ETag of its encoding, and HEAD gets no body', async () => {
    const { headers } = await raw(path, { 'accept-encoding': 'br' });
    const etag = String(headers['etag']);
    const same = await raw(path, { 'accept-encoding': 'br', 'if-none-match': etag });
    expect([same.status, same.bytes.length]).toEqual([304, 0]);
    const other = await raw(path, { 'if-none-match': etag });
    expect(other.status).toBe(200);
    const head = await raw(path, { 'accept-encoding': 'br' }, 'HEAD');
    expect([head.status, head.bytes.length, head.headers['etag']]).toEqual([200, 0, etag]);
  });

  it('a compressible response costs little more CPU time to revalidate than the smallest response to send', async () => {
    const etag = (await server.call(path)).headers.get('etag') ?? '';
    const costOf = async (asked: string, status: number) => {
      const before = threadCpuMs();
      for (let count = 0; count < 60; count += 1) {
        const reply = await server.call(asked, { headers: { 'if-none-match': etag } });
        expect(reply.status).toBe(status);
      }
      return threadCpuMs() - before;
    };
    await costOf('/health/live', 200);
    const least = await costOf('/health/live', 200);
    // Serializing or hashing the document for each request takes ten times as long.
    expect(await costOf(path, 304)).toBeLessThan(2 * least + 100);
  });
});
