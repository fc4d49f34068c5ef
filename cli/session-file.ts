import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { fileStore, type SessionStore } from '@cspm/sdk/session';

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

/** Commands that run at the same time share the session: one of them renews the tokens, and the others read them. */
export function sessionStore(environment: Environment, url: string): SessionStore {
  return {
    load: () => readSession(environment),
    save: (session) => saveSession(environment, { ...session, url }),
    clear: () => forgetSession(environment),
    exclusive: fileStore(sessionFile(environment)).exclusive,
  };
}

/** Null when nobody is signed in, or when the file cannot be read. */
export async function readSession(environment: Environment): Promise<StoredSession | null> {
  try {
    const stored: Partial<StoredSession> = JSON.parse(
      await readFile(sessionFile(environment), 'utf8'),
    );
    const { url, accessToken, refreshToken, expiresAt = 0 } = stored;
    if (typeof url !== 'string' || typeof accessToken !== 'string') return null;
    if (typeof refreshToken !== 'string') return null;
    return { url, accessToken, refreshToken, expiresAt };
  } catch {
    return null;
  }
}

/** Writes the file atomically and readable by its owner only. */
export async function saveSession(environment: Environment, session: StoredSession): Promise<void> {
  const file = sessionFile(environment);
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, `${JSON.stringify(session)}\n`, { mode: 0o600 });
  await rename(draft, file);
}

export async function forgetSession(environment: Environment): Promise<void> {
  await rm(sessionFile(environment), { force: true });
}
