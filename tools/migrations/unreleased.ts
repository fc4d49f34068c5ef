import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { RECORDS } from '../release/record.ts';
import type { Migration } from './check.ts';

const run = promisify(execFile);
const FOLDER = 'prisma/migrations';
const MAX_BYTES = 64 * 1024 * 1024;

/** A commit that migrations are compared with, instead of the last release. */
export class BaseCommit {
  readonly #root: string;
  readonly #ref: string;

  constructor(root: string, ref: string) {
    this.#root = root;
    this.#ref = ref;
  }

  /** The migrations at the commit, whose history is not needed. */
  async migrations(): Promise<Migration[]> {
    const listed = await this.#git('ls-tree', '-r', '--name-only', this.#ref, '--', FOLDER);
    const names = listed.split('\n').flatMap((path) => PATH.exec(path)?.[1] ?? []);
    return Promise.all(
      names.toSorted().map(async (name) => ({
        name,
        sql: await this.#git('show', `${this.#ref}:${FOLDER}/${name}/migration.sql`),
      })),
    );
  }

  /** The versions that had a record at that commit. */
  async versions(): Promise<string[]> {
    const listed = await this.#git('ls-tree', '-d', '--name-only', this.#ref, '--', `${RECORDS}/`);
    return listed.split('\n').map((path) => path.slice(RECORDS.length + 1));
  }

  async #git(...args: string[]): Promise<string> {
    const env = { ...process.env, LC_ALL: 'C' };
    const options = { cwd: this.#root, maxBuffer: MAX_BYTES, env };
    const { stdout } = await run('git', args, options);
    return stdout;
  }
}

const PATH = /^prisma\/migrations\/([^/]+)\/migration\.sql$/;

/** The migrations in the working tree, committed or not. */
export async function migrationsIn(root: string): Promise<Migration[]> {
  const folder = join(root, FOLDER);
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return Promise.all(
    names.toSorted().map(async (name) => ({
      name,
      sql: await readFile(join(folder, name, 'migration.sql'), 'utf8'),
    })),
  );
}
