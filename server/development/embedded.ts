import { lstat, realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import pg from 'pg';
import { installedBinaries, prepareBinaries } from './embedded-binaries.ts';
import {
  assertVersion,
  DATABASE,
  makeCluster,
  ROLES,
  removeDrafts,
  resetPasswords,
} from './embedded-cluster.ts';
import { EmbeddedPostgresError, errnoOf } from './embedded-error.ts';
import { type DirectoryLock, lockDirectory } from './embedded-lock.ts';
import { osUserForPostgres } from './embedded-os-user.ts';
import {
  newPasswords,
  type Passwords,
  passwordFile,
  readPasswords,
  writePasswords,
} from './embedded-passwords.ts';
import { ELSEWHERE, findPlace, hasCluster, makeDirectory, type Place } from './embedded-place.ts';
import { launchServer, runningServer, type Server, stopServer } from './embedded-server.ts';
import { EmbeddedKeeper } from './embedded-supervisor.ts';

export { EmbeddedPostgresError };

/** Connection strings of the database `cspm`, one per role. */
export interface EmbeddedUrls {
  /** Owns and migrates the database. */
  readonly ownerUrl: string;
  /** The serving role. */
  readonly appUrl: string;
  /** The worker role. */
  readonly workerUrl: string;
}

export interface EmbeddedPostgres extends EmbeddedUrls {
  /** The folder that holds the cluster; `notice` says when it is not the requested one. */
  readonly directory: string;
  /** One line for the operator, or null. */
  readonly notice: string | null;
  /**
   * Stops the server and lets the next one start. May be called twice. Without it the server keeps running, and the
   * next start uses it.
   */
  stop(): Promise<void>;
}

export interface EmbeddedOptions {
  /** DATA_DIR/postgres; created if missing. */
  readonly directory: string;
  /** Receives messages about slow steps. */
  readonly log?: (line: string) => void;
  /** Whether commits survive a power failure. Default true; tests do not need it. */
  readonly durable?: boolean;
  /** Lets the owner of a new cluster create databases, for tests that clone one. Default false. */
  readonly ownerCreatesDatabases?: boolean;
  /** Folders, by preference, for data that OS user `postgres` cannot reach in the requested one. */
  readonly elsewhere?: readonly string[];
}

/**
 * Serves the cluster in a folder, creating it at the first start: a real Postgres from npm, on a free port of
 * 127.0.0.1. A server that outlived its Node process is taken over with its data.
 * @throws {EmbeddedPostgresError} when it cannot start, or when another process serves that folder.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const locks: DirectoryLock[] = [];
  try {
    const directory = await makeDirectory(options.directory);
    locks.push(await lockDirectory(directory));
    const place = await findPlace(
      directory,
      await osUserForPostgres(options.log ?? (() => undefined)),
      options.elsewhere ?? ELSEWHERE,
    );
    // A copy of DATA_DIR contains the same link to another folder.
    if (place.home !== directory) locks.push(await lockDirectory(place.home));
    const { server, passwords, launch } = await serve(directory, place, options);
    const log = options.log ?? (() => undefined);
    const keeper = new EmbeddedKeeper(server, { cluster: place.cluster, launch, log });
    return {
      ...urls(server, passwords),
      directory: place.home,
      notice: place.notice,
      stop: shared(async () => {
        await keeper.stop();
        await releaseAll(locks);
      }),
    };
  } catch (error) {
    await releaseAll(locks);
    throw translated(error, options.directory);
  }
}

/**
 * The database of a server that another process runs, for tools that work beside it; null when none runs. Takes no lock
 * and stops nothing.
 */
export async function findEmbedded(directory: string): Promise<EmbeddedUrls | null> {
  try {
    const passwords = await readPasswords(directory);
    if (passwords === null) return null;
    const server = await runningServer(await realpath(join(directory, 'cluster')));
    return server === null ? null : urls(server, passwords);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return null;
    throw translated(error, directory);
  }
}

/** Whether there is a cluster in the folder, or a link to one elsewhere. */
export async function hasEmbedded(directory: string): Promise<boolean> {
  try {
    await lstat(join(directory, 'cluster'));
    return true;
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return false;
    throw translated(error, directory);
  }
}

async function serve(
  directory: string,
  place: Place,
  options: EmbeddedOptions,
): Promise<{ server: Server; passwords: Passwords; launch(port: number): Promise<Server> }> {
  const { durable = true, log = () => undefined } = options;
  const binaries = await prepareBinaries(installedBinaries(), place.home, place.as);
  const launch = (port?: number) => launchServer(binaries, place, durable, port);
  await removeDrafts(place.home);
  const known = await readPasswords(directory);
  const passwords = known ?? newPasswords();

  if (await hasCluster(place)) {
    await assertVersion(binaries, place);
    const running = await runningServer(place.cluster);
    if (running !== null) {
      // Does not reuse a server that differs: without passwords, from another installation, or with other durability.
      const fits = known !== null && running.program === binaries.postgres;
      if (fits && (await isDurable(running, passwords, directory)) === durable) {
        log(`using the running Postgres server (pid ${running.pid})`);
        return { server: running, passwords, launch };
      }
      log(`restarting the running Postgres server (pid ${running.pid})`);
      await stopServer(running);
    }
    if (known === null) {
      await resetPasswords(binaries, place, passwords);
      await writePasswords(directory, passwords);
    }
  } else {
    const { ownerCreatesDatabases = false } = options;
    const beforeNaming = (): Promise<void> => writePasswords(directory, passwords);
    const cluster = { binaries, place, passwords, durable, ownerCreatesDatabases, beforeNaming };
    await makeCluster({ ...cluster, log });
  }

  const server = await launch();
  try {
    await isDurable(server, passwords, directory);
    return { server, passwords, launch };
  } catch (error) {
    await stopServer(server);
    throw error;
  }
}

/**
 * Logs in, which proves that this is our server: in SCRAM (RFC 5802 §3) the server also proves that it knows the
 * password. Returns whether commits reach the disk.
 */
async function isDurable(
  server: Server,
  passwords: Passwords,
  directory: string,
): Promise<boolean> {
  const client = new pg.Client({
    connectionString: urls(server, passwords).ownerUrl,
    connectionTimeoutMillis: 10_000,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ fsync: string }>(
      "SELECT current_setting('fsync') AS fsync",
    );
    return rows[0]?.fsync === 'on';
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new EmbeddedPostgresError(
      errnoOf(error) === '28P01'
        ? `the passwords in ${passwordFile(directory)} do not match the database; remove that file and start again: new passwords are created and the data is kept`
        : `Postgres (pid ${server.pid}) refuses connections: ${reason}; end it and start again`,
      { cause: error },
    );
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Explicitly without TLS: nothing leaves this machine, and the operator's PGSSLMODE must not apply. */
function urls(server: Server, passwords: Passwords): EmbeddedUrls {
  const url = (role: keyof typeof ROLES): string =>
    `postgresql://${ROLES[role]}:${passwords[role]}@127.0.0.1:${server.port}/${DATABASE}?sslmode=disable`;
  return { ownerUrl: url('owner'), appUrl: url('app'), workerUrl: url('worker') };
}

/** Concurrent and later callers share one call; after a failure the call can be repeated. */
function shared(action: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null;
  return () => {
    running ??= action().catch((error: unknown) => {
      running = null;
      throw error;
    });
    return running;
  };
}

async function releaseAll(locks: readonly DirectoryLock[]): Promise<void> {
  for (const lock of locks) await lock.release();
}

/** A refused system call (permissions, a full disk) is for the operator to fix; any other error is a defect. */
function translated(error: unknown, directory: string): unknown {
  const code = errnoOf(error);
  if (error instanceof EmbeddedPostgresError || code === null || !/^E[A-Z]+$/.test(code)) {
    return error;
  }
  const message = error instanceof Error ? error.message : code;
  return new EmbeddedPostgresError(
    `cannot keep a database in ${resolve(directory)}: ${message}; give this user write access to the folder and enough disk space, or set DATA_DIR to another folder`,
    { cause: error },
  );
}
