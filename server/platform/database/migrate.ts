import { createHash, randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { Logger, runMigrations } from 'graphile-worker';
import pg from 'pg';
import { reasonOf } from '../reason.ts';
import { ROOT } from '../root.ts';
import { grantStatements } from './grants.ts';
import { onlyIndex } from './index-migration.ts';
import { hasMark, markDatabase } from './marks.ts';
import { primaryUrl } from './primary.ts';

/** The folder of the migrations: two folders up, from this file and from the bundled server. */
const MIGRATIONS = new URL('prisma/migrations/', ROOT);

/** Months for which partitions are created ahead; a server that runs longer writes to the default partition. */
const PARTITION_MONTHS = 4;

/** An arbitrary advisory lock number: one server migrates at a time. */
const MIGRATION_LOCK = 7_238_114_250n;
/**
 * Interval of attempts to take the lock. A statement that waits for it would block CREATE INDEX CONCURRENTLY, and with
 * it the holder of the lock.
 */
const LOCK_POLL_MS = 100;
/** Another start usually migrates in less. */
const TELL_OF_LOCK_AFTER_MS = 3_000;

/**
 * Lock timeout. A statement that waits for a table lock blocks everybody behind it, possibly behind an export of
 * several minutes. So it gives up after this time and tries again. The time is shorter than the `deadlock_timeout` of
 * Postgres (1 s by default), so that in a deadlock with a request the migration gives up first, and no request fails.
 */
const LOCK_TIMEOUT_MS = 300;
const PAUSE_MS = 1_000;
/** About two minutes including the pauses. */
const ATTEMPTS = 90;

export interface MigrateOptions {
  readonly ownerUrl: string;
  /** The roles that serve and scan; in development both may be the owner. */
  readonly appUrl: string;
  readonly workerUrl: string;
  /** The settings that hold the URLs, for messages. Default: the variables of the directory database. */
  readonly settings?: DatabaseSettings;
  /** Receives a line while another process holds the lock of the migrations. */
  readonly say?: ((line: string) => void) | undefined;
  /** The folder of the migrations. Default: those of this release. */
  readonly migrations?: URL;
}

interface DatabaseSettings {
  readonly owner: string;
  readonly app: string;
  readonly worker: string;
}

const DIRECTORY_SETTINGS: DatabaseSettings = {
  owner: 'DATABASE_URL',
  app: 'DATABASE_APP_URL',
  worker: 'DATABASE_WORKER_URL',
};

/** A failed migration, with the reason and the remedy in one line. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError';
}

interface Migration {
  readonly name: string;
  readonly sql: string;
  /** SHA-256 of the file, as Prisma's engine records it. */
  readonly checksum: string;
}

/**
 * Migrates the database: our migrations, the queue's, the partitions and the grants. It records migrations in
 * `_prisma_migrations` as Prisma's command line does, so either can continue where the other stopped. Servers of this
 * release and the previous one keep serving meanwhile.
 * @returns the names of the migrations applied now. Migrations of a later release are left alone.
 * @throws {MigrationError} when a migration fails, cannot acquire its locks within two minutes, or was edited after it
 * had been applied; when a role cannot connect, does not own the tables, or uses another database.
 */
export async function migrate(options: MigrateOptions): Promise<string[]> {
  const settings = options.settings ?? DIRECTORY_SETTINGS;
  const client = await connect(options.ownerUrl, settings.owner);
  try {
    await requireOwner(client, settings.owner);
    const roles = rolesOf(options, settings, await markDatabase(client));
    // Awaited after the migrations, which matter more if both fail.
    roles.catch(() => undefined);
    await acquireLock(client, () => options.say?.(waitsFor(settings)));
    await client.query(BOOK);
    const applied = await applyPending(client, await readMigrations(options.migrations));
    await runMigrations({ connectionString: await primaryUrl(options.ownerUrl), logger: quiet });
    await withLockTimeout(client, 'The partitions', async () => {
      await client.query('SELECT partitions.ensure(now(), $1)', [PARTITION_MONTHS]);
    });
    const statements = grantStatements(await roles);
    await withLockTimeout(client, 'The rights', async () => {
      await client.query(statements.join(';\n'));
    });
    return applied;
  } finally {
    await client.end();
  }
}

/**
 * The migrations of this release that are not applied; those of later releases are ignored. Runs as the serving role,
 * which may read the table.
 */
export async function missingMigrations(pool: pg.Pool, folder?: URL): Promise<string[]> {
  const { rows } = await pool.query<{ migration_name: string }>(
    'SELECT migration_name FROM public._prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL',
  );
  const applied = new Set(rows.map((row) => row.migration_name));
  const names = (await readMigrations(folder)).map(({ name }) => name);
  return names.filter((name) => !applied.has(name));
}

/** @param onLongWait is called once. */
async function acquireLock(client: pg.Client, onLongWait: () => void): Promise<void> {
  let tellAt = performance.now() + TELL_OF_LOCK_AFTER_MS;
  for (;;) {
    const { rows } = await client.query<{ ours: boolean }>(
      'SELECT pg_try_advisory_lock($1) AS ours',
      [MIGRATION_LOCK],
    );
    if (rows[0]?.ours === true) return;
    if (performance.now() >= tellAt) {
      tellAt = Number.POSITIVE_INFINITY;
      onLongWait();
    }
    await delay(LOCK_POLL_MS);
  }
}

function waitsFor({ owner }: DatabaseSettings): string {
  return `${owner}: waiting for another process that migrates this database and holds the advisory lock ${MIGRATION_LOCK} (pg_locks)`;
}

async function applyPending(client: pg.Client, migrations: Migration[]): Promise<string[]> {
  const { rows } = await client.query<{
    migration_name: string;
    checksum: string;
    finished_at: Date | null;
  }>(
    'SELECT migration_name, checksum, finished_at FROM public._prisma_migrations WHERE rolled_back_at IS NULL',
  );
  const book = new Map(rows.map((row) => [row.migration_name, row]));
  const applied: string[] = [];
  for (const migration of migrations) {
    const entry = book.get(migration.name);
    if (entry === undefined) {
      await apply(client, migration);
      applied.push(migration.name);
    } else if (entry.finished_at === null) {
      throw new MigrationError(
        `Migration ${migration.name} started but did not finish: repair the database and mark the migration with \`prisma migrate resolve\``,
      );
    } else if (entry.checksum !== migration.checksum) {
      throw new MigrationError(
        `Migration ${migration.name} was changed after it was applied: restore it and write a new migration`,
      );
    }
  }
  return applied;
}

/**
 * A migration and its record are one transaction, so a crash leaves neither. A concurrently built index is recorded
 * afterwards; an incomplete one that a crash left is dropped.
 */
async function apply(client: pg.Client, migration: Migration): Promise<void> {
  try {
    const index = onlyIndex(migration.sql);
    if (index === null) {
      await withLockTimeout(client, `Migration ${migration.name}`, async () => {
        await client.query(migration.sql);
        await note(client, migration);
      });
    } else {
      await clearHalfBuilt(client, index);
      await client.query(migration.sql);
      await note(client, migration);
    }
  } catch (error) {
    if (error instanceof MigrationError) throw error;
    throw new MigrationError(`Migration ${migration.name} failed: ${String(error)}`, {
      cause: error,
    });
  }
}

/** Drops the invalid index that an interrupted start left. */
async function clearHalfBuilt(client: pg.Client, index: string): Promise<void> {
  const { rows } = await client.query(
    'SELECT 1 FROM pg_index WHERE indexrelid = to_regclass($1) AND NOT indisvalid',
    [index],
  );
  if (rows.length > 0) await client.query(`DROP INDEX CONCURRENTLY ${index}`);
}

async function note(client: pg.Client, { name, checksum }: Migration): Promise<void> {
  await client.query(
    `INSERT INTO public._prisma_migrations (id, checksum, finished_at, migration_name, started_at, applied_steps_count)
     VALUES ($1, $2, now(), $3, now(), 1)`,
    [randomUUID(), checksum, name],
  );
}

/** lock_not_available and deadlock_detected. */
const NO_LOCK = ['55P03', '40P01'];

/** Runs the work in a transaction that gets each lock quickly or gives up, so nobody queues behind it. */
async function withLockTimeout(
  client: pg.Client,
  what: string,
  work: () => Promise<void>,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await client.query('BEGIN');
      await client.query(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`);
      await work();
      await client.query('COMMIT');
      return;
    } catch (error) {
      await client.query('ROLLBACK');
      const { code } = error as { readonly code?: string };
      if (code === undefined || !NO_LOCK.includes(code)) throw error;
      if (attempt === ATTEMPTS) {
        throw new MigrationError(
          `${what}: could not acquire the locks within two minutes. Find the long transaction (pg_stat_activity, by xact_start), end it or wait for it, and start again`,
          { cause: error },
        );
      }
      await delay(PAUSE_MS);
    }
  }
}

async function readMigrations(folder: URL = MIGRATIONS): Promise<Migration[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return Promise.all(
    names.sort().map(async (name) => {
      const sql = await readFile(new URL(`${name}/migration.sql`, folder), 'utf8');
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
    }),
  );
}

/**
 * Connects as an owner, for as long as a start takes.
 * @throws {MigrationError} that names the variable to check, never its value, which holds a password.
 */
export async function connect(url: string, variable: string): Promise<pg.Client> {
  try {
    const connectionString = await primaryUrl(url);
    const client = new pg.Client({ connectionString, connectionTimeoutMillis: 10_000 });
    client.on('error', () => undefined);
    await client.connect();
    return client;
  } catch (error) {
    throw cannotConnect(variable, error);
  }
}

/** The error of a failed connection. It names the variable to check, never its value, which holds a password. */
export function cannotConnect(variable: string, cause: unknown): MigrationError {
  return new MigrationError(
    `${variable}: cannot connect to the database (${reasonOf(cause)}); check that Postgres runs there and accepts this role`,
    { cause },
  );
}

/** @throws {MigrationError} when the role does not own the tables, or may not create them in an empty database. */
export async function requireOwner(client: pg.ClientBase, variable: string): Promise<void> {
  const { rows } = await client.query<{ role: string; is_owner: boolean }>(OWNERSHIP);
  const [found] = rows;
  if (found?.is_owner === true) return;
  throw new MigrationError(
    `${variable}: the role ${found?.role ?? ''} is not the owner of the database; set the URL of the role that owns it and its tables`,
  );
}

/** @param mark the mark of the owner's database: a server whose roles use another one would find no tables, or old rows. */
async function rolesOf(
  { appUrl, workerUrl }: MigrateOptions,
  settings: DatabaseSettings,
  mark: string,
) {
  const roleOf = (url: string, setting: string) => currentUser(url, setting, settings.owner, mark);
  const [app, worker] = await Promise.all([
    roleOf(appUrl, settings.app),
    roleOf(workerUrl, settings.worker),
  ]);
  return { app, worker };
}

async function currentUser(
  url: string,
  variable: string,
  owner: string,
  mark: string,
): Promise<string> {
  const client = await connect(url, variable);
  try {
    if (!(await hasMark(client, mark))) {
      throw new MigrationError(
        `${variable}: is another database than ${owner}; all roles of a database must name the same host and database`,
      );
    }
    const { rows } = await client.query<{ current_user: string }>('SELECT current_user');
    return rows[0]?.current_user ?? '';
  } finally {
    await client.end();
  }
}

const OWNERSHIP = `
  SELECT current_user AS role, CASE WHEN t.relowner IS NULL
    THEN has_database_privilege(current_database(), 'CREATE') AND has_schema_privilege('public', 'CREATE')
    ELSE pg_has_role(t.relowner, 'USAGE') END AS is_owner
  FROM (SELECT to_regclass('public._prisma_migrations') AS book) AS asked
  LEFT JOIN pg_class t ON t.oid = asked.book`;

/** The table as Prisma 7.10 creates it. */
const BOOK = `
  CREATE TABLE IF NOT EXISTS public._prisma_migrations (
    id                  VARCHAR(36) PRIMARY KEY NOT NULL,
    checksum            VARCHAR(64) NOT NULL,
    finished_at         TIMESTAMPTZ,
    migration_name      VARCHAR(255) NOT NULL,
    logs                TEXT,
    rolled_back_at      TIMESTAMPTZ,
    started_at          TIMESTAMPTZ NOT NULL DEFAULT now(),
    applied_steps_count INTEGER NOT NULL DEFAULT 0
  )`;

const quiet = new Logger(() => () => undefined);
