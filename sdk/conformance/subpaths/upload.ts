import type { UploadProgress } from '../../src/upload/index.ts';
import { check, same } from '../check.ts';
import type { LoopbackServer } from '../server.ts';
import type { SubpathCase } from './case.ts';
import type { Parts } from './parts.ts';

const ROUTE = 'PUT /projects/shop-prod/inventory';
const LINE = `${JSON.stringify({ name: '//storage.googleapis.com/b', filler: 'x'.repeat(1000) })}\n`;
const LINES = 300;
const TEXT = LINE.repeat(LINES);

/** Progress of an upload. */
export const uploads: readonly SubpathCase[] = [
  {
    id: 'up.monotone',
    subpath: 'upload',
    title: 'reports progress that begins with 0, never falls and ends with all bytes and assets',
    async run(parts, server) {
      server.on(ROUTE, { body: {} });
      const seen = await upload(parts, server);
      same([seen[0]?.bytes, seen[0]?.totalBytes], [0, TEXT.length], 'the first report');
      rises(seen);
      const { bytes, assets } = seen.at(-1) ?? {};
      same([bytes, assets], [TEXT.length, LINES], 'the last report');
      check(seen.length > 2, `${seen.length} reports`);
      same(server.to(ROUTE)[0]?.body.length, TEXT.length, 'the bytes that arrived');
    },
  },
  {
    id: 'up.retry',
    subpath: 'upload',
    title: 'begins again with 0 bytes in the next attempt',
    async run(parts, server) {
      server.on(ROUTE, { status: 503 }, { body: {} });
      const seen = await upload(parts, server);
      same([...new Set(seen.map(({ attempt }) => attempt))], [1, 2], 'the attempts');
      for (const attempt of [1, 2]) rises(seen.filter((one) => one.attempt === attempt));
      same(seen.find(({ attempt }) => attempt === 2)?.bytes, 0, 'the bytes of the second attempt');
      same(seen.at(-1)?.bytes, TEXT.length, 'the last report');
    },
  },
  {
    id: 'up.abort',
    subpath: 'upload',
    title: 'stops reading and reporting when it is aborted',
    async run(parts, server) {
      server.on(ROUTE, 'hang');
      const controller = new AbortController();
      let read = 0;
      async function* endless() {
        for (;;) {
          read += 1;
          if (read === 5) controller.abort();
          yield LINE;
        }
      }
      const seen: UploadProgress[] = [];
      const call = parts.uploadInventory(
        parts.createClient({ baseUrl: server.url, apiKey: 'cspm_x' }),
        { name: 'shop-prod', inventory: endless() },
        { signal: controller.signal, onProgress: (progress) => seen.push(progress) },
      );
      const error: unknown = await call.then(
        () => undefined,
        (cause) => cause,
      );
      same((error as Error | undefined)?.name, 'AbortError', 'the error');
      const reports = seen.length;
      await new Promise((resolve) => setImmediate(resolve));
      check(seen.length === reports, 'reports after the end');
      // Lines are collected into pieces of 64 KiB.
      check(read < 200, `${read} lines were read`);
    },
  },
];

async function upload({ createClient, uploadInventory }: Parts, server: LoopbackServer) {
  const seen: UploadProgress[] = [];
  await uploadInventory(
    createClient({ baseUrl: server.url, apiKey: `cspm_${seen.length}_${server.url}` }),
    { name: 'shop-prod', inventory: TEXT },
    { onProgress: (progress) => seen.push(progress) },
  );
  return seen;
}

function rises(seen: readonly UploadProgress[]): void {
  const bytes = seen.map((progress) => progress.bytes);
  same(
    bytes,
    [...bytes].sort((one, other) => one - other),
    'the bytes',
  );
}
