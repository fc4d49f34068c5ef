import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { release } from './command.ts';
import { newestRecord } from './record.ts';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const { workspaces } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  workspaces: string[];
};
const COPIED = ['', ...workspaces].map((folder) => join(folder, 'package.json'));

let root: string;
let steps: string[];
let printed: string;
let complaints: string;
/** The step that fails, if any. */
let failing: string | null;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'release-'));
  failing = null;
  for (const file of [...COPIED, 'package-lock.json']) {
    await mkdir(dirname(join(root, file)), { recursive: true });
    await cp(join(ROOT, file), join(root, file));
  }
  await put('openapi.json', '{"openapi":"3.1.0"}\n');
  await put('sdk/dist/index.d.ts', 'export type Project = string;\n');
  await put('prisma/migrations/1_tables/migration.sql', 'CREATE TABLE shops (id uuid);\n');
  await put('CHANGELOG.md', '# Changelog\n\n## Unreleased\n\n- A rule.\n');
  await put('sdk/CHANGELOG.md', '# Changelog\n\n## Unreleased\n\n- A method.\n');
  await put('cli/CHANGELOG.md', '# Changelog\n\n## Unreleased\n');
  await git('init', '--quiet');
  await commit();
});

afterEach(() => rm(root, { recursive: true }));

async function put(file: string, text: string): Promise<void> {
  await mkdir(dirname(join(root, file)), { recursive: true });
  await writeFile(join(root, file), text);
}

async function git(...args: string[]): Promise<string> {
  const who = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com'];
  return (await run('git', [...who, ...args], { cwd: root })).stdout;
}

async function commit(): Promise<void> {
  await git('add', '--all');
  await git('commit', '--quiet', '--message', 'Next');
}

function make(...args: string[]): Promise<number> {
  steps = [];
  printed = '';
  complaints = '';
  const step =
    <T>(name: string, result: T) =>
    async () => {
      steps.push(name);
      if (name === failing) throw new Error(`npm run ${name} failed.`);
      return result;
    };
  return release(args, {
    root,
    today: '2026-11-22',
    steps: {
      generate: step('generate', undefined),
      check: step('check', undefined),
      checkBreaking: step('check:breaking', undefined),
      rows: step('rows', '{"table":"public.shops","row":{}}\n'),
      pack: step('pack', ['dist/release/sdk.tgz']),
    },
    print: (text) => {
      printed += `${text}\n`;
    },
    printError: (text) => {
      complaints += `${text}\n`;
    },
  });
}

const json = async (file: string) => JSON.parse(await readFile(join(root, file), 'utf8'));

describe('npm run release -- <version>', () => {
  test('npm run release -- <version> sets the version, moves the CHANGELOGs, checks, records, packs and names the next steps', async () => {
    expect(await make('1.2.0')).toBe(0);
    expect(complaints).toBe('');
    expect(steps).toEqual(['generate', 'check', 'rows', 'pack']);
    for (const file of COPIED) expect(await json(file), file).toMatchObject({ version: '1.2.0' });
    expect(await json('cli/package.json')).toMatchObject({
      dependencies: { '@cspm/sdk': '1.2.0' },
    });
    const lock = await json('package-lock.json');
    expect(lock.version).toBe('1.2.0');
    expect(lock.packages[''].devDependencies['@cspm/sdk']).toBe('1.2.0');
    for (const folder of workspaces) expect(lock.packages[folder].version, folder).toBe('1.2.0');
    expect(await readFile(join(root, 'CHANGELOG.md'), 'utf8')).toBe(
      '# Changelog\n\n## Unreleased\n\n## 1.2.0 - 2026-11-22\n\n- A rule.\n',
    );
    expect(await readFile(join(root, 'sdk/CHANGELOG.md'), 'utf8')).toBe(
      '# Changelog\n\n## Unreleased\n\n## 1.2.0 - 2026-11-22\n\n- A method.\n',
    );
    expect(await readFile(join(root, 'cli/CHANGELOG.md'), 'utf8')).toBe(
      '# Changelog\n\n## Unreleased\n\n## 1.2.0 - 2026-11-22\n\nNo changes.\n',
    );
    const record = await newestRecord(root);
    expect(record.version).toBe('1.2.0');
    expect(record.migrations.map(({ name }) => name)).toEqual(['1_tables']);
    expect(printed).toContain('dist/release/sdk.tgz');
    expect(printed).toContain('git tag -a v1.2.0 -m "Release 1.2.0"');
    expect(printed).toContain('git push --atomic --follow-tags');
  });

  test('npm run release -- <version> writes the package files that npm would write', async () => {
    const [{ version }, before] = [
      await json('package.json'),
      await readFile(join(root, 'package-lock.json'), 'utf8'),
    ];
    expect(await make(version)).toBe(0);
    expect(await readFile(join(root, 'package-lock.json'), 'utf8')).toBe(before);
  });

  test('npm run release -- <version> changes nothing in a dry run', async () => {
    expect(await make('1.2.0', '--dry-run')).toBe(0);
    expect(steps).toEqual([]);
    expect(await git('status', '--porcelain')).toBe('');
    expect(printed).toMatch(/^Dry run: nothing is changed\. A release would:\n1\. Set the version/);
  });

  test('npm run release -- <version> compares a later version of the same line with the last release', async () => {
    await make('1.2.0');
    await put('CHANGELOG.md', '## Unreleased\n\n- Another rule.\n');
    await commit();
    failing = 'check:breaking';
    expect(await make('1.3.0')).toBe(1);
    expect(steps).toContain('check:breaking');
    await git('restore', '.');
    expect(await make('2.0.0')).toBe(0);
    expect(printed).toContain('2.0.0 may break callers of 1.2.0');
  });

  test('npm run release -- <version> says how to undo what was written when a check fails', async () => {
    failing = 'check';
    expect(await make('1.2.0')).toBe(1);
    expect(complaints).toContain('npm run check failed.');
    await git('restore', '.');
    await git('clean', '-fdq', 'release');
    expect(complaints).toContain('git restore . && git clean -fd release');
    expect(await git('status', '--porcelain')).toBe('');
  });

  test('npm run release -- <version> leaves out the checks with --skip-checks', async () => {
    expect(await make('1.2.0', '--skip-checks')).toBe(0);
    expect(steps).toEqual(['generate', 'rows', 'pack']);
  });

  test('npm run release -- <version> refuses a working tree with changes', async () => {
    await put('notes.txt', 'unfinished');
    expect(await make('1.2.0')).toBe(1);
    expect(complaints).toContain('Commit or stash them first:\n?? notes.txt');
  });

  test('npm run release -- <version> refuses a CHANGELOG without entries', async () => {
    await put('CHANGELOG.md', '## Unreleased\n');
    await commit();
    expect(await make('1.2.0')).toBe(1);
    expect(complaints).toContain('CHANGELOG.md has no entry under "## Unreleased".');
  });

  test('npm run release -- <version> refuses a version that is older than the present one', async () => {
    expect(await make('0.0.1')).toBe(1);
    expect(complaints).toMatch(/^0\.0\.1 is older than \d/);
  });

  test('npm run release -- <version> refuses a version that has a tag or a section in the CHANGELOG', async () => {
    await git('tag', 'v1.2.0');
    expect(await make('1.2.0')).toBe(1);
    expect(complaints).toContain('1.2.0 is released already (tag v1.2.0).');
    await put('CHANGELOG.md', '## Unreleased\n\n- A rule.\n\n## 1.3.0 - 2026-01-01\n');
    await commit();
    expect(await make('1.3.0')).toBe(1);
    expect(complaints).toContain('1.3.0 is released already (CHANGELOG.md has its section).');
  });
});

describe('npm run release -- --record-only', () => {
  test('npm run release -- --record-only writes the record of the present version, repeatedly, and nothing else', async () => {
    const { version } = await json('package.json');
    for (const openapi of ['{"openapi":"3.1.0"}', '{"openapi":"3.1.1"}']) {
      await put('openapi.json', openapi);
      await commit();
      expect(await make('--record-only')).toBe(0);
      expect(steps).toEqual(['generate', 'rows']);
      expect(await git('status', '--porcelain', '--untracked-files=all')).toMatch(
        new RegExp(`^(?:(?:\\?\\?| M) release/${version}/\\S+\\n)+$`),
      );
      expect((await newestRecord(root)).text('openapi.json')).toBe(openapi);
    }
  });

  test('npm run release -- --record-only leaves the record of a released version alone', async () => {
    const { version } = await json('package.json');
    await git('tag', `v${version}`);
    expect(await make('--record-only')).toBe(1);
    expect(complaints).toContain('is released already');
  });
});

describe('npm run release -- --pack-only <version>', () => {
  test('npm run release -- --pack-only <version> packs the release that is committed', async () => {
    await make('1.2.0');
    await commit();
    expect(await make('--pack-only', '1.2.0')).toBe(0);
    expect(steps).toEqual(['pack']);
    expect(printed).toBe('dist/release/sdk.tgz\n');
  });

  test('npm run release -- --pack-only <version> refuses a version that is not the one of the tree', async () => {
    expect(await make('--pack-only', '1.2.0')).toBe(1);
    expect(complaints).toMatch(/^package\.json says \S+, not 1\.2\.0\. Set the tag on the commit/);
  });

  test('npm run release -- --pack-only <version> refuses a version that has no record or no section in the CHANGELOG', async () => {
    const { version } = await json('package.json');
    expect(await make('--pack-only', version)).toBe(1);
    expect(complaints).toContain(`release/${version}/ is missing.`);
    await make('--record-only');
    expect(await make('--pack-only', version)).toBe(1);
    expect(complaints).toContain(`CHANGELOG.md has no section of ${version}.`);
    expect(steps).toEqual([]);
  });
});

test.each([
  [[], 'The version is missing.'],
  [['1.2'], '"1.2" is not a version. Write three numbers, such as 0.2.0.'],
  [['1.2.0', '1.3.0'], 'Only one version can be released at a time.'],
  [['1.2.0', '--record-only'], 'Leave the version out.'],
  [['1.2.0', '--force'], "Unknown option '--force'"],
])('npm run release explains its arguments when they are wrong: %j', async (args, message) => {
  expect(await make(...args)).toBe(2);
  expect(complaints).toContain(message);
  expect(complaints).toContain('Usage: npm run release -- <version>');
});

describe('a record', () => {
  test('a release record that is missing fails with the remedy', async () => {
    await expect(newestRecord(root)).rejects.toThrow(
      'There is no record of a release in release/. Restore it from git, or write the first one: npm run release -- --record-only',
    );
  });

  test('a release record that was edited fails with the name of the file', async () => {
    await make('1.2.0');
    await put('release/1.2.0/migrations.json', '[]\n');
    await expect(newestRecord(root)).rejects.toThrow(
      'release/1.2.0/migrations.json differs from its digest in release.json.',
    );
    await rm(join(root, 'release/1.2.0/migrations.json'));
    await expect(newestRecord(root)).rejects.toThrow('release/1.2.0/migrations.json is missing.');
  });
});
