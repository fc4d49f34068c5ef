import { createHash, randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { Logger, runMigrations } from 'graphile-worker';
import pg from 'pg';
import { grantStatements } from './grants.ts';

/** Where the migrations lie, seen from here as from the bundled server: two folders up in both. */
const MIGRATIONS = new URL('../../prisma/migrations/', import.meta.url);

/** Months for which partitions are made ahead; a server that runs on longer writes to the default partition. */
const PARTITION_MONTHS = 4;

/** Any number that nobody else locks: one server migrates at a time. */
const MIGRATION_LOCK = 7_238_114_250n;

export interface MigrateOptions {
  readonly ownerUrl: string;
  /** Roles that serve and scan; both may be the owner in development. */
  readonly appUrl: string;
  readonly workerUrl: string;
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
 * (`_prisma_migrations`) as Prisma's command line, so that either can go on where the other stopped.
 * @returns the names of the migrations applied now.
 * @throws {MigrationError} when a migration fails, or an applied one was edited or is unknown here.
 */
export async function migrate(options: MigrateOptions): Promise<string[]> {
  const client = await connect(options.ownerUrl, 'DATABASE_URL');
  try {
    await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await client.query(BOOK);
    const applied = await applyPending(client, await readMigrations());
    await runMigrations({ connectionString: options.ownerUrl, logger: quiet });
    await client.query('SELECT partitions.ensure(now(), $1)', [PARTITION_MONTHS]);
    for (const statement of grantStatements({
      app: await currentUser(options.appUrl, 'DATABASE_APP_URL'),
      worker: await currentUser(options.workerUrl, 'DATABASE_WORKER_URL'),
    })) {
      await client.query(statement);
    }
    return applied;
  } finally {
    await client.end();
  }
}

/** Whether every migration of this release is applied. Asks as the serving role, which may read the book. */
export async function isMigrated(pool: pg.Pool): Promise<boolean> {
  const { rows } = await pool.query<{ migration_name: string }>(
    'SELECT migration_name FROM public._prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL',
  );
  const applied = new Set(rows.map((row) => row.migration_name));
  return (await readMigrations()).every((migration) => applied.has(migration.name));
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

/** One migration and its line in the book are one transaction: a crash leaves neither. */
async function apply(client: pg.Client, migration: Migration): Promise<void> {
  try {
    await client.query('BEGIN');
    await client.query(migration.sql);
    await client.query(
      `INSERT INTO public._prisma_migrations (id, checksum, finished_at, migration_name, started_at, applied_steps_count)
       VALUES ($1, $2, now(), $3, now(), 1)`,
      [randomUUID(), migration.checksum, migration.name],
    );
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw new MigrationError(`Migration ${migration.name} failed: ${String(error)}`, {
      cause: error,
    });
  }
}

async function readMigrations(): Promise<Migration[]> {
  const entries = await readdir(MIGRATIONS, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return Promise.all(
    names.sort().map(async (name) => {
      const sql = await readFile(new URL(`${name}/migration.sql`, MIGRATIONS), 'utf8');
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
