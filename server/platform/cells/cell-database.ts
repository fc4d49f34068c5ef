import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type { TenantPrisma } from '../database/prisma-client.ts';
import {
  type Statement,
  type TenantConnection,
  TenantDatabase,
  type WriteOptions,
} from '../database/tenant-database.ts';
import { HOME } from './cell-config.ts';
import { CellConnection } from './cell-connection.ts';
import type { Directory } from './directory.ts';
import type { PreparedCells } from './prepared-cells.ts';
import { TenantMovingError } from './tenant-moving.ts';

/** How long a request waits for its tenant to arrive, so that a move is a pause for it and no refusal. */
const WAIT_MS = 10_000;
/** The pause between attempts doubles up to the longest, so that waiting requests cost the databases little. */
const FIRST_PAUSE_MS = 25;
const LONGEST_PAUSE_MS = 400;

type Work<T> = (db: TenantConnection) => Promise<T>;

/** A database refused a tenant before anything was done. */
class NotHere extends Error {}

/** A cell has not answered since this process started, so it may lack tables of this release. */
class CellNotPreparedError extends Error {
  override readonly name = 'CellNotPreparedError';
  /** SQLSTATE of a connection that could not be established, so that the request is answered 503. */
  readonly code = '08001';
}

export interface CellDatabaseOptions {
  readonly homePool: pg.Pool;
  readonly home: TenantDatabase;
  readonly cells: ReadonlyMap<string, TenantDatabase>;
  readonly directory: Directory;
  readonly waitMs?: number;
  /** Which cells may be used. Default: all. */
  readonly prepared?: PreparedCells | undefined;
}

/**
 * Access to the rows of tenants, each in the database where they are. Every database says at the begin of a read or a
 * transaction whether it still holds the tenant, so an outdated placement is never used.
 */
export class CellDatabase extends TenantDatabase {
  readonly #home: TenantDatabase;
  readonly #cells: ReadonlyMap<string, TenantDatabase>;
  readonly #directory: Directory;
  readonly #waitMs: number;
  readonly #prepared: PreparedCells | undefined;

  constructor({ homePool, home, cells, directory, waitMs, prepared }: CellDatabaseOptions) {
    // Not used: `home` has the shares of that pool.
    super(homePool);
    this.#home = home;
    this.#cells = cells;
    this.#directory = directory;
    this.#waitMs = waitMs ?? WAIT_MS;
    this.#prepared = prepared;
  }

  override read<T>(tenantId: string, work: Work<T>): Promise<T> {
    return this.#routed(tenantId, (tenants, isHome) =>
      tenants.read(tenantId, async (db) => {
        await demand(db, STANDING, isHome, ['active', 'fenced']);
        return work(isHome ? db : new CellConnection(db, this.#directory));
      }),
    );
  }

  override write<T>(tenantId: string, work: Work<T>, options?: WriteOptions): Promise<T> {
    const attempt = (tenants: TenantDatabase, isHome: boolean) =>
      tenants.write(
        tenantId,
        async (db) => {
          await demand(db, ENTER, isHome, ['active']);
          return work(isHome ? db : new CellConnection(db, this.#directory));
        },
        options,
      );
    return this.#routed(tenantId, attempt, options?.waitForMoveMs);
  }

  /** @throws {TenantMovingError} when no database accepts the tenant in time, or the server does not know its cell. */
  async #routed<T>(
    tenantId: string,
    attempt: (tenants: TenantDatabase, isHome: boolean) => Promise<T>,
    waitMs = this.#waitMs,
  ): Promise<T> {
    const deadline = performance.now() + waitMs;
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
      const cell = await this.#directory.cellOf(tenantId);
      const tenants = cell === HOME ? this.#home : this.#cells.get(cell);
      if (tenants !== undefined && cell !== HOME && this.#prepared?.has(cell) === false) {
        throw new CellNotPreparedError(`Cell ${cell} has not answered yet`);
      }
      try {
        if (tenants === undefined) throw new NotHere();
        return await attempt(tenants, cell === HOME);
      } catch (error) {
        if (!(error instanceof NotHere)) throw error;
        this.#directory.forget(tenantId);
        if (performance.now() >= deadline) throw new TenantMovingError();
        await delay(pauseMs);
      }
    }
  }
}

/** Access to the rows of one cell, for a worker that runs the queue of that cell. */
export class WorkerCellDatabase extends TenantDatabase {
  readonly #directory: Directory;

  constructor(pool: pg.Pool, directory: Directory) {
    super(pool);
    this.#directory = directory;
  }

  override read<T>(tenantId: string, work: Work<T>): Promise<T> {
    return super.read(tenantId, (db) => work(new CellConnection(db, this.#directory)));
  }

  override write<T>(tenantId: string, work: Work<T>): Promise<T> {
    return super.write(tenantId, (db) => work(new CellConnection(db, this.#directory)));
  }
}

/**
 * Access to identities, with the audit rows and idempotency records of requests about them: always in the directory
 * database, wherever the other rows of the tenant are.
 */
export class IdentityDatabase extends TenantDatabase {
  readonly #home: TenantDatabase;

  constructor(homePool: pg.Pool, home: TenantDatabase) {
    // The same as in CellDatabase.
    super(homePool);
    this.#home = home;
  }

  override read<T>(tenantId: string, work: Work<T>): Promise<T> {
    return this.#home.read(tenantId, work);
  }

  override write<T>(tenantId: string, work: Work<T>): Promise<T> {
    return this.#home.write(tenantId, async (db) => {
      await db.sql(ABOUT_IDENTITIES);
      return work(new IdentityConnection(db));
    });
  }
}

class IdentityConnection implements TenantConnection {
  readonly #db: TenantConnection;
  readonly tenantId: string;
  readonly sql: TenantConnection['sql'];
  readonly sqlWithCommit: TenantConnection['sqlWithCommit'];

  constructor(db: TenantConnection) {
    this.#db = db;
    this.tenantId = db.tenantId;
    this.sql = db.sql;
    this.sqlWithCommit = db.sqlWithCommit;
  }

  get prisma(): TenantPrisma {
    return this.#db.prisma;
  }

  get hasReadMuch(): boolean {
    return this.#db.hasReadMuch;
  }

  turn(): Promise<void> {
    return this.#db.turn();
  }

  readonly forwardEvent = async (event: object): Promise<boolean> => {
    const [row] = await this.#db.sql<{ forwarded: boolean }>(FORWARD, [JSON.stringify(event)]);
    return row?.forwarded === true;
  };
}

async function demand(
  db: TenantConnection,
  question: Statement,
  isHome: boolean,
  accepted: readonly string[],
): Promise<void> {
  const [row] = await db.sql<{ state: string }>(question, [isHome]);
  if (!accepted.includes(row?.state ?? '')) throw new NotHere();
}

const STANDING: Statement = {
  name: 'cell-standing',
  reason: 'function',
  text: 'SELECT cells.standing($1) AS state',
};
const ENTER: Statement = {
  name: 'cell-enter',
  reason: 'function',
  text: 'SELECT cells.enter($1) AS state',
};
const ABOUT_IDENTITIES: Statement = {
  name: 'cell-about-identities',
  reason: 'command',
  text: "SELECT set_config('cells.directory', 'on', true)",
};
const FORWARD: Statement = {
  name: 'cell-forward-event',
  reason: 'function',
  text: 'SELECT cells.forward_event($1::jsonb) AS forwarded',
};
