import { promises, rmSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';
import { type Cspm, createClient } from '../index.ts';
import { type UploadProgress, uploadInventory } from './index.ts';

const SAMPLE = fileURLToPath(new URL('../../../samples/shop-prod.ndjson', import.meta.url));

describe('@cspm/sdk/upload', () => {
  let server: TestServer;
  let cspm: Cspm;
  let sample: Uint8Array<ArrayBuffer>;
  let text: string;
  let records: Record<string, unknown>[];
  let assets: number;
  let folder: string;

  beforeAll(async () => {
    server = await startTestServer();
    const user = await server.people.user();
    cspm = createClient({ baseUrl: server.url, apiKey: user.key['x-api-key'] });
    await cspm.projects.create({ name: 'shop' });
    text = await readFile(SAMPLE, 'utf8');
    sample = new TextEncoder().encode(text);
    const lines = text.split('\n');
    records = lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line));
    assets = records.length;
    folder = await mkdtemp(join(tmpdir(), 'cspm-upload-'));
  });

  afterAll(async () => {
    await server.close();
    await rm(folder, { recursive: true });
  });

  const upload = async (inventory: Parameters<typeof uploadInventory>[1]['inventory']) => {
    const seen: UploadProgress[] = [];
    const stored = await uploadInventory(
      cspm,
      { name: 'shop', inventory },
      { onProgress: (progress) => seen.push(progress) },
    );
    return { stored, seen, first: seen[0], last: seen.at(-1) };
  };

  it('@cspm/sdk/upload reports bytes, their total and assets for a path, a File, a Blob, bytes and a string', async () => {
    const sources = [
      { path: SAMPLE },
      new File([sample], 'shop-prod.ndjson'),
      new Blob([sample]),
      sample,
      text,
    ];
    for (const source of sources) {
      const { stored, seen, first, last } = await upload(source);
      const totalBytes = sample.length;
      expect(first).toEqual({ bytes: 0, totalBytes, assets: 0, attempt: 1 });
      expect(last).toEqual({ bytes: totalBytes, totalBytes, assets, attempt: 1 });
      expect(seen.map(({ bytes }) => bytes)).toEqual(
        seen.map(({ bytes }) => bytes).toSorted((a, b) => a - b),
      );
      expect(stored.assets).toBeGreaterThan(100);
    }
  });

  it('@cspm/sdk/upload reports bytes and assets for a stream and for an iterable of assets', async () => {
    async function* iterable() {
      yield* records;
    }
    const bytes = records.map((record) => `${JSON.stringify(record)}\n`).join('');
    for (const source of [new Blob([bytes]).stream(), iterable()]) {
      const { last } = await upload(source);
      expect(last).toEqual({
        bytes: Buffer.byteLength(bytes),
        totalBytes: undefined,
        assets,
        attempt: 1,
      });
    }
  });

  it('@cspm/sdk/upload counts the assets of a JSON array, whatever its strings contain', async () => {
    const odd = { ...records[0], name: '//storage.googleapis.com/a', labels: '}],[{"\\' };
    const { last, stored } = await upload(JSON.stringify([...records, odd], null, 2));
    expect(last?.assets).toBe(records.length + 1);
    expect(stored.assets).toBeGreaterThan(100);
  });

  it('@cspm/sdk/upload reads a file again for a retry, and says which attempt it is', async () => {
    let attempts = 0;
    const seen: UploadProgress[] = [];
    const flaky: typeof fetch = async (url, init) => {
      attempts += 1;
      if (attempts > 1) return fetch(url, init);
      const reader = (init as { body: ReadableStream<Uint8Array> }).body.getReader();
      await reader.read();
      await reader.cancel();
      return new Response(null, { status: 503 });
    };
    const inventory = { path: SAMPLE };
    await uploadInventory(
      cspm,
      { name: 'shop', inventory },
      { fetch: flaky, onProgress: (progress) => seen.push(progress) },
    );
    expect(seen.at(-1)).toMatchObject({ attempt: 2, bytes: sample.length, assets });
    expect(seen.filter(({ bytes }) => bytes === 0).map(({ attempt }) => attempt)).toEqual([1, 2]);
  });

  it('@cspm/sdk/upload reads a source no faster than the server accepts it, and stops when it is aborted', async () => {
    // Reads the headers and never the body.
    const silent = createServer(() => {});
    await new Promise<void>((listening) => silent.listen(0, '127.0.0.1', () => listening()));
    const address = silent.address() as { port: number };
    const controller = new AbortController();
    let pieces = 0;
    let closed = false;
    async function* endless() {
      try {
        for (;;) {
          pieces += 1;
          yield new Uint8Array(65_536).fill(0x20);
        }
      } finally {
        closed = true;
      }
    }
    const stuck = createClient({ baseUrl: `http://127.0.0.1:${address.port}` });
    const call = uploadInventory(
      stuck,
      { name: 'shop', inventory: endless() },
      { signal: controller.signal },
    ).catch((error: unknown) => error);
    let before = -1;
    await expect
      .poll(() => {
        const isStill = pieces > 0 && pieces === before;
        before = pieces;
        return isStill;
      })
      .toBe(true);
    // The buffers of both sockets, at most.
    expect(pieces * 65_536).toBeLessThan(64 * 1024 * 1024);
    controller.abort();
    expect(await call).toMatchObject({ name: 'AbortError' });
    await expect.poll(() => closed).toBe(true);
    silent.closeAllConnections();
    silent.close();
  });

  it('@cspm/sdk/upload refuses a path that cannot be read before anything is sent', () => {
    const inventory = { path: join(folder, 'missing.ndjson') };
    expect(() => uploadInventory(cspm, { name: 'shop', inventory })).toThrow(/ENOENT/);
  });

  it('@cspm/sdk/upload fails with the error of a file that breaks after it was opened, and does not retry', async () => {
    const path = join(folder, 'gone.ndjson');
    await writeFile(path, sample);
    const attempts: number[] = [];
    const call = uploadInventory(
      cspm,
      { name: 'shop', inventory: { path } },
      {
        onProgress: ({ attempt }) => {
          attempts.push(attempt);
          rmSync(path, { force: true });
        },
      },
    );
    const outcomes = await Promise.allSettled([call, call.withResponse(), call.asResponse()]);
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'ENOENT' } });
    }
    expect(attempts).toEqual([1]);
  });

  it.each([
    ['answers', async () => new Response(null, { status: 400 })],
    ['fails', () => Promise.reject(new TypeError('fetch failed'))],
  ])(
    '@cspm/sdk/upload closes a file that was not read to its end when the request %s',
    async (_what, end) => {
      const open = vi.spyOn(promises, 'open');
      onTestFinished(() => open.mockRestore());
      const early: typeof fetch = async (_url, init) => {
        await (init as { body: ReadableStream<Uint8Array> }).body.getReader().read();
        return end();
      };
      const inventory = { path: SAMPLE };
      const call = uploadInventory(
        cspm,
        { name: 'shop', inventory },
        { fetch: early, retry: false },
      );
      await expect(call).rejects.toThrow();
      const files = await Promise.all(open.mock.results.map(({ value }) => value));
      expect(files).toHaveLength(1);
      await expect.poll(() => files.map(({ fd }) => fd)).toEqual([-1]);
    },
  );

  it('@cspm/sdk/upload counts no assets in compressed bytes', async () => {
    const { gzipSync } = await import('node:zlib');
    const path = join(folder, 'export.ndjson.gz');
    await writeFile(path, gzipSync(sample));
    const seen: UploadProgress[] = [];
    const stored = await uploadInventory(
      cspm,
      { name: 'shop', inventory: { path } },
      {
        headers: { 'content-type': 'application/x-ndjson', 'content-encoding': 'gzip' },
        onProgress: (progress) => seen.push(progress),
      },
    );
    expect(stored.assets).toBeGreaterThan(100);
    expect(seen.at(-1)).toMatchObject({ assets: undefined, bytes: gzipSync(sample).length });
  });
  it.each([
    ['NDJSON', '\n', '', '\n'],
    ['a JSON array', ',', '[', ']'],
  ])(
    '@cspm/sdk/upload sends a gzipped file by path as its content says, with any file name: %s',
    async (_format, between, begin, end) => {
      const { gzipSync } = await import('node:zlib');
      const path = join(folder, 'export');
      const content = records.map((record) => JSON.stringify(record)).join(between);
      await writeFile(path, gzipSync(`${begin}${content}${end}`));
      const { stored, last } = await upload({ path });
      expect(stored.assets).toBeGreaterThan(100);
      expect(last?.assets).toBeUndefined();
    },
  );

  it('@cspm/sdk/upload leaves it to the server to refuse a file that only begins as gzip', async () => {
    const path = join(folder, 'broken.gz');
    await writeFile(path, Buffer.from([0x1f, 0x8b, 0xff, 0xff, 0xff]));
    await expect(upload({ path })).rejects.toThrow(/is not gzip although Content-Encoding says so/);
  });
});
