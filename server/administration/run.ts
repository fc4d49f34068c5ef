import type { Writable } from 'node:stream';
import type pg from 'pg';
import { type Config, readConfig } from '../config.ts';
import type { Cell } from '../platform/cells/cell-config.ts';
import { openCells } from '../platform/cells/open-cells.ts';
import { requireKnownPlacements } from '../platform/cells/prepare.ts';
import { systemClock } from '../platform/clock.ts';
import {
  cannotConnect,
  migrate,
  missingMigrations,
  requireOwner,
} from '../platform/database/migrate.ts';
import { createPool } from '../platform/database/pool.ts';
import { TenantDatabase } from '../platform/database/tenant-database.ts';
import { isTenantRefused } from '../platform/database/unavailable.ts';
import { createLogger } from '../platform/logger.ts';
import { TENANT_REFUSED } from '../platform/problem.ts';
import { reasonOf } from '../platform/reason.ts';
import { developmentSecret } from '../start/data-dir.ts';
import { commandFault, commandIn, usage } from './commands.ts';
import { openDatabase } from './database.ts';

/** Runs the operator's commands one after another on one connection. */
const CONNECTIONS = 1;
const STATEMENT_TIMEOUT_MS = 60_000;

const DONE = 0;
const FAILED = 1;
const MISUSED = 2;

/** @returns the exit code: 0 done, 1 failed with the reason on standard error, 2 unknown command or option, or wrong arguments. */
export async function runAdmin(
  given: readonly string[],
  environment: Record<string, string | undefined>,
  { out, err }: { readonly out: Writable; readonly err: Writable },
): Promise<number> {
  const command = given.includes('--help') ? null : commandIn(given);
  if (command === null) {
    const asked = given.length === 0 || given.includes('--help') || given.includes('help');
    if (asked) out.write(usage());
    else err.write(`${commandFault(given)}\n\n${usage()}`);
    return asked ? DONE : MISUSED;
  }
  try {
    await withOperator(readConfig(environment), { out, err }, command);
    return DONE;
  } catch (error) {
    err.write(`${messageOf(error)}\n`);
    return FAILED;
  }
}

/** The database does not know whether a tenant is being deleted or moved, and names only the latter. */
function messageOf(error: unknown): string {
  if (isTenantRefused(error)) return TENANT_REFUSED;
  return reasonOf(error);
}

async function withOperator(
  config: Config,
  { out, err }: { readonly out: Writable; readonly err: Writable },
  command: NonNullable<ReturnType<typeof commandIn>>,
): Promise<void> {
  const { urls, close } = await openDatabase(config, command.createsDatabase);
  const pool = createPool({
    url: urls.ownerUrl,
    name: 'cspm admin',
    maxConnections: CONNECTIONS,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    connectWithinMs: config.databaseTimeoutMs,
    // A connection that breaks during a command fails the command.
    onError: () => undefined,
  });
  const tenants = new TenantDatabase(pool);
  const cells = openCells(
    {
      databaseUrl: urls.ownerUrl,
      // The owner of each database, as here.
      cells: config.cells.map((cell) => ({ ...cell, appUrl: cell.ownerUrl })),
      databaseTimeoutMs: config.databaseTimeoutMs,
      log: createLogger('silent'),
    },
    pool,
    tenants,
  );
  try {
    await requireOwnerOf(pool);
    if (!(await isUpToDate(pool))) await migrate(urls);
    await requireCellsOf(pool, config.cells);
    await command.run({
      pool,
      tenants,
      rows: cells.tenants,
      ownerUrl: urls.ownerUrl,
      cells: config.cells,
      clock: systemClock,
      appSecrets: async () => config.appSecrets ?? [await developmentSecret(config.dataDir)],
      out,
      say: (line) => out.write(`${line}\n`),
      warn: (line) => err.write(`${line}\n`),
    });
  } finally {
    await cells.close();
    await pool.end();
    await close();
  }
}

/** @throws {MigrationError} that names the variable when the database is out of reach, or for another role. */
async function requireOwnerOf(pool: pg.Pool): Promise<void> {
  const client = await pool.connect().catch((error: unknown) => {
    throw cannotConnect('DATABASE_URL', error);
  });
  try {
    await requireOwner(client, 'DATABASE_URL');
  } finally {
    client.release();
  }
}

/** @throws {Error} when a tenant is on a cell that is not configured: a command would miss its rows. */
async function requireCellsOf(pool: pg.Pool, cells: readonly Cell[]): Promise<void> {
  const client = await pool.connect();
  try {
    await requireKnownPlacements(client, cells);
  } finally {
    client.release();
  }
}

const UNDEFINED_TABLE = '42P01';

/** Whether no migration is pending. A database that no server has ever used has no table of migrations yet. */
async function isUpToDate(pool: pg.Pool): Promise<boolean> {
  try {
    return (await missingMigrations(pool)).length === 0;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === UNDEFINED_TABLE) return false;
    throw error;
  }
}
