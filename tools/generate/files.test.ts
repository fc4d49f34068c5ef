import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { staleFiles, writeFiles } from './files.ts';

let root: string;
const files = { 'openapi.json': '{}\n', 'sdk/src/client.gen.ts': 'export {};\n' };

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'generate-'));
});

afterEach(() => rm(root, { recursive: true }));

test('a missing generated file is reported as stale, and is written with its folders', async () => {
  expect(await staleFiles(root, files)).toEqual(Object.keys(files));
  expect(await writeFiles(root, files)).toEqual(Object.keys(files));
  expect(await readFile(join(root, 'sdk/src/client.gen.ts'), 'utf8')).toBe('export {};\n');
  expect(await staleFiles(root, files)).toEqual([]);
});

test('a generated file that differs by one byte is reported as stale, and only that file is written', async () => {
  await writeFiles(root, files);
  await writeFile(join(root, 'openapi.json'), '{}');
  expect(await staleFiles(root, files)).toEqual(['openapi.json']);
  expect(await writeFiles(root, files)).toEqual(['openapi.json']);
});
