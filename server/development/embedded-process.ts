import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { EmbeddedPostgresError, errnoOf } from './embedded-error.ts';

/** An OS account to run a command as. */
export interface OsUser {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/** Identifies a process, so a later one with the same number is not mistaken for it. */
export interface ProcessId {
  readonly pid: number;
  /** Opaque; equal for the same process. Null: this system does not provide it. */
  readonly startedAt: string | null;
}

/**
 * Children get only these variables. The operator's PGDATA, PGOPTIONS or LD_LIBRARY_PATH must not affect our private
 * server, LC_ALL keeps the messages that we parse in English, and TZ spares initdb a search through all time zones.
 */
export const CHILD_ENVIRONMENT: Readonly<Record<string, string>> = Object.freeze({
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  LC_ALL: 'C',
  TZ: 'UTC',
});

/** The options that make `spawn` run as another account; null means the current one. */
export function credentials(user: OsUser | null): { uid?: number; gid?: number } {
  return user === null ? {} : { uid: user.uid, gid: user.gid };
}

export interface Ran {
  readonly ok: boolean;
  /** Standard output and standard error, mixed, at most the last 16 KiB. */
  readonly output: string;
}

const OUTPUT_MAX_CHARACTERS = 16_384;

/**
 * Runs a command to its end. Rejects with the system's error when it cannot be started; EACCES means that the command
 * is unreachable or not executable for that user.
 * @throws {EmbeddedPostgresError} when we may not switch to that user.
 */
export async function run(
  file: string,
  args: readonly string[],
  options: { as?: OsUser | null; input?: string } = {},
): Promise<Ran> {
  const as = options.as ?? null;
  try {
    return await collect(file, args, as, options.input ?? '');
  } catch (error) {
    throw cannotBecome(as, error) ?? error;
  }
}

function collect(
  file: string,
  args: readonly string[],
  as: OsUser | null,
  input: string,
): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, {
      ...credentials(as),
      // Our working directory may be closed to the other user.
      cwd: '/',
      env: CHILD_ENVIRONMENT,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    let output = '';
    const append = (chunk: Buffer): void => {
      output = (output + chunk.toString('utf8')).slice(-OUTPUT_MAX_CHARACTERS);
    };
    child.stdout.on('data', append);
    child.stderr.on('data', append);
    // The command ended before it read its input; its exit code explains why.
    child.stdin.on('error', () => undefined);
    child.on('error', reject);
    child.on('close', (code) => resolve({ ok: code === 0, output }));
    child.stdin.end(input);
  });
}

/** A container may run as a root that may not switch to another user. */
function cannotBecome(user: OsUser | null, error: unknown): EmbeddedPostgresError | null {
  if (user === null || !['EPERM', 'EINVAL'].includes(errnoOf(error) ?? '')) return null;
  return new EmbeddedPostgresError(
    `Postgres does not run as root, and root cannot switch to the OS user "${user.name}" here (no CAP_SETUID?); start as an ordinary user, or set DATABASE_URL`,
  );
}

/** Looks a process up by number. A zombie has ended and only waits to be reaped, so it does not count as running. */
export async function sight(pid: number): Promise<{ running: boolean } & ProcessId> {
  const gone = { pid, running: false, startedAt: null };
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: it is alive and belongs to another user.
    if (errnoOf(error) !== 'EPERM') return gone;
  }
  if (process.platform === 'linux') {
    // If /proc hides other users' processes (hidepid), we only know that it is alive.
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
    if (stat === null) return { pid, running: true, startedAt: null };
    // The command name, in parentheses, may contain anything; the fields after it may not.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z' || fields[0] === 'X') return gone;
    // Start times are counted from boot, so they are combined with the boot id.
    const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '');
    return { pid, running: true, startedAt: `${boot.trim()}/${fields[19]}` };
  }
  const ps = await run('ps', ['-o', 'stat=', '-o', 'lstart=', '-p', String(pid)]).catch(() => null);
  if (ps === null) return { pid, running: true, startedAt: null };
  const [state, ...started] = ps.output.trim().split(/\s+/);
  if (!ps.ok || state === undefined || state.startsWith('Z')) return gone;
  return { pid, running: true, startedAt: started.join(' ') };
}

/** True while that process runs; false also when its number now belongs to another one. */
export async function isRunning(recorded: ProcessId): Promise<boolean> {
  const seen = await sight(recorded.pid);
  if (!seen.running) return false;
  if (seen.startedAt === null || recorded.startedAt === null) return true;
  return seen.startedAt === recorded.startedAt;
}

/** The arguments of a running process joined by blanks, or null when they are unreadable. */
export async function commandLine(pid: number): Promise<string | null> {
  if (process.platform === 'linux') {
    const bytes = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => null);
    return bytes === null ? null : bytes.replaceAll('\0', ' ');
  }
  const ps = await run('ps', ['-ww', '-o', 'command=', '-p', String(pid)]).catch(() => null);
  return ps?.ok === true ? ps.output : null;
}
