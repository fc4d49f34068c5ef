import { EmbeddedPostgresError } from './embedded-error.ts';
import { type OsUser, run } from './embedded-process.ts';

/** Accounts that exist for this purpose: from Linux distributions' Postgres packages, and from macOS. */
const KNOWN_ACCOUNTS = ['postgres', '_postgres'];

/**
 * Postgres refuses to run as root. For root this is the account it runs as instead, created if there is none yet; null
 * for any other user, who runs Postgres directly.
 * @throws {EmbeddedPostgresError} when no account is available.
 */
export async function osUserForPostgres(log: (line: string) => void): Promise<OsUser | null> {
  if (process.geteuid?.() !== 0) return null;
  for (const name of KNOWN_ACCOUNTS) {
    const user = await lookUp(name);
    if (user !== null) return user;
  }
  // Fails when another start has just created it, or if the system is read-only or has no useradd.
  const made = await run('useradd', [
    ...['--system', '--user-group', '--no-create-home', '--home-dir', '/nonexistent'],
    ...['--shell', '/usr/sbin/nologin', 'postgres'],
  ]).catch(() => null);
  if (made?.ok === true)
    log('created the OS user "postgres", because Postgres does not run as root');
  // Any account works that is not root and has a name, which initdb requires.
  const user = (await lookUp('postgres')) ?? (await lookUp('nobody'));
  if (user !== null) return user;
  throw new EmbeddedPostgresError(
    'Postgres does not run as root and the account "postgres" cannot be created; run `useradd -r postgres`, start as an ordinary user, or set DATABASE_URL',
  );
}

/** Whether that account can reach the folder; its rights inside are checked separately. */
export async function canEnter(user: OsUser, directory: string): Promise<boolean> {
  // Asks the system itself, since only it knows access lists and mount options.
  const { ok } = await run('/bin/sh', ['-c', 'cd -- "$1"', 'sh', directory], { as: user });
  return ok;
}

async function lookUp(name: string): Promise<OsUser | null> {
  const [uid, gid] = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])]);
  if (!uid.ok || !gid.ok || Number(uid.output) === 0) return null;
  return { name, uid: Number(uid.output), gid: Number(gid.output) };
}
