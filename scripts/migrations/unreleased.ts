import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Migration } from './judge.ts';

const run = promisify(execFile);
const FOLDER = 'prisma/migrations';
const MAX_BYTES = 64 * 1024 * 1024;
/** How long the place that a clone was made from may take to list its releases. */
const REMOTE_TIMEOUT_MS = 10_000;

/** What git knows of releases, in a clone that may have no history beyond its last commit. */
export class Releases {
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  /**
   * The tag of the last release, on the way to this commit; in a shallow clone, where no way is seen, the highest there is.
   * Null: there is none.
   * @throws {Error} for a clone that was made without the tags that there are.
   */
  async last(): Promise<string | null> {
    const tags = await this.#tags();
    if (tags.length === 0) {
      await this.#refuseToOverlook();
      return null;
    }
    if (await this.#isShallow()) return tags.at(-1) ?? null;
    return this.#git('describe', '--tags', '--match', 'v*', '--abbrev=0').catch(noneThere);
  }

  /** Whether a release is out, and was when `base` was made. Of a base that is no release only the first is seen. */
  async outBy(base: string): Promise<(release: string) => boolean> {
    const tags = await this.#tags();
    const at = tags.indexOf(base);
    const out = new Set(at === -1 ? tags : tags.slice(0, at + 1));
    return (release) => out.has(release);
  }

  /** The migrations as they were at a commit, whose history is not needed. */
  async migrationsAt(base: string): Promise<Migration[]> {
    const listed = await this.#git('ls-tree', '-r', '--name-only', base, '--', FOLDER);
    const names = listed.split('\n').flatMap((path) => PATH.exec(path)?.[1] ?? []);
    return Promise.all(
      names.toSorted().map(async (name) => ({
        name,
        sql: await this.#git('show', `${base}:${FOLDER}/${name}/migration.sql`),
      })),
    );
  }

  /** From the oldest to the newest, by their numbers. */
  async #tags(): Promise<string[]> {
    const listed = await this.#git('tag', '--list', 'v*', '--sort=version:refname');
    return listed.split('\n').filter((tag) => tag !== '');
  }

  async #isShallow(): Promise<boolean> {
    return (await this.#git('rev-parse', '--is-shallow-repository')).trim() === 'true';
  }

  /** @throws {Error} when this clone lacks tags that its origin has: nothing to judge is not the same as nothing seen. */
  async #refuseToOverlook(): Promise<void> {
    if (!(await this.#isShallow())) return;
    const args = ['ls-remote', '--tags', 'origin', 'v*'];
    const options = { cwd: this.#root, timeout: REMOTE_TIMEOUT_MS };
    // An origin that cannot be asked cannot be waited for either.
    const { stdout } = await run('git', args, options).catch(() => ({ stdout: '' }));
    if (stdout !== '') {
      throw new Error(
        'This clone is shallow and has none of the releases. Fetch them: git fetch --depth 1 --tags',
      );
    }
  }

  /** Its answer without the end of the last line, which is the file's own only where it is of a file. */
  async #git(...args: string[]): Promise<string> {
    const env = { ...process.env, LC_ALL: 'C' };
    const options = { cwd: this.#root, maxBuffer: MAX_BYTES, env };
    const { stdout } = await run('git', args, options);
    return args[0] === 'show' ? stdout : stdout.trimEnd();
  }
}

const PATH = /^prisma\/migrations\/([^/]+)\/migration\.sql$/;

/** Tags there are, but none on the way to this commit. */
function noneThere(error: unknown): null {
  const { stderr } = error as { stderr?: unknown };
  if (typeof stderr === 'string' && /No names found|No tags can describe/.test(stderr)) return null;
  throw error;
}

/** The migrations as they lie there now, committed or not. */
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
