import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { writeRecord } from '../release/write-record.ts';
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
  await mkdir(join(root, 'sdk/dist'), { recursive: true });
  await writeFile(join(root, 'sdk/dist/index.d.ts'), '');
  await writeFile(join(root, 'openapi.json'), '{}');
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

/** The record that `npm run release` writes of the current migrations. */
async function record(version: string): Promise<void> {
  await writeRecord(root, version, '2026-11-22', '');
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
  test('the migration check fails with the remedy before the first release, because it has nothing to compare with', async () => {
    expect(await check()).toBe(2);
    expect(complaints).toContain('There is no record of a release in release/.');
    expect(complaints).toContain('npm run release -- --record-only');
  });

  test('the migration check accepts a base before the first release', async () => {
    await migration('2_gone', 'DROP TABLE shops');
    expect(await check('HEAD')).toBe(1);
  });
});

describe('since the last release', () => {
  beforeEach(() => record('1.0.0'));

  test('the migration check accepts additions since the last release, committed or not', async () => {
    expect(await check()).toBe(0);
    expect(printed).toBe('0 migrations since 1.0.0: the running version keeps working.\n');
    await migration('2_label', 'ALTER TABLE shops ADD COLUMN label text');
    expect(await check()).toBe(0);
    await commit();
    expect(await check()).toBe(0);
    expect(printed).toBe('1 migration since 1.0.0: the running version keeps working.\n');
  });

  test('the migration check reports a breaking migration with file, line and statement, the reason and the alternative', async () => {
    await migration('2_gone', '-- Away.\nDROP TABLE shops;\n');
    expect(await check()).toBe(1);
    expect(printed).toBe(
      [
        'prisma/migrations/2_gone/migration.sql:2  [table-dropped]',
        '    DROP TABLE shops',
        '  Breaks the version that is still running. The running version still uses the table: its statements fail from that moment.',
        '  Instead: Stop using it in one release; drop it in a later one, under a line `-- contract: <release that no longer uses it>: <reason>`.',
        '',
        '1 migration since 1.0.0: 1 refusal; docs/decisions/0024 explains them.',
        '',
      ].join('\n'),
    );
  });

  test('the migration check skips released migrations, and lets no new one sort before them', async () => {
    await migration('1_tables', 'CREATE TABLE shops (id uuid);\n');
    await migration('0_early', 'CREATE TABLE early (id uuid);\n');
    expect(await check()).toBe(1);
    expect(printed).toMatch(/1_tables\/migration\.sql {2}\[released-changed\]/);
    expect(printed).toMatch(/0_early\/migration\.sql {2}\[out-of-order\]/);
    await rm(join(root, 'prisma/migrations/1_tables'), { recursive: true });
    expect(await check()).toBe(1);
    expect(printed).toMatch(/1_tables\/migration\.sql {2}\[released-removed\]/);
  });

  test('a contract line requires a recorded release that was recorded when the base was created', async () => {
    await commit();
    await git('tag', 'v1.0.0');
    await migration('2_label', 'ALTER TABLE shops ADD COLUMN label text');
    await record('1.10.0');
    await commit();
    await migration('3_gone', '-- contract: v1.10.0: reads labels\nDROP TABLE shops');
    expect(await check()).toBe(0);
    expect(await check('v1.0.0')).toBe(1);
    expect(printed).toContain('[contract-too-early]');
    await migration('3_gone', '-- contract: v1.11.0: reads labels\nDROP TABLE shops');
    expect(await check()).toBe(1);
    expect(printed).toContain('[contract-too-early]');
  });

  test('the migration check gives the same result for a clone without history and tags', async () => {
    await commit();
    await migration('2_gone', 'DROP TABLE shops');
    await commit();
    const clone = join(folder, 'clone');
    await run('git', ['clone', '--quiet', '--depth', '1', `file://${root}`, clone]);
    root = clone;
    expect(await check()).toBe(1);
    expect(printed).toContain('1 migration since 1.0.0');
    expect(printed).toContain('[table-dropped]');
  });
});

test.each([[['a', 'b']], [['--loud']]])(
  'the migration check explains its usage for the arguments %j',
  async (args) => {
    expect(await check(...args)).toBe(2);
    expect(complaints).toContain('Usage: npm run check:migrations');
  },
);

test('the migration check reports an invalid base or a migration that is not SQL in one line', async () => {
  expect(await check('nowhere')).toBe(2);
  expect(complaints).toContain('Not a valid object name nowhere');
  await migration('2_slip', 'DROP TABEL shops');
  expect(await check('HEAD')).toBe(2);
  expect(complaints).toBe('2_slip:1: syntax error at or near "TABEL"\n');
});
