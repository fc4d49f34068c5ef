import { createHash, randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { Logger, runMigrations } from 'graphile-worker';
import pg from 'pg';
import { grantStatements } from './grants.ts';
import { onlyIndex } from './index-migration.ts';

/** Where the migrations lie, seen from here as from the bundled server: two folders up in both. */
const MIGRATIONS = new URL('../../prisma/migrations/', import.meta.url);

/** Months for which partitions are made ahead; a server that runs on longer writes to the default partition. */
const PARTITION_MONTHS = 4;

/** Any number that nobody else locks: one server migrates at a time. */
const MIGRATION_LOCK = 7_238_114_250n;
/** Who waits for it asks again and again: a statement that waits would hold up the building of an index, and that the lock. */
const LOCK_POLL_MS = 100;

/**
 * A statement that waits for a lock on a table has everybody else wait behind it, and what it waits for may be an export of
 * minutes. So it gives way after this long, and tries again.
 */
const LOCK_TIMEOUT_MS = 1_000;
const PAUSE_MS = 1_000;
/** With the pauses between, two minutes. */
const ATTEMPTS = 60;

export interface MigrateOptions {
  readonly ownerUrl: string;
  /** Roles that serve and scan; both may be the owner in development. */
  readonly appUrl: string;
  readonly workerUrl: string;
  /** The folder of the migrations; left out: those of this release. */
  readonly migrations?: URL;
}

/** A database that cannot be migrated, with the reason and the remedy in one line. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError';
}

interface Migration {
  readonly name: string;
  readonly sql: string;
  /** SHA-256 of the file, as Prisma's own engine notes it. */
  readonly checksum: string;
}

/**
 * Brings the database up to date: our migrations, the queue's, the partitions ahead and the grants. Keeps the same book
 * (`_prisma_migrations`) as Prisma's command line, so that either can go on where the other stopped. Servers go on serving
 * meanwhile, of this release and of the one before.
 * @returns the names of the migrations applied now. What a later release has applied is left alone.
 * @throws {MigrationError} when a migration fails, finds no gap in two minutes, or was edited after it had been applied.
 */
export async function migrate(options: MigrateOptions): Promise<string[]> {
  const client = await connect(options.ownerUrl, 'DATABASE_URL');
  try {
    await takeTurn(client);
    await client.query(BOOK);
    const applied = await applyPending(client, await readMigrations(options.migrations));
    await runMigrations({ connectionString: options.ownerUrl, logger: quiet });
    await inGap(client, 'The partitions', async () => {
      await client.query('SELECT partitions.ensure(now(), $1)', [PARTITION_MONTHS]);
    });
    const roles = {
      app: await currentUser(options.appUrl, 'DATABASE_APP_URL'),
      worker: await currentUser(options.workerUrl, 'DATABASE_WORKER_URL'),
    };
    await inGap(client, 'The rights', async () => {
      for (const statement of grantStatements(roles)) await client.query(statement);
    });
    return applied;
  } finally {
    await client.end();
  }
}

/**
 * The migrations of this release that are not applied; what a later one has applied beyond them is none of our business.
 * Asks as the serving role, which may read the book.
 */
export async function missingMigrations(pool: pg.Pool, folder?: URL): Promise<string[]> {
  const { rows } = await pool.query<{ migration_name: string }>(
    'SELECT migration_name FROM public._prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL',
  );
  const applied = new Set(rows.map((row) => row.migration_name));
  const names = (await readMigrations(folder)).map(({ name }) => name);
  return names.filter((name) => !applied.has(name));
}

async function takeTurn(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ ours: boolean }>(
      'SELECT pg_try_advisory_lock($1) AS ours',
      [MIGRATION_LOCK],
    );
    if (rows[0]?.ours === true) return;
    await delay(LOCK_POLL_MS);
  }
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
        `Migration ${migration.name} was begun and never finished: mend the database and mark it with \`prisma migrate resolve\``,
      );
    } else if (entry.checksum !== migration.checksum) {
      throw new MigrationError(
        `Migration ${migration.name} was edited after it had been applied: restore it and write a new one`,
      );
    }
  }
  return applied;
}

/**
 * One migration and its line in the book are one transaction: a crash leaves neither. An index that is built while others
 * write is noted after it is done; what a crash leaves of it is no index, and is cleared away.
 */
async function apply(client: pg.Client, migration: Migration): Promise<void> {
  try {
    const index = onlyIndex(migration.sql);
    if (index === null) {
      await inGap(client, `Migration ${migration.name}`, async () => {
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

/** What a start that was interrupted left of an index: it bears the name and serves nobody. */
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

const LOCK_NOT_AVAILABLE = '55P03';

/** Does the work in a transaction that gets each lock at once or steps back, so that nobody queues up behind it. */
async function inGap(client: pg.Client, what: string, work: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await client.query('BEGIN');
      await client.query(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`);
      await work();
      await client.query('COMMIT');
      return;
    } catch (error) {
      await client.query('ROLLBACK');
      const waited = error instanceof Error && 'code' in error && error.code === LOCK_NOT_AVAILABLE;
      if (!waited) throw error;
      if (attempt === ATTEMPTS) {
        throw new MigrationError(
          `${what}: found no gap between other transactions in two minutes. See which one is long (pg_stat_activity, by xact_start), end it or wait for it, and start again`,
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

/** @throws {MigrationError} that names the variable to look at; never its value, which holds a password. */
async function connect(url: string, variable: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return client;
  } catch (error) {
    // Of several addresses that were tried, the error has a code and no words.
    const { message, code } = error as NodeJS.ErrnoException;
    throw new MigrationError(
      `${variable}: no connection to the database (${message || code}); see that Postgres runs there and lets this role in`,
      { cause: error },
    );
  }
}

async function currentUser(url: string, variable: string): Promise<string> {
  const client = await connect(url, variable);
  try {
    const { rows } = await client.query<{ current_user: string }>('SELECT current_user');
    return rows[0]?.current_user ?? '';
  } finally {
    await client.end();
  }
}

/** As Prisma 7.10 lays it out. */
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
