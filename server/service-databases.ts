import type pg from 'pg';
import type { Logger } from 'pino';
import { UPLOAD_SLOTS } from './modules/inventories/upload-slots.ts';
import type { Cell } from './platform/cells/cell-config.ts';
import { BACKGROUND_NICENESS, openCells } from './platform/cells/open-cells.ts';
import type { PreparedCells } from './platform/cells/prepared-cells.ts';
import type { Clock } from './platform/clock.ts';
import { readsFrom } from './platform/database/connect-replicas.ts';
import { ConnectionShares } from './platform/database/connection-shares.ts';
import { createPool } from './platform/database/pool.ts';
import { TenantDatabase } from './platform/database/tenant-database.ts';
import type { Metrics } from './platform/metrics.ts';
import { Throttles } from './platform/throttle.ts';

/** The options that concern databases. */
export interface DatabaseOptions {
  /** The pool of the serving role. */
  readonly databaseUrl: string;
  /** Replicas that serve reads, for the same role; null or undefined: the primary serves all. */
  readonly databaseReplicaUrl?: string | null;
  /** Further databases with the rows of tenants. Default: none. */
  readonly cells?: readonly Cell[];
  /** Which of them may be used. Default: all. */
  readonly preparedCells?: PreparedCells;
  /** The longest that a request waits for a connection to Postgres. */
  readonly databaseTimeoutMs: number;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Connections for the requests of tenants, which share them. */
const SERVING_CONNECTIONS = 10;
/** Connections for looking up credentials and limits; requests of tenants never hold one. */
const IDENTITY_CONNECTIONS = 4;
/** Connections for the chunks of large uploads, each of which uses one at a time. */
const UPLOAD_CONNECTIONS = UPLOAD_SLOTS.total;
/** Statement timeout of a list, a count or a page of an export. */
const READ_TIMEOUT_MS = 5_000;
/** Statement timeout of a change; deleting a project deletes everything in it. */
const WRITE_TIMEOUT_MS = 10_000;
const IDENTITY_TIMEOUT_MS = 5_000;

export type Databases = ReturnType<typeof openDatabases>;

/** The primary database and the cells, with separate pools for what must work while tenants use all of theirs. */
export function openDatabases(options: DatabaseOptions) {
  const pools = createPools(options);
  const shares = new ConnectionShares({ connections: SERVING_CONNECTIONS });
  const home = new TenantDatabase(pools.serving, {
    shares,
    writeTimeoutMs: WRITE_TIMEOUT_MS,
    background: pools.uploads,
  });
  const ofCells = { ...options, backgroundConnections: UPLOAD_CONNECTIONS };
  const cells = openCells(ofCells, pools.serving, home);
  return {
    pools,
    shares,
    /** For operations on identities. */
    identityTenants: cells.identityTenants,
    /** For operations on other rows of tenants. */
    tenants: cells.tenants,
    throttles: new Throttles(pools.identity, options.clock),
    connect: () => connectAhead([pools.identity, pools.serving]),
    closePools: () => Promise.all(Object.values(pools).map((pool) => pool.end())),
    cells,
  };
}

export function replicasOf(options: DatabaseOptions, tenants: TenantDatabase, metrics: Metrics) {
  const { databaseUrl, databaseTimeoutMs, log } = options;
  return readsFrom(options.databaseReplicaUrl ?? null, {
    ...{ databaseUrl, databaseTimeoutMs, tenants, metrics, log },
    ...{ connections: SERVING_CONNECTIONS, timeoutMs: READ_TIMEOUT_MS },
  });
}

/** Errors are ignored: the first request meets them too. */
function connectAhead(pools: readonly pg.Pool[]): void {
  for (const pool of pools) {
    pool.connect().then(
      (client) => client.release(),
      () => undefined,
    );
  }
}

interface Pools {
  readonly serving: pg.Pool;
  readonly uploads: pg.Pool;
  readonly identity: pg.Pool;
  readonly health: pg.Pool;
}

/** Separate pools for what must keep working while tenants use all of theirs. */
function createPools({ databaseUrl: url, databaseTimeoutMs, log }: DatabaseOptions): Pools {
  const onError = (err: Error) => log.warn({ err }, 'A database connection failed');
  return {
    serving: createPool({
      url,
      name: 'cspm server',
      maxConnections: SERVING_CONNECTIONS,
      statementTimeoutMs: READ_TIMEOUT_MS,
      longestStatementMs: WRITE_TIMEOUT_MS,
      connectWithinMs: databaseTimeoutMs,
      onError,
    }),
    uploads: createPool({
      url,
      name: 'cspm uploads',
      maxConnections: UPLOAD_CONNECTIONS,
      statementTimeoutMs: WRITE_TIMEOUT_MS,
      connectWithinMs: databaseTimeoutMs,
      niceness: BACKGROUND_NICENESS,
      onError,
    }),
    identity: createPool({
      url,
      name: 'cspm identity',
      maxConnections: IDENTITY_CONNECTIONS,
      statementTimeoutMs: IDENTITY_TIMEOUT_MS,
      connectWithinMs: databaseTimeoutMs,
      onError,
    }),
    health: createPool({
      url,
      name: 'cspm readiness',
      maxConnections: 1,
      statementTimeoutMs: READ_TIMEOUT_MS,
      connectWithinMs: databaseTimeoutMs,
      onError,
    }),
  };
}
