import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

/** The session that `cspm login` stores. */
export interface StoredSession {
  readonly url: string;
  readonly accessToken: string;
  readonly refreshToken: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The path follows the XDG Base Directory Specification: below XDG_CONFIG_HOME or ~/.config. */
function sessionFile(environment: Environment): string {
  const home = environment['HOME'] ?? homedir();
  return join(environment['XDG_CONFIG_HOME'] ?? join(home, '.config'), 'cspm', 'session.json');
}

/** Null when nobody is signed in, or when the file cannot be read. */
export async function readSession(environment: Environment): Promise<StoredSession | null> {
  try {
    const stored: Partial<StoredSession> = JSON.parse(
      await readFile(sessionFile(environment), 'utf8'),
    );
    const { url, accessToken, refreshToken } = stored;
    if (typeof url !== 'string' || typeof accessToken !== 'string') return null;
    return typeof refreshToken === 'string' ? { url, accessToken, refreshToken } : null;
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
