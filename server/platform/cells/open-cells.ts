import type pg from 'pg';
import type { Logger } from 'pino';
import { ConnectionShares } from '../database/connection-shares.ts';
import { createPool } from '../database/pool.ts';
import { TenantDatabase } from '../database/tenant-database.ts';
import type { Cell } from './cell-config.ts';
import { CellDatabase, IdentityDatabase } from './cell-database.ts';
import { Directory } from './directory.ts';
import type { PreparedCells } from './prepared-cells.ts';

/** The same as for the directory database, in server/service-databases.ts. */
const CELL_CONNECTIONS = 10;
const DIRECTORY_CONNECTIONS = 4;
/** How far connections for writes in the background are below those of requests. See decision 0079. */
export const BACKGROUND_NICENESS = 10;
const READ_TIMEOUT_MS = 5_000;
const WRITE_TIMEOUT_MS = 10_000;

interface OpenOptions {
  /** The serving role's URL of the directory database. */
  readonly databaseUrl: string;
  readonly cells?: readonly Cell[];
  readonly databaseTimeoutMs: number;
  readonly log: Logger;
}

interface OpenCellsOptions extends OpenOptions {
  /** Connections to each cell for writes in the background. Default: these use those of requests. */
  readonly backgroundConnections?: number;
  /** Which cells may be used. Default: all. */
  readonly preparedCells?: PreparedCells | undefined;
}

interface WatchedPool {
  readonly name: string;
  readonly pool: pg.Pool;
  /** Requests that wait for their tenant's share of the pool. */
  readonly waiting?: () => number;
}

/** Access to the rows of tenants, and to identities. Without cells both are `home`. */
export interface OpenedCells {
  readonly tenants: TenantDatabase;
  readonly identityTenants: TenantDatabase;
  /** The pools for requests, by the name of the cell. */
  readonly serving: ReadonlyMap<string, pg.Pool>;
  /** All pools, for metrics. */
  readonly pools: readonly WatchedPool[];
  close(): Promise<void>;
}

/** Opens a pool for each cell, another one for its writes in the background, and one for what cells ask the directory. */
export function openCells(
  options: OpenCellsOptions,
  homePool: pg.Pool,
  home: TenantDatabase,
): OpenedCells {
  const { cells = [], databaseUrl } = options;
  if (cells.length === 0) {
    const close = async () => undefined;
    return { tenants: home, identityTenants: home, serving: new Map(), pools: [], close };
  }
  const directoryPool = openPool(options, databaseUrl, 'directory', DIRECTORY_CONNECTIONS);
  const pools: WatchedPool[] = [{ name: 'directory', pool: directoryPool }];
  const serving = new Map<string, pg.Pool>();
  const databases = cells.map(({ name, appUrl }) => {
    const pool = openPool(options, appUrl, `cell ${name}`, CELL_CONNECTIONS);
    serving.set(name, pool);
    const ofBackground = `background of cell ${name}`;
    const background = backgroundPool(options, appUrl, ofBackground);
    // Each cell has its own connections, so its tenants share them among themselves.
    const shares = new ConnectionShares({ connections: CELL_CONNECTIONS });
    pools.push({ name: `cell ${name}`, pool, waiting: () => shares.waiting });
    if (background !== null) pools.push({ name: ofBackground, pool: background });
    const ofWrites = { writeTimeoutMs: WRITE_TIMEOUT_MS, background };
    return [name, new TenantDatabase(pool, { shares, ...ofWrites })] as const;
  });
  const directory = new Directory(directoryPool);
  return {
    tenants: new CellDatabase({
      ...{ homePool, home, cells: new Map(databases), directory },
      prepared: options.preparedCells,
    }),
    identityTenants: new IdentityDatabase(homePool, home),
    serving,
    pools,
    close: async () => {
      await Promise.all(pools.map(({ pool }) => pool.end()));
    },
  };
}

function backgroundPool(options: OpenCellsOptions, url: string, what: string): pg.Pool | null {
  const { backgroundConnections: most = 0 } = options;
  return most === 0 ? null : openPool(options, url, what, most, BACKGROUND_NICENESS);
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
  niceness = 0,
) {
  return createPool({
    url,
    name: `cspm ${what}`,
    maxConnections: most,
    statementTimeoutMs: READ_TIMEOUT_MS,
    longestStatementMs: WRITE_TIMEOUT_MS,
    connectWithinMs: databaseTimeoutMs,
    niceness,
    onError: (err) => log.warn({ err, what }, 'A database connection failed'),
  });
}
