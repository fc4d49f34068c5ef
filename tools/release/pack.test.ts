import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { packTarballs } from './pack.ts';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../..', import.meta.url));

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pack-'));
  vi.stubEnv('GITHUB_SERVER_URL', 'https://github.com');
  vi.stubEnv('GITHUB_REPOSITORY', 'acme/cspm');
  const tarballs = await packTarballs(ROOT, join(folder, 'out')).finally(() => vi.unstubAllEnvs());
  for (const tarball of tarballs) {
    await run('tar', ['-xzf', tarball, `--one-top-level=${nameOf(tarball)}`], {
      cwd: folder,
    });
  }
});

afterAll(() => rm(folder, { recursive: true }));

/** `cspm-sdk-0.1.0.tgz` is the tarball of `sdk`. */
function nameOf(tarball: string): string {
  return /cspm-(\w+)-/.exec(tarball)?.[1] ?? tarball;
}

async function packageJson(name: string) {
  return JSON.parse(await readFile(join(folder, name, 'package/package.json'), 'utf8'));
}

test('packed packages are public, name the repository and need no workspace', async () => {
  for (const name of ['sdk', 'cli']) {
    const packed = await packageJson(name);
    expect(packed.name).toBe(`@cspm/${name}`);
    expect(packed.private).toBeUndefined();
    expect(packed.repository.url).toBe('git+https://github.com/acme/cspm.git');
    expect(Object.keys(packed.dependencies ?? {}).join()).not.toContain('@cspm/');
    expect(packed.engines.node).toMatch(/^>=20/);
  }
  expect(await readFile(join(folder, 'sdk/package/README.md'), 'utf8')).toContain('@cspm/sdk');
});

test('the packed command line scans a file with its own dependencies alone', async () => {
  const home = join(folder, 'cli/package');
  const { dependencies } = await packageJson('cli');
  expect(Object.keys(dependencies)).toContain('@bufbuild/cel');
  for (const name of Object.keys(dependencies)) {
    const link = join(home, 'node_modules', name);
    await mkdir(dirname(link), { recursive: true });
    await symlink(join(ROOT, 'node_modules', name), link, 'junction');
  }
  const inventory = join(folder, 'inventory.ndjson');
  await writeFile(
    inventory,
    `${JSON.stringify({ name: '//storage.googleapis.com/shop', asset_type: 'storage.googleapis.com/Bucket', resource: { data: {} } })}\n`,
  );
  const args = [join(home, 'dist/cspm.mjs'), 'scan', '--local', inventory, '--format', 'json'];
  const { stdout } = await run(process.execPath, args, {
    env: { PATH: process.env['PATH'] },
  }).catch((error: { stdout: string }) => error);
  expect(stdout).toContain('storage.googleapis.com');
});
