import type pg from 'pg';
import { traceTurn } from '../tracing/database-spans.ts';
import type { ConnectionShares } from './connection-shares.ts';
import type { Command } from './joined-query.ts';
import { type ResultReader, readerOf, turnOf } from './large-results.ts';
import type { TenantPrisma } from './prisma-client.ts';
import { type BoundPrisma, BoundPrismaPool, type StatementTarget } from './tenant-prisma.ts';
import { beginWith, Transaction } from './transaction.ts';
import { isDatabaseUnavailable, isStatementOutOfResources } from './unavailable.ts';

/** The row type of a call that declares none; it has no readable column. */
type NoColumns = Record<never, never>;

/**
 * A connection bound to one tenant: row-level security restricts it to that tenant's rows. `sql` runs a hand-written
 * statement, prepared under its name; `prisma` is the typed client on the same connection.
 */
export interface TenantConnection {
  readonly tenantId: string;
  readonly prisma: TenantPrisma;
  /**
   * Runs a hand-written statement. Each call declares its row type, which a test compares with the types that Postgres
   * reports. `NoInfer` prevents inference from the expected type.
   */
  sql<R extends object = NoColumns>(
    statement: NamedText,
    values?: readonly unknown[],
  ): Promise<NoInfer<R>[]>;
  /**
   * Sends a statement at the end of the transaction, in one round trip with the commit. Its rows are discarded, and its
   * error fails the transaction.
   */
  sqlWithCommit(statement: NamedText, values: readonly unknown[]): Promise<void>;
  /**
   * Keeps an event for the database that has the rows of the tenant. False: that is this database. Undefined: all tenants
   * are in one database.
   */
  readonly forwardEvent?: (event: object) => Promise<boolean>;
  /** Whether a statement has returned so much since the checkout that the response is built in turns of the tenant. */
  readonly hasReadMuch: boolean;
  /**
   * Waits for the turn of the tenant, before work that takes milliseconds of the event loop. A statement with a large result
   * does so itself.
   */
  turn(): Promise<void>;
}

export interface NamedText {
  /** Postgres plans it once a connection, under this name. Empty: each time, for a text with very many forms. */
  readonly name: string;
  readonly text: string;
}

/** A hand-written statement of the server. */
export interface Statement extends NamedText {
  readonly reason: StatementReason;
}

/**
 * Why a statement is written by hand. Plain reads and writes of one table go through Prisma Client.
 *
 * - `function`: calls a function of ours in Postgres.
 * - `command`: sets up the session or the transaction.
 * - `lock`: locks rows, or takes an advisory lock.
 * - `set`: joins, aggregates or computes, or writes the rows that a condition chooses.
 * - `hot path`: is plain, but part of each request or step of work that the races measure. Decision 0039 has the figure.
 * - `operator`: runs on the connection of an operator command, which has no Prisma Client.
 */
export type StatementReason = 'function' | 'command' | 'lock' | 'set' | 'hot path' | 'operator';

const PIN: Statement = {
  name: 'pin-tenant',
  reason: 'command',
  text: "SELECT set_config('app.tenant_id', $1, false)",
};

/** The tenant of each connection. One map for all instances, since several may use one pool. */
const BOUND = new WeakMap<pg.PoolClient, string>();

export interface TenantDatabaseOptions {
  /**
   * Shares the connections of the pool among tenants, and the event loop among their large results. Default: first come,
   * first served.
   */
  readonly shares?: ConnectionShares;
  /** Statement timeout of a transaction, if it differs from the pool's. */
  readonly writeTimeoutMs?: number;
  /** Connections for writes in the background. Default: null; these use the pool like others. */
  readonly background?: pg.Pool | null;
}

export interface WriteOptions {
  /**
   * Whether nobody waits for this transaction alone, as for a part of a long upload. It then uses other connections than requests, and
   * its caller limits how many are used at a time. Default: false.
   */
  readonly inBackground?: boolean;
  /** How long to wait for a tenant that is being moved or deleted. Default: as long as requests do. */
  readonly waitForMoveMs?: number;
}

/**
 * Access to the rows of tenants. Connections are bound to a tenant only here, at each checkout. The binding is a
 * session setting, so a transaction pooler in front of Postgres would break it.
 */
export class TenantDatabase {
  readonly #pool: pg.Pool;
  readonly #prismas = new BoundPrismaPool();
  readonly #shares: ConnectionShares | null;
  readonly #begin: readonly Command[];
  readonly #background: pg.Pool | null;

  constructor(
    pool: pg.Pool,
    { shares, writeTimeoutMs, background = null }: TenantDatabaseOptions = {},
  ) {
    this.#pool = pool;
    this.#background = background;
    this.#shares = shares ?? null;
    this.#begin = beginWith(writeTimeoutMs);
  }

  /** Runs statements without a transaction: each sees what was committed before it. */
  async read<T>(tenantId: string, work: (db: TenantConnection) => Promise<T>): Promise<T> {
    return this.#checkout(tenantId, (client) => this.#within(client, null, tenantId, work));
  }

  /** Runs everything in one transaction. */
  async write<T>(
    tenantId: string,
    work: (db: TenantConnection) => Promise<T>,
    { inBackground = false }: WriteOptions = {},
  ): Promise<T> {
    const transact = async (client: pg.PoolClient) => {
      const transaction = new Transaction(client, this.#begin);
      try {
        const result = await this.#within(client, transaction, tenantId, work);
        await transaction.commit();
        return result;
      } catch (error) {
        // A broken connection is closed, which also rolls back.
        if (!isBroken(error)) await transaction.rollback();
        throw error;
      }
    };
    return inBackground && this.#background !== null
      ? this.#connected(this.#background, tenantId, transact)
      : this.#checkout(tenantId, transact);
  }

  async #checkout<T>(tenantId: string, use: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    if (this.#shares === null) return this.#connected(this.#pool, tenantId, use);
    const turn = this.#shares.acquire(tenantId);
    if (turn !== null) await traceTurn(turn, 'cspm server');
    const since = performance.now();
    try {
      return await this.#connected(this.#pool, tenantId, use);
    } finally {
      this.#shares.release(tenantId, performance.now() - since);
    }
  }

  async #connected<T>(
    pool: pg.Pool,
    tenantId: string,
    use: (client: pg.PoolClient) => Promise<T>,
  ): Promise<T> {
    const client = await pool.connect();
    let broken = false;
    try {
      if (BOUND.get(client) !== tenantId) {
        await client.query({ ...PIN, values: [tenantId] });
        BOUND.set(client, tenantId);
      }
      return await use(client);
    } catch (error) {
      broken = isBroken(error);
      throw error;
    } finally {
      // A broken connection, or one that could not be rolled back, must not be reused.
      client.release(broken || client.getTransactionStatus() !== 'I');
    }
  }

  async #within<T>(
    client: pg.PoolClient,
    transaction: Transaction | null,
    tenantId: string,
    work: (db: TenantConnection) => Promise<T>,
  ): Promise<T> {
    const connection = new Checkout(client, transaction, tenantId, {
      prismas: this.#prismas,
      inTurns: this.#shares !== null,
    });
    try {
      // Prisma starts a query when it is awaited, so await it before the client is released.
      return await work(connection);
    } finally {
      connection.end();
    }
  }
}

/** Whether the error leaves the state of its connection unknown. */
function isBroken(error: unknown): boolean {
  return isDatabaseUnavailable(error) && !isStatementOutOfResources(error);
}

/** A connection while it is checked out. */
class Checkout implements TenantConnection {
  readonly tenantId: string;
  readonly #client: pg.PoolClient;
  /** Null: each statement is a transaction of its own. */
  readonly #transaction: Transaction | null;
  readonly #prismas: BoundPrismaPool;
  /** Null: large results take no turns. */
  readonly #reader: ResultReader | null;
  #bound: BoundPrisma | null = null;
  #ended = false;

  constructor(
    client: pg.PoolClient,
    transaction: Transaction | null,
    tenantId: string,
    options: { readonly prismas: BoundPrismaPool; readonly inTurns: boolean },
  ) {
    this.tenantId = tenantId;
    this.#client = client;
    this.#transaction = transaction;
    this.#prismas = options.prismas;
    this.#reader = options.inTurns ? readerOf(client) : null;
    this.#reader?.checkOut(tenantId);
  }

  get prisma(): TenantPrisma {
    this.#bound ??= this.#prismas.acquire(this.#target());
    return this.#bound.prisma;
  }

  get hasReadMuch(): boolean {
    return this.#reader?.hasReadMuch ?? false;
  }

  async turn(): Promise<void> {
    if (this.#reader !== null) await turnOf(this.tenantId);
  }

  readonly sql: TenantConnection['sql'] = async ({ name, text }, values = []) => {
    // A query that was not awaited could otherwise run on a connection that already belongs to another tenant.
    if (this.#ended) throw new Error(`${name} was sent after its connection was released`);
    const to = this.#transaction ?? this.#client;
    const { rows } = await to.query({ name, text, values: [...values] });
    if (this.#reader?.endStatement()) await this.turn();
    return rows;
  };

  readonly sqlWithCommit: TenantConnection['sqlWithCommit'] = async ({ name, text }, values) => {
    if (this.#transaction === null) throw new Error(`${name} was added to a read`);
    this.#transaction.keep({ name, text, values: [...values] });
  };

  end(): void {
    this.#ended = true;
    this.#reader?.checkIn();
    if (this.#bound !== null) this.#prismas.release(this.#bound);
  }

  /** Where Prisma sends its statements: they wait for BEGIN if they are in a transaction. */
  #target(): StatementTarget {
    return {
      query: async (config) => {
        if (this.#transaction !== null) await this.#transaction.begin();
        const result = await this.#client.query(config);
        if (this.#reader?.endStatement()) await this.turn();
        return result;
      },
    };
  }
}
