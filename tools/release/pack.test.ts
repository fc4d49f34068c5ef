import { execFile } from 'node:child_process';
import { access, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
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

/** The files of a package by their path in it. */
async function filesOf(name: string): Promise<string[]> {
  const home = join(folder, name, 'package');
  const entries = await readdir(home, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(home, join(entry.parentPath, entry.name)))
    .toSorted();
}

async function packageJson(name: string) {
  return JSON.parse(await readFile(join(folder, name, 'package/package.json'), 'utf8'));
}

test('packed packages are public, name the repository and need no workspace', async () => {
  for (const name of ['sdk', 'cli']) {
    const packed = await packageJson(name);
    expect(packed.name).toBe(`@cspm/${name}`);
    expect(packed.private).toBeUndefined();
    expect(packed.repository).toEqual({
      type: 'git',
      url: 'git+https://github.com/acme/cspm.git',
      directory: name,
    });
    expect(Object.keys(packed.dependencies ?? {}).join()).not.toContain('@cspm/');
    expect(packed.engines.node).toMatch(/^>=20/);
  }
  expect(await readFile(join(folder, 'sdk/package/README.md'), 'utf8')).toContain('@cspm/sdk');
});

test('each relative link of a packed README leads to a file from the folder that its package names', async () => {
  for (const name of ['sdk', 'cli']) {
    const { repository } = await packageJson(name);
    const readme = await readFile(join(folder, name, 'package/README.md'), 'utf8');
    const links = [...readme.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, link = '']) => link);
    for (const link of links) await access(join(ROOT, repository.directory, link));
  }
});

test('the packed command line has its bundle and its documents, and nothing else', async () => {
  expect(await filesOf('cli')).toEqual([
    'CHANGELOG.md',
    'LICENSE',
    'README.md',
    'dist/THIRD_PARTY_LICENSES',
    'dist/cspm.mjs',
    'dist/main.mjs',
    'package.json',
  ]);
});

test('the packed SDK has the files of each export and its documents, and nothing else', async () => {
  const { exports } = await packageJson('sdk');
  const exported = JSON.stringify(exports).match(/dist\/[^"]+/g) ?? [];
  const maps = exported.filter((path) => /\.c?js$/.test(path)).map((path) => `${path}.map`);
  const documents = ['CHANGELOG.md', 'LICENSE', 'README.md', 'package.json'];
  expect(await filesOf('sdk')).toEqual([...documents, ...exported, ...maps].toSorted());
});

test('source maps of the SDK name its sources only, and contain their text', async () => {
  for (const path of (await filesOf('sdk')).filter((file) => file.endsWith('.map'))) {
    const map = JSON.parse(await readFile(join(folder, 'sdk/package', path), 'utf8'));
    expect(map.sources.filter((file: string) => !file.startsWith('../src/'))).toEqual([]);
    expect(map.sources.filter((file: string) => file.includes('.test'))).toEqual([]);
    expect(map.sourcesContent).toHaveLength(map.sources.length);
  }
});

test('the packed command line has the license of each package in its bundle', async () => {
  const path = join(folder, 'cli/package/dist/THIRD_PARTY_LICENSES');
  const entries = (await readFile(path, 'utf8')).split(`\n${'-'.repeat(80)}\n`);
  expect(entries.length).toBeGreaterThan(10);
  for (const entry of entries) {
    const [head = '', ...text] = entry.trim().split('\n');
    expect(head).toMatch(/^\S+ [\d.]+\S*, \S/);
    // Some packages come without a file; the text of this license is in LICENSE.
    if (!/Apache-2\.0\)?$|\(Apache-2\.0 /.test(head))
      expect(text.join('').length, head).toBeGreaterThan(200);
  }
});

const BUCKET = {
  name: '//storage.googleapis.com/shop',
  asset_type: 'storage.googleapis.com/Bucket',
  resource: { data: {} },
};

test('npm run pack:cli packs a command line that is installed alone, prints its version and scans a file', async () => {
  const fresh = await mkdtemp(join(folder, 'installed-'));
  const npm = (args: readonly string[], cwd: string) =>
    run('npm', args, {
      cwd,
      env: { PATH: process.env['PATH'], HOME: fresh, npm_config_cache: join(fresh, 'cache') },
    });
  await npm(['run', 'pack:cli', '--', '--pack-destination', fresh], ROOT);
  const [tarball = ''] = (await readdir(fresh)).filter((name) => name.endsWith('.tgz'));
  await npm(['install', '--offline', `./${tarball}`], fresh);
  const cspm = join(fresh, 'node_modules/.bin/cspm');
  const { version } = await packageJson('cli');
  expect((await run(cspm, ['--version'], { cwd: fresh })).stdout).toBe(`${version}\n`);
  await writeFile(join(fresh, 'inventory.ndjson'), `${JSON.stringify(BUCKET)}\n`);
  const scan = ['scan', '--local', 'inventory.ndjson', '--fail-on', 'never'];
  // Only the script of this repository takes the folder of npm's caller.
  const env = { ...process.env, INIT_CWD: ROOT };
  expect((await run(cspm, scan, { cwd: fresh, env })).stdout).toContain(BUCKET.name);
});

test.each(['18.20.8', '20.18.3'])(
  'the packed command line names the versions of Node that it needs on Node %s, and exits with 2',
  async (version) => {
    const versions = JSON.stringify({ ...process.versions, node: version });
    const preload = `data:text/javascript,Object.defineProperty(process,'versions',{value:${encodeURIComponent(versions)}})`;
    const cspm = join(folder, 'cli/package/dist/cspm.mjs');
    const args = ['--import', preload, cspm, '--version'];
    expect(await run(process.execPath, args).catch((error) => error)).toMatchObject({
      code: 2,
      stdout: '',
      stderr: `Node ${version} is too old: Node 20.19 or later is required, and 24 is recommended (https://nodejs.org).\n`,
    });
  },
);

test('npx scans a file with the tarball alone, in a fresh folder and without a registry', async () => {
  const fresh = await mkdtemp(join(folder, 'fresh-'));
  const inventory = join(fresh, 'inventory.ndjson');
  await writeFile(inventory, `${JSON.stringify(BUCKET)}\n`);
  const tarball = join(
    folder,
    'out',
    (await readdir(join(folder, 'out'))).find((name) => name.includes('cli')) ?? '',
  );
  const args = [
    '--yes',
    '--offline',
    '--package',
    tarball,
    '--',
    'cspm',
    'scan',
    '--local',
    inventory,
  ];
  const { stdout } = await run('npx', [...args, '--format', 'json'], {
    cwd: fresh,
    env: { PATH: process.env['PATH'], HOME: fresh, npm_config_cache: join(fresh, 'cache') },
  }).catch((error: { stdout: string }) => error);
  expect(stdout).toContain('storage.googleapis.com');
  expect((await packageJson('cli')).dependencies).toBeUndefined();
});
