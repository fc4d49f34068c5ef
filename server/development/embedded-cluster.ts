import { randomUUID } from 'node:crypto';
import {
  chown,
  constants,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import type { Binaries } from './embedded-binaries.ts';
import { EmbeddedPostgresError } from './embedded-error.ts';
import type { Passwords } from './embedded-passwords.ts';
import { flushFolder, type Place } from './embedded-place.ts';
import { type OsUser, run } from './embedded-process.ts';

export const DATABASE = 'cspm';
export const ROLES = { owner: 'cspm_owner', app: 'cspm_app', worker: 'cspm_worker' } as const;

/** Only TCP with a password is allowed; the superuser has no password, so it cannot connect. */
const ACCESS = 'host all all 127.0.0.1/32 scram-sha-256\n';

/** Sorting and case conversion use Unicode alone, independent of the operating system, so every machine sorts alike. */
const INITDB_ARGUMENTS = [
  ...['--username=postgres', '--auth=reject', '--no-instructions'],
  ...['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
];

const DRAFT = 'making-';

export interface MakeClusterOptions {
  readonly binaries: Binaries;
  readonly place: Place;
  readonly passwords: Passwords;
  /** False leaves flushing to the operating system, so a power failure may lose commits. */
  readonly durable: boolean;
  /** For test harnesses that clone databases; otherwise the owner may not create any. */
  readonly ownerCreatesDatabases: boolean;
  readonly log: (line: string) => void;
  /** Called last, just before the cluster gets its final name. */
  readonly beforeNaming: () => Promise<void>;
}

/**
 * Creates a cluster with the three roles and their database. It is built under a temporary name and renamed when it is
 * complete, so an interrupted attempt never looks like a cluster.
 * @throws {EmbeddedPostgresError} with the reason that initdb or Postgres gave.
 */
export async function makeCluster(options: MakeClusterOptions): Promise<void> {
  const { binaries, place } = options;
  const draft = join(place.home, `${DRAFT}${randomUUID()}`);
  await makePrivateFolder(draft, place.as);

  options.log(`creating a database cluster in ${place.home}`);
  const sync = options.durable ? [] : ['--no-sync'];
  const made = await run(binaries.initdb, [`--pgdata=${draft}`, ...sync, ...INITDB_ARGUMENTS], {
    as: place.as,
  });
  if (!made.ok) throw failure('could not create a database cluster', made.output);
  await writeFile(join(draft, 'pg_hba.conf'), ACCESS, {
    flush: true,
    flag: constants.O_WRONLY | constants.O_TRUNC | constants.O_NOFOLLOW,
  });

  options.log('creating its roles and its database');
  const createDb = options.ownerCreatesDatabases ? 'CREATEDB' : 'NOCREATEDB';
  await runSql({ binaries, cluster: draft, as: place.as }, [
    `CREATE ROLE ${ROLES.owner} ${createDb} ${attributes(options.passwords.owner)}`,
    `CREATE ROLE ${ROLES.app} NOCREATEDB ${attributes(options.passwords.app)}`,
    `CREATE ROLE ${ROLES.worker} NOCREATEDB ${attributes(options.passwords.worker)}`,
    `CREATE DATABASE ${DATABASE} OWNER ${ROLES.owner}`,
  ]);
  await options.beforeNaming();
  await rename(draft, place.cluster);
  // Otherwise a power failure could undo the rename, and with it all later commits.
  await flushFolder(place.home);
}

/** Sets the passwords of the roles of a stopped cluster; its data stay. */
export async function resetPasswords(
  binaries: Binaries,
  place: Place,
  passwords: Passwords,
): Promise<void> {
  await runSql({ binaries, cluster: place.cluster, as: place.as }, [
    `ALTER ROLE ${ROLES.owner} PASSWORD '${passwords.owner}'`,
    `ALTER ROLE ${ROLES.app} PASSWORD '${passwords.app}'`,
    `ALTER ROLE ${ROLES.worker} PASSWORD '${passwords.worker}'`,
  ]);
}

/** @throws {EmbeddedPostgresError} when another major version created the cluster, because its files differ. */
export async function assertVersion(binaries: Binaries, place: Place): Promise<void> {
  const version = (await readFile(join(place.cluster, 'PG_VERSION'), 'utf8')).trim();
  if (version === String(binaries.majorVersion)) return;
  throw new EmbeddedPostgresError(
    `${place.cluster} was created by Postgres ${version}, but this release runs Postgres ${binaries.majorVersion}; use the release that created it, or a new DATA_DIR. Its data cannot be dumped: keep data that must outlive a release in a Postgres of your own (DATABASE_URL)`,
  );
}

function attributes(password: string): string {
  return `LOGIN NOSUPERUSER NOCREATEROLE NOREPLICATION NOBYPASSRLS PASSWORD '${password}'`;
}

async function makePrivateFolder(path: string, owner: OsUser | null): Promise<void> {
  await mkdir(path, { mode: 0o700 });
  if (owner !== null) await chown(path, owner.uid, owner.gid);
}

/** Removes what interrupted attempts left. If an initdb is still writing, the rest is removed at the next start. */
export async function removeDrafts(home: string): Promise<void> {
  for (const name of await readdir(home)) {
    if (!name.startsWith(DRAFT)) continue;
    await rm(join(home, name), { recursive: true, force: true }).catch(() => undefined);
  }
}

/**
 * Runs statements, one per line, in Postgres' single-user mode: as the superuser and without a server, so the superuser
 * needs no password.
 */
async function runSql(
  where: { binaries: Binaries; cluster: string; as: OsUser | null },
  statements: readonly string[],
): Promise<void> {
  const { ok, output } = await run(
    where.binaries.postgres,
    [
      '--single',
      '-D',
      where.cluster,
      '-c',
      'exit_on_error=on',
      '-c',
      'log_checkpoints=off',
      'postgres',
    ],
    { as: where.as, input: `${statements.join('\n')}\n` },
  );
  if (!ok) throw failure('could not set up the roles', output);
}

function failure(what: string, output: string): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    `${what}: ${reasonIn(output)}; fix that, set DATA_DIR to another folder, or set DATABASE_URL`,
  );
}

/** The reason that Postgres or initdb gave for its failure, in one line. */
export function reasonIn(output: string): string {
  const lines = output.split('\n').filter((line) => line.trim() !== '');
  // Postgres fails again when it cannot abort after a failure, such as a full disk. The first one is the reason.
  const fault = /\b(PANIC|FATAL|ERROR|error):(?!\s*cannot abort transaction)/;
  const found = lines.findLastIndex((line) => fault.test(line));
  const [line = '', next = ''] = found === -1 ? lines.slice(-1) : lines.slice(found);
  const message = line.replace(/^.*?\b(PANIC|FATAL|ERROR|error):/, '').trim();
  const detail = /\b(?:DETAIL|HINT):\s*(.*)/.exec(next)?.[1];
  if (detail !== undefined) return `${message} (${detail.trim()})`;
  return message === '' ? 'no reason was given' : message;
}
