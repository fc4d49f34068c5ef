import type pg from 'pg';
import type { Logger } from 'pino';
import { ConnectionShares } from '../database/connection-shares.ts';
import { createPool } from '../database/pool.ts';
import { TenantDatabase } from '../database/tenant-database.ts';
import type { Cell } from './cell-config.ts';
import { CellDatabase, IdentityDatabase } from './cell-database.ts';
import { Directory } from './directory.ts';

/** The same as for the directory database, in server/service-databases.ts. */
const CELL_CONNECTIONS = 10;
const DIRECTORY_CONNECTIONS = 4;
const READ_TIMEOUT_MS = 5_000;
const WRITE_TIMEOUT_MS = 10_000;

interface OpenOptions {
  /** The serving role's URL of the directory database. */
  readonly databaseUrl: string;
  readonly cells?: readonly Cell[];
  readonly databaseTimeoutMs: number;
  readonly log: Logger;
}

/** Access to the rows of tenants, and to identities. Without cells both are `home`. */
export interface OpenedCells {
  readonly tenants: TenantDatabase;
  readonly identityTenants: TenantDatabase;
  close(): Promise<void>;
}

/** Opens one pool for each cell, and one for what cells ask the directory. */
export function openCells(
  options: OpenOptions,
  homePool: pg.Pool,
  home: TenantDatabase,
): OpenedCells {
  const { cells = [], databaseUrl } = options;
  if (cells.length === 0) {
    return { tenants: home, identityTenants: home, close: async () => undefined };
  }
  const directoryPool = openPool(options, databaseUrl, 'directory', DIRECTORY_CONNECTIONS);
  const pools = cells.map(({ name, appUrl }) => ({
    name,
    pool: openPool(options, appUrl, `cell ${name}`, CELL_CONNECTIONS),
  }));
  const databases = pools.map(({ name, pool }) => {
    // Each cell has its own connections, so its tenants share them among themselves.
    const shares = new ConnectionShares({ connections: CELL_CONNECTIONS });
    return [name, new TenantDatabase(pool, { shares, writeTimeoutMs: WRITE_TIMEOUT_MS })] as const;
  });
  const directory = new Directory(directoryPool);
  return {
    tenants: new CellDatabase({ homePool, home, cells: new Map(databases), directory }),
    identityTenants: new IdentityDatabase(homePool, home),
    close: async () => {
      await Promise.all([directoryPool.end(), ...pools.map(({ pool }) => pool.end())]);
    },
  };
}

/** What the workers of cells ask the directory database, with few connections of the serving role. */
export function openDirectory(options: OpenOptions): {
  directory: Directory;
  close(): Promise<void>;
} {
  const pool = openPool(options, options.databaseUrl, 'directory', DIRECTORY_CONNECTIONS);
  return { directory: new Directory(pool), close: () => pool.end() };
}

export function openPool(
  { databaseTimeoutMs, log }: Pick<OpenOptions, 'databaseTimeoutMs' | 'log'>,
  url: string,
  what: string,
  most: number,
) {
  return createPool({
    url,
    name: `cspm ${what}`,
    maxConnections: most,
    statementTimeoutMs: READ_TIMEOUT_MS,
    longestStatementMs: WRITE_TIMEOUT_MS,
    connectWithinMs: databaseTimeoutMs,
    onError: (err) => log.warn({ err, what }, 'A database connection failed'),
  });
}
