import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test, vi } from 'vitest';
import { ROOT } from '../../server/platform/root.ts';
import { oasdiff } from './oasdiff.ts';

const root = fileURLToPath(ROOT);
const openapi = join(root, 'openapi.json');
const hasGo = spawnSync('go', ['version']).status === 0;
const folders: string[] = [];

afterEach(async () => {
  vi.unstubAllEnvs();
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
});

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'oasdiff-'));
  folders.push(folder);
  return folder;
}

test('oasdiff reports a removed response member where Go is installed', async () => {
  const document = JSON.parse(await readFile(openapi, 'utf8'));
  const { Scan } = document.components.schemas;
  delete Scan.properties.totals;
  Scan.required = Scan.required.filter((name: string) => name !== 'totals');
  const changed = join(await newFolder(), 'changed.json');
  await writeFile(changed, JSON.stringify(document));
  const same = await oasdiff(root, openapi, openapi);
  expect(same.outcome).toBe(hasGo ? 'passed' : 'skipped');
  const verdict = await oasdiff(root, openapi, changed);
  expect(verdict.outcome).toBe(hasGo ? 'broken' : 'skipped');
  expect(verdict.text).toContain(hasGo ? 'totals' : 'Go is not installed');
});

test('oasdiff is skipped with the reason where it is not built and Go is missing', async () => {
  vi.stubEnv('PATH', '/nonexistent');
  const verdict = await oasdiff(await newFolder(), openapi, openapi);
  expect(verdict).toEqual({
    outcome: 'skipped',
    text: 'Skipped oasdiff: Go is not installed (https://go.dev).',
  });
});
