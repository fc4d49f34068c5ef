import { parseSession, type SessionStore } from './stores.ts';

/** A lock older than this belongs to a program that has died. */
const STALE_MS = 10_000;
/** How often a program that has the lock says that it lives. */
const TOUCH_MS = 2_000;
/** Longer than an attempt of a renewal: without the lock, others would send the same refresh token. */
const LOCK_MS = 35_000;
const POLL_MS = 25;

/** The owner alone can read and write it. */
const MODE = 0o600;

/**
 * Keeps a session in a file that only its owner can read (mode 0600), for programs on Node 20.16 or later, Bun or Deno.
 * Programs that run at the same time share it: a lock file beside it lets one of them renew the tokens.
 * @throws {TypeError} where there are no files, as in browsers.
 */
export function fileStore(path: string): SessionStore {
  const { open, readFile, rename, rm, stat, utimes, writeFile } = files();
  const lock = `${path}.lock`;

  /** @returns false: another program has the lock. */
  async function acquire(): Promise<boolean> {
    try {
      await (await open(lock, 'wx', MODE)).close();
      return true;
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
      const { mtimeMs } = await stat(lock).catch(() => ({ mtimeMs: Date.now() }));
      if (mtimeMs + STALE_MS < Date.now()) await rm(lock, { force: true });
      return false;
    }
  }

  return {
    async load() {
      try {
        return parseSession(await readFile(path, 'utf8'));
      } catch (error) {
        if (codeOf(error) === 'ENOENT') return undefined;
        throw error;
      }
    },
    async save(session) {
      // Renamed into place, so that nobody reads half of it and an earlier file's mode does not stay.
      const draft = `${path}.${crypto.randomUUID()}`;
      try {
        await writeFile(draft, JSON.stringify(session), { mode: MODE, flag: 'wx' });
        await rename(draft, path);
      } catch (error) {
        // It contains the tokens.
        await rm(draft, { force: true });
        throw error;
      }
    },
    clear: () => rm(path, { force: true }),
    async exclusive(work) {
      const until = Date.now() + LOCK_MS;
      let isOurs = await acquire();
      while (!isOurs && Date.now() < until) {
        await new Promise((resolve) => setTimeout(resolve, POLL_MS));
        isOurs = await acquire();
      }
      const touch = () => utimes(lock, new Date(), new Date()).catch(() => undefined);
      const touching = isOurs ? setInterval(touch, TOUCH_MS) : undefined;
      try {
        return await work();
      } finally {
        clearInterval(touching);
        if (isOurs) await rm(lock, { force: true });
      }
    },
  };
}

/** What is used of `node:fs/promises`. Its types are not those of this package, which is for browsers too. */
interface Files {
  open(path: string, flags: string, mode: number): Promise<{ close(): Promise<void> }>;
  readFile(path: string, encoding: 'utf8'): Promise<string>;
  rename(from: string, to: string): Promise<void>;
  rm(path: string, options: { force: boolean }): Promise<void>;
  stat(path: string): Promise<{ mtimeMs: number }>;
  utimes(path: string, accessed: Date, modified: Date): Promise<void>;
  writeFile(path: string, text: string, options: { mode: number; flag: string }): Promise<void>;
}

interface Runtime {
  readonly process?: { getBuiltinModule?(name: string): unknown };
}

/** Asked for at run time, so that bundlers for browsers find no module of Node. */
function files(): Files {
  const found = (globalThis as Runtime).process?.getBuiltinModule?.('node:fs/promises');
  if (!found) throw new TypeError('fileStore needs Node 20.16 or later, Bun or Deno.');
  return found as Files;
}

function codeOf(error: unknown): string | undefined {
  return (error as { code?: string }).code;
}
