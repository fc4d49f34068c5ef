import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createClient } from '@cspm/sdk';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { createClient as sourceOfIt } from '../../sdk/src/client.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The build may be older than the code, and the test would then check the wrong package. */
test('tests in this repository import the SDK from its source', () => {
  expect(createClient).toBe(sourceOfIt);
});

test('scripts in this repository import the SDK from its source', async () => {
  // The shipped files are minified.
  const print = "import('@cspm/sdk').then((sdk) => console.log(String(sdk.createClient)))";
  const { stdout } = await promisify(execFile)('node_modules/.bin/tsx', ['--eval', print], {
    cwd: root,
  });
  expect(stdout).toMatch(/^function createClient\(/);
});

test('bundles in this repository import the SDK from its source', async () => {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: ['scripts/demo.ts'],
    packages: 'external',
    bundle: true,
    format: 'esm',
    platform: 'node',
    metafile: true,
    write: false,
  });
  expect(Object.keys(metafile.inputs)).toContain('sdk/src/client.ts');
  expect(Object.keys(metafile.inputs).filter((path) => path.startsWith('sdk/dist'))).toEqual([]);
});
