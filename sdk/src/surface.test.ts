import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { runInNewContext } from 'node:vm';
import { build } from 'esbuild';
import { describe, expect, test } from 'vitest';
import { arrange, freshKey, SCAN_ID, scan } from '../conformance/arrange.ts';
import { createClient } from './client.ts';
import * as api from './index.ts';
import { readOperations } from './operation.ts';
import { OPERATIONS } from './operations.gen.ts';

const folder = new URL('.', import.meta.url);

/** Globals that Node 20, Bun, Deno, Workers and browsers share, which the SDK may use. */
const WEB_STANDARDS = [
  'AbortController',
  'AbortSignal',
  'Blob',
  'DOMException',
  'Headers',
  'ReadableStream',
  'TextDecoder',
  'TextEncoder',
  'URL',
  'URLSearchParams',
  'clearTimeout',
  'crypto',
  'fetch',
  'performance',
  'setTimeout',
];

async function sources(): Promise<[name: string, text: string][]> {
  const names = (await readdir(folder)).filter((name) => /^[\w.-]+\.ts$/.test(name));
  const own = names.filter((name) => !/\.test(-d)?\.ts$/.test(name));
  return Promise.all(
    own.map(async (name) => [name, await readFile(new URL(name, folder), 'utf8')] as const),
  ).then((files) => files.map(([name, text]) => [name, text]));
}

describe('the source of the SDK', () => {
  test('the source of the SDK imports nothing but its own files', async () => {
    const files = await sources();
    expect(files.length).toBeGreaterThan(20);
    for (const [name, text] of files) {
      for (const [, specifier] of text.matchAll(/\bfrom '([^']+)'|\bimport\(['"]([^'"]+)/g)) {
        expect(specifier, name).toMatch(/^\.\/[\w.-]+\.ts$/);
      }
    }
  });

  test('the source of the SDK uses web standards only: no process, no Buffer, no require', async () => {
    const { server } = await arrange();
    server.on('POST /scans', 'reset', { status: 202, body: scan() });
    const { outputFiles } = await build({
      entryPoints: [fileURLToPath(new URL('index.ts', folder))],
      bundle: true,
      format: 'iife',
      globalName: 'sdk',
      write: false,
    });
    const web = Object.fromEntries(
      WEB_STANDARDS.map((name) => [name, Reflect.get(globalThis, name)]),
    );
    const call = `sdk.createClient({ baseUrl: '${server.url}', apiKey: '${freshKey()}' })
      .scans.launch({ projects: ['shop-prod'], profile: 'full' }).withResponse()`;
    const result = await runInNewContext(`${outputFiles[0]?.text}; ${call}`, web);
    expect(result.data.id).toBe(SCAN_ID);
    expect(result.attempts).toHaveLength(2);
  });
});

test('a client has every operation of the table as a method, and `scans.wait`', () => {
  const client = createClient({ baseUrl: 'http://127.0.0.1:3000' }) as unknown as Record<
    string,
    Record<string, unknown>
  >;
  const common = Object.keys(client).filter((name) => typeof client[name] === 'function');
  const names = Object.entries(client).flatMap(([group, methods]) =>
    Object.keys(methods).map((key) => `${group}.${key}`),
  );
  const listed: string[] = [];
  readOperations(OPERATIONS, (_, __, { name }) => void listed.push(name));
  expect(listed.length).toBeGreaterThan(60);
  expect(names.toSorted()).toEqual([...listed, 'scans.wait'].toSorted());
  expect(common.toSorted()).toEqual(['request', 'withOptions']);
});

test('the package exports the client and the errors, and nothing else', () => {
  const { createClient: create, ...errors } = api;
  expect(create).toBeTypeOf('function');
  for (const [name, Family] of Object.entries(errors)) {
    expect(name).toMatch(/Error$/);
    expect(Family.prototype).toBeInstanceOf(Error);
  }
  expect(Object.keys(errors)).toHaveLength(15);
});
