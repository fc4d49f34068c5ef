import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { checkMigrations } from './command.ts';

const run = promisify(execFile);

let folder: string;
let root: string;
let printed: string;
let complaints: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'migrations-'));
  root = join(folder, 'origin');
  await mkdir(root);
  await git('init', '--quiet');
  await migration('1_tables', 'CREATE TABLE shops (id uuid PRIMARY KEY);\n');
  await commit();
});

afterEach(() => rm(folder, { recursive: true }));

async function git(...args: string[]): Promise<void> {
  const who = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com'];
  await run('git', [...who, ...args], { cwd: root });
}

async function commit(): Promise<void> {
  await git('add', '.');
  await git('commit', '--quiet', '--message', 'Next');
}

async function migration(name: string, sql: string, at = root): Promise<void> {
  const file = join(at, 'prisma/migrations', name, 'migration.sql');
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, sql);
}

function check(...args: string[]): Promise<number> {
  printed = '';
  complaints = '';
  return checkMigrations(args, {
    root,
    print: (text) => {
      printed += `${text}\n`;
    },
    printError: (text) => {
      complaints += `${text}\n`;
    },
  });
}

describe('before the first release', () => {
  test('there is nothing to judge, and the check says so', async () => {
    await git('tag', 'nightly');
    await migration('2_gone', 'DROP TABLE shops');
    expect(await check()).toBe(0);
    expect(printed).toMatch(/^There is no release yet \(no tag v…\)/);
  });

  test('a base may be named', async () => {
    await migration('2_gone', 'DROP TABLE shops');
    expect(await check('HEAD')).toBe(1);
  });
});

describe('since the last release', () => {
  beforeEach(() => git('tag', 'v1.0.0'));

  test('a migration that adds passes, committed or not', async () => {
    expect(await check()).toBe(0);
    expect(printed).toBe('0 migrations since v1.0.0: the version before goes on beside them.\n');
    await migration('2_label', 'ALTER TABLE shops ADD COLUMN label text');
    expect(await check()).toBe(0);
    await commit();
    expect(await check()).toBe(0);
    expect(printed).toBe('1 migration since v1.0.0: the version before goes on beside them.\n');
  });

  test('one that breaks is told by file, line and statement, with the reason and the way round', async () => {
    await migration('2_gone', '-- Away.\nDROP TABLE shops;\n');
    expect(await check()).toBe(1);
    expect(printed).toBe(
      [
        'prisma/migrations/2_gone/migration.sql:2  [table-dropped]',
        '    DROP TABLE shops',
        '  Breaks the version that still runs. The running version still uses the table: its statements fail from that moment.',
        '  Instead: Stop using it in one release; drop it in a later one, under a line `-- contract: <release that no longer uses it>: <reason>`.',
        '',
        '1 migration since v1.0.0: 1 refusal; docs/decisions/0024 says what is behind it.',
        '',
      ].join('\n'),
    );
  });

  test('what is released is left alone, and nothing comes before it', async () => {
    await migration('1_tables', 'CREATE TABLE shops (id uuid);\n');
    await migration('0_early', 'CREATE TABLE early (id uuid);\n');
    expect(await check()).toBe(1);
    expect(printed).toMatch(/1_tables\/migration\.sql {2}\[released-changed\]/);
    expect(printed).toMatch(/0_early\/migration\.sql {2}\[out-of-order\]/);
    await rm(join(root, 'prisma/migrations/1_tables'), { recursive: true });
    expect(await check()).toBe(1);
    expect(printed).toMatch(/1_tables\/migration\.sql {2}\[released-removed\]/);
  });

  test('a contract line wants a release that is out, and was when the base was', async () => {
    await migration('2_label', 'ALTER TABLE shops ADD COLUMN label text');
    await commit();
    await git('tag', 'v1.10.0');
    await migration('3_gone', '-- contract: v1.10.0: reads labels\nDROP TABLE shops');
    expect(await check()).toBe(0);
    expect(await check('v1.0.0')).toBe(1);
    expect(printed).toContain('[contract-too-early]');
    await migration('3_gone', '-- contract: v1.11.0: reads labels\nDROP TABLE shops');
    expect(await check()).toBe(1);
    expect(printed).toContain('[contract-too-early]');
  });
});

describe('in a clone without history', () => {
  let clone: string;

  beforeEach(async () => {
    await git('tag', 'v1.9.0');
    await migration('2_label', 'ALTER TABLE shops ADD COLUMN label text');
    await commit();
    await git('tag', 'v1.10.0');
    await migration('3_gone', 'ALTER TABLE shops DROP COLUMN label');
    await commit();
    clone = join(folder, 'clone');
    await run('git', ['clone', '--quiet', '--depth', '1', `file://${root}`, clone]);
    root = clone;
  });

  test('the releases have to be fetched first: what is not seen is not passed', async () => {
    expect(await check()).toBe(2);
    expect(complaints).toContain('git fetch --depth 1 --tags');
    await git('fetch', '--quiet', '--depth', '1', '--tags');
    expect(await check()).toBe(1);
    expect(printed).toContain('1 migration since v1.10.0');
    expect(printed).toContain('[column-dropped]');
  });

  test('of which the origin is out of reach there is nothing to judge', async () => {
    await git('remote', 'set-url', 'origin', join(folder, 'nowhere'));
    expect(await check()).toBe(0);
    expect(printed).toMatch(/^There is no release yet/);
  });
});

test.each([[['a', 'b']], [['--loud']]])('it says how it is used: %j', async (args) => {
  expect(await check(...args)).toBe(2);
  expect(complaints).toContain('Usage: npm run check:migrations');
});

test('a base that is none, or a migration that is no SQL, is told in one line', async () => {
  expect(await check('nowhere')).toBe(2);
  expect(complaints).toContain('Not a valid object name nowhere');
  await migration('2_slip', 'DROP TABEL shops');
  expect(await check('HEAD')).toBe(2);
  expect(complaints).toBe('2_slip:1: syntax error at or near "TABEL"\n');
});
