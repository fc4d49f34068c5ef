import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { commitOf } from './recorded-commit.ts';

const run = promisify(execFile);

let folder: string;
let root: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recorded-commit-'));
  root = join(folder, 'origin');
  await record('{"version":"1.0.0"}');
  await git('init', '--quiet');
});

afterEach(() => rm(folder, { recursive: true }));

async function record(text: string): Promise<void> {
  await mkdir(join(root, 'release/1.0.0'), { recursive: true });
  await writeFile(join(root, 'release/1.0.0/release.json'), text);
}

async function git(...args: string[]): Promise<string> {
  const who = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com'];
  return (await run('git', [...who, ...args], { cwd: root })).stdout.trim();
}

async function commit(): Promise<string> {
  await git('add', '--all');
  await git('commit', '--quiet', '--allow-empty', '--message', 'Next');
  return git('rev-parse', '--short', 'HEAD');
}

test('the recorded commit is the last one that wrote the release record', async () => {
  await commit();
  await record('{"version":"1.0.0","date":"2026-11-22"}');
  const wrote = await commit();
  await commit();
  expect(await commitOf(root, '1.0.0')).toBe(wrote);
});

test('the recorded commit is the tag while it has the same release record', async () => {
  await commit();
  await git('tag', 'v1.0.0');
  await commit();
  expect(await commitOf(root, '1.0.0')).toBe('v1.0.0');
  await record('{"version":"1.0.0","date":"2026-11-22"}');
  expect(await commitOf(root, '1.0.0')).toBeNull();
});

test('there is no recorded commit while the release record is not committed', async () => {
  expect(await commitOf(root, '1.0.0')).toBeNull();
});

test('the oldest commit of a shallow clone is not mistaken for the recorded commit', async () => {
  await commit();
  await commit();
  const clone = join(folder, 'clone');
  await run('git', ['clone', '--quiet', '--depth', '1', `file://${root}`, clone]);
  expect(await commitOf(clone, '1.0.0')).toBeNull();
});

test('there is no recorded commit in an export without git', async () => {
  await rm(join(root, '.git'), { recursive: true });
  expect(await commitOf(root, '1.0.0')).toBeNull();
});
