import { EmbeddedPostgresError } from './embedded-error.ts';
import { type OsUser, run } from './embedded-process.ts';

/** Accounts that exist for this purpose: of Linux distributions' Postgres packages, and of macOS. */
const KNOWN_ACCOUNTS = ['postgres', '_postgres'];

/**
 * Postgres refuses to run as root. For root this is the account it runs as instead, which is made
 * where there is none yet; for anybody else null, since they run it themselves.
 * @throws {EmbeddedPostgresError} when no account can be had.
 */
export async function osUserForPostgres(log: (line: string) => void): Promise<OsUser | null> {
  if (process.geteuid?.() !== 0) return null;
  for (const name of KNOWN_ACCOUNTS) {
    const user = await lookUp(name);
    if (user !== null) return user;
  }
  // Fails when another start has just made it, or where the system is read-only or has no useradd.
  const made = await run('useradd', [
    ...['--system', '--user-group', '--no-create-home', '--home-dir', '/nonexistent'],
    ...['--shell', '/usr/sbin/nologin', 'postgres'],
  ]).catch(() => null);
  if (made?.ok === true) log('made the OS user "postgres", since Postgres does not run as root');
  // Any account will do that is not root and has a name, which initdb insists on.
  const user = (await lookUp('postgres')) ?? (await lookUp('nobody'));
  if (user !== null) return user;
  throw new EmbeddedPostgresError(
    'Postgres does not run as root and no account "postgres" can be made; run `useradd -r postgres`, start as an ordinary user, or set DATABASE_URL',
  );
}

/** Whether that account gets as far as into the folder: what it may do there is another matter. */
export async function canEnter(user: OsUser, directory: string): Promise<boolean> {
  // Asked of the system itself, which alone knows of access lists and of mount options.
  const { ok } = await run('/bin/sh', ['-c', 'cd -- "$1"', 'sh', directory], { as: user });
  return ok;
}

async function lookUp(name: string): Promise<OsUser | null> {
  const [uid, gid] = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])]);
  if (!uid.ok || !gid.ok || Number(uid.output) === 0) return null;
  return { name, uid: Number(uid.output), gid: Number(gid.output) };
}
