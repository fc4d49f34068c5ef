import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { fileStore, type SessionStore } from '@cspm/sdk/session';
import { InputError } from './usage-error.ts';

/** The session that `cspm login` stores. */
export interface StoredSession {
  readonly url: string;
  readonly accessToken: string;
  readonly refreshToken: string;
  /** When the access token ends, in milliseconds since the epoch. */
  readonly expiresAt: number;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The path follows the XDG Base Directory Specification: below XDG_CONFIG_HOME or ~/.config. It says to ignore paths that
 * are empty or relative.
 */
function sessionFile(environment: Environment): string {
  const [configHome = '', home = ''] = [environment['XDG_CONFIG_HOME'], environment['HOME']];
  if (isAbsolute(configHome)) return join(configHome, 'cspm', 'session.json');
  const owner = isAbsolute(home) ? home : userInfo().homedir;
  return join(owner, '.config', 'cspm', 'session.json');
}

/**
 * Commands that run at the same time share the session: one of them renews the tokens, and the others read them. A command
 * that goes on after a sign-in to another service leaves the session of that one alone.
 */
export function sessionStore(environment: Environment, url: string): SessionStore {
  const { exclusive = (work) => work() } = fileStore(sessionFile(environment));
  const isOfOther = async () => {
    const stored = await readSession(environment);
    return stored !== null && !isSameAddress(stored.url, url);
  };
  return {
    async load() {
      const stored = await readSession(environment);
      if (stored === null || isSameAddress(stored.url, url)) return stored;
      throw new InputError(
        `You are now signed in to ${stored.url}, and no longer to ${url}. Run cspm login --url ${url} again, or set CSPM_API_KEY to an API key (cspm_…).`,
      );
    },
    async save(session) {
      if (!(await isOfOther())) await saveSession(environment, { ...session, url });
    },
    async clear() {
      if (!(await isOfOther())) await forgetSession(environment);
    },
    exclusive: (work) => exclusive(work).catch(refuseToWrite(sessionFile(environment))),
  };
}

export function isSameAddress(one: string, other: string): boolean {
  const [a, b] = [one, other].map((url) => new URL(url).href.replace(/\/+$/, ''));
  return a === b;
}

/** Null when nobody is signed in, or when the file cannot be read. */
export async function readSession(environment: Environment): Promise<StoredSession | null> {
  try {
    const stored: Partial<StoredSession> = JSON.parse(
      await readFile(sessionFile(environment), 'utf8'),
    );
    const { url, accessToken, refreshToken, expiresAt = 0 } = stored;
    if (typeof url !== 'string' || !URL.canParse(url)) return null;
    if (typeof accessToken !== 'string') return null;
    if (typeof refreshToken !== 'string') return null;
    return { url, accessToken, refreshToken, expiresAt };
  } catch {
    return null;
  }
}

/**
 * Writes the file atomically and readable by its owner only.
 * @throws {InputError} when the file cannot be written
 */
export async function saveSession(environment: Environment, session: StoredSession): Promise<void> {
  const file = sessionFile(environment);
  const draft = `${file}.${randomUUID()}`;
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await writeFile(draft, `${JSON.stringify(session)}\n`, { mode: 0o600, flag: 'wx' });
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined);
    refuseToWrite(file)(error);
  }
}

/** @throws {InputError} when the file cannot be deleted */
export async function forgetSession(environment: Environment): Promise<void> {
  const file = sessionFile(environment);
  await rm(file, { force: true }).catch(refuseToWrite(file));
}

/** Rethrows an error; one of the file system with what to do. */
function refuseToWrite(file: string): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    const [reason] = error.message.split(',');
    throw new InputError(
      `Cannot write ${file}, which stores the session: ${reason}. Set XDG_CONFIG_HOME to a directory that you may write to, or set CSPM_API_KEY to an API key (cspm_…).`,
    );
  };
}
