import { randomUUID } from 'node:crypto';
import { link, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EmbeddedPostgresError, errnoOf } from './embedded-error.ts';
import { isRunning, type ProcessId, sight } from './embedded-process.ts';

/** Readable by all, so an ordinary user can see whether root still serves the folder. */
const READABLE = 0o644;

export interface DirectoryLock {
  /** Releases the lock. May be called twice. */
  release(): Promise<void>;
}

/**
 * Locks `directory` for this process, until `release()` or until the process ends. Throws EmbeddedPostgresError when a
 * live process holds it.
 *
 * Node has no flock(2), and "remove the dead process's lock file, then create mine" lets two servers in when a third
 * has just done the same. So claims are numbered files in `directory/lock`: the highest number holds the lock, a
 * process that finds it dead or released creates the next number, and link(2) gives a number to one process only. The
 * highest number is never removed, so numbers only grow: a process that acts on an outdated number sees a higher one
 * than its own and gives up.
 *
 * Two containers that share a folder cannot see each other's processes, so they are not kept apart; Postgres itself
 * cannot do that either.
 */
export async function lockDirectory(directory: string): Promise<DirectoryLock> {
  const folder = join(directory, 'lock');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const { startedAt } = await sight(process.pid);
  const claim = JSON.stringify({ pid: process.pid, startedAt });

  for (;;) {
    const last = await highestClaim(folder);
    const holder = await readClaim(folder, last);
    if (holder === 'superseded') continue;
    if (holder !== 'free' && (await isRunning(holder))) {
      throw new EmbeddedPostgresError(
        `another server (pid ${holder.pid}) is using ${directory}; stop it or set DATA_DIR`,
      );
    }
    const mine = last + 1;
    if (!(await takeNumber(folder, mine, claim))) continue;
    if ((await highestClaim(folder)) === mine) {
      await removeOlderThan(folder, mine);
      return { release: () => markReleased(folder, mine) };
    }
    await rm(join(folder, String(mine)), { force: true });
  }
}

/** True when the directory was locked before and is not now. */
export async function isAbandoned(directory: string): Promise<boolean> {
  const folder = join(directory, 'lock');
  const last = await highestClaim(folder);
  if (last === 0) return false;
  const holder = await readClaim(folder, last);
  return holder === 'free' || (holder !== 'superseded' && !(await isRunning(holder)));
}

/** 0 if there was never a claim. */
async function highestClaim(folder: string): Promise<number> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (errnoOf(error) === 'ENOENT') return [];
    throw error;
  });
  return Math.max(0, ...names.filter((name) => /^\d+$/.test(name)).map(Number));
}

async function readClaim(
  folder: string,
  number: number,
): Promise<ProcessId | 'free' | 'superseded'> {
  if (number === 0) return 'free';
  let text: string;
  try {
    text = await readFile(join(folder, String(number)), 'utf8');
  } catch (error) {
    // The claim is cleaned up only once a higher number exists.
    if (errnoOf(error) === 'ENOENT') return 'superseded';
    throw error;
  }
  try {
    const claim: unknown = JSON.parse(text);
    if (typeof claim !== 'object' || claim === null) return 'free';
    if (!('pid' in claim) || typeof claim.pid !== 'number') return 'free';
    const startedAt = 'startedAt' in claim ? claim.startedAt : null;
    return { pid: claim.pid, startedAt: typeof startedAt === 'string' ? startedAt : null };
  } catch {
    // Claims are linked when complete, so this one was truncated by a power failure and its process is dead.
    return 'free';
  }
}

/** False when another process has that number, or has already removed this attempt. */
async function takeNumber(folder: string, number: number, claim: string): Promise<boolean> {
  const draft = join(folder, `draft-${randomUUID()}`);
  await writeFile(draft, claim, { mode: READABLE });
  try {
    await link(draft, join(folder, String(number)));
    return true;
  } catch (error) {
    const code = errnoOf(error);
    if (code === 'EEXIST' || code === 'ENOENT') return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

async function removeOlderThan(folder: string, mine: number): Promise<void> {
  for (const name of await readdir(folder)) {
    const isOlder = /^\d+$/.test(name) && Number(name) < mine;
    if (isOlder || name.startsWith('draft-')) await rm(join(folder, name), { force: true });
  }
}

async function markReleased(folder: string, mine: number): Promise<void> {
  const draft = join(folder, `draft-${randomUUID()}`);
  try {
    await writeFile(draft, '{"released":true}', { mode: READABLE });
    await rename(draft, join(folder, String(mine)));
  } catch (error) {
    // The folder was removed with a temporary cluster.
    if (errnoOf(error) !== 'ENOENT') throw error;
  }
}
