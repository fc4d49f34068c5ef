import { randomUUID } from 'node:crypto';
import { chmod, lstat, mkdir, open, readlink, realpath, stat, symlink } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { EmbeddedPostgresError, errnoOf } from './embedded-error.ts';
import { canEnter } from './embedded-os-user.ts';
import type { OsUser } from './embedded-process.ts';

/** The location of an existing or future cluster. */
export interface Place {
  /** Folder that holds the cluster; real path. */
  readonly home: string;
  /** Postgres' data directory, `home/cluster`. */
  readonly cluster: string;
  /** The account that owns the cluster and runs its server; null: the current one. */
  readonly as: OsUser | null;
  /** One line for the operator when `home` is not the requested folder. */
  readonly notice: string | null;
}

/**
 * Where root may place data for the other account: folders for persistent state, else folders that survive a reboot.
 */
export const ELSEWHERE: readonly string[] = ['/var/lib', '/var/tmp'];

/** Others may pass through to the cluster, whose own folder is closed, and read nothing here. */
const PASSABLE = 0o711;

/** Creates the folder if it is missing; returns its real path. */
export async function makeDirectory(directory: string): Promise<string> {
  const wanted = resolve(directory);
  const mode = process.geteuid?.() === 0 ? PASSABLE : 0o700;
  const first = await mkdir(wanted, { recursive: true, mode });
  // Under a strict umask the new folders would be closed to the account that runs Postgres.
  for (let made = wanted; first !== undefined; made = dirname(made)) {
    await chmod(made, mode);
    if (made === first) break;
  }
  return realpath(wanted);
}

/**
 * The place of the cluster of `directory` (a real path). For an ordinary user it is in that folder. For root it is
 * there if the other account can reach it; if not it is in one of the folders `elsewhere`, and a symbolic link
 * `directory/cluster` leads to it. So a removed DATA_DIR means a new database, and a moved one keeps its own.
 * @throws {EmbeddedPostgresError} when existing data is unreachable or gone.
 */
export async function findPlace(
  directory: string,
  osUser: OsUser | null,
  elsewhere: readonly string[],
): Promise<Place> {
  const cluster = join(directory, 'cluster');
  const found = await lstat(cluster).catch(ignoreMissing);
  if (found?.isSymbolicLink() === true) return follow(cluster, osUser);
  if (osUser === null) return { home: directory, cluster, as: null, notice: null };
  // A cluster created by an ordinary user keeps its owner when root serves it once.
  const as = found === null ? osUser : ownerOf(cluster, found, osUser);
  if (await canEnter(as, directory)) return { home: directory, cluster, as, notice: null };
  if (found !== null) {
    throw new EmbeddedPostgresError(
      `the OS user "${as.name}", which runs Postgres for root, can no longer reach the database in ${directory}; run \`chmod a+x\` on that folder and its parent folders`,
    );
  }
  const home = await makeHome(as, elsewhere);
  const there = join(home, 'cluster');
  await symlink(there, cluster);
  return { home, cluster: there, as, notice: noticeOf(home, directory, as) };
}

async function follow(link: string, osUser: OsUser | null): Promise<Place> {
  const target = resolve(dirname(link), await readlink(link));
  const home = await realpath(dirname(target)).catch(ignoreMissing);
  if (home === null) {
    throw new EmbeddedPostgresError(
      `the database was kept in ${dirname(target)}, which no longer exists; restore it, or remove ${dirname(link)} to start with an empty database`,
    );
  }
  const cluster = join(home, 'cluster');
  const found = await lstat(cluster).catch(ignoreMissing);
  const as = osUser === null || found === null ? osUser : ownerOf(cluster, found, osUser);
  const notice = as === null ? null : noticeOf(home, dirname(link), as);
  return { home, cluster, as, notice };
}

/** Postgres serves a cluster only as the account that owns it. */
function ownerOf(cluster: string, found: { uid: number; gid: number }, osUser: OsUser): OsUser {
  if (found.uid === 0) {
    throw new EmbeddedPostgresError(
      `${cluster} belongs to root, but Postgres does not run as root; change the owner with \`chown -R postgres ${cluster}\``,
    );
  }
  if (found.uid === osUser.uid) return osUser;
  return { name: `uid ${found.uid}`, uid: found.uid, gid: found.gid };
}

async function makeHome(as: OsUser, elsewhere: readonly string[]): Promise<string> {
  for (const base of elsewhere) {
    const ours = join(base, 'cspm');
    try {
      await mkdir(ours, { mode: PASSABLE }).catch((error: unknown) => {
        if (errnoOf(error) !== 'EEXIST') throw error;
      });
      // In a world-writable folder someone else may have created it first, to make root write into theirs.
      const { uid, mode } = await lstat(ours);
      if (uid !== 0 || (mode & 0o170_022) !== 0o040_000) continue;
      const home = join(await realpath(ours), randomUUID());
      await mkdir(home, { mode: PASSABLE });
      await chmod(ours, PASSABLE);
      await chmod(home, PASSABLE);
      if (await canEnter(as, home)) return home;
    } catch (error) {
      if (errnoOf(error) === null) throw error;
    }
  }
  throw new EmbeddedPostgresError(
    `the OS user "${as.name}", which runs Postgres for root, can reach neither DATA_DIR nor ${elsewhere.join(' nor ')}; set DATA_DIR to a folder that it can reach`,
  );
}

function noticeOf(home: string, directory: string, as: OsUser): string {
  return `The database is kept in ${home}: Postgres runs as OS user "${as.name}", which cannot reach ${directory}, because root started the server.`;
}

/** Flushes a folder, so entries that were created or renamed in it survive a power failure. */
export async function flushFolder(path: string): Promise<void> {
  const handle = await open(path, 'r');
  await handle.sync().finally(() => handle.close());
}

function ignoreMissing(error: unknown): null {
  if (errnoOf(error) === 'ENOENT') return null;
  throw error;
}

/** Whether a complete cluster exists: it gets its final name only when it is complete. */
export async function hasCluster(place: Place): Promise<boolean> {
  return (await stat(place.cluster).catch(ignoreMissing)) !== null;
}
