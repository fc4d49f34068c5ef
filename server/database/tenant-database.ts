import type pg from 'pg';
import { type LentPrisma, LentPrismas, type TenantPrisma } from './tenant-prisma.ts';
import { isDatabaseUnavailable } from './unavailable.ts';

/** Rows as Postgres gives them. */
export type Row = pg.QueryResultRow;

/**
 * A connection bound to one tenant: row-level security shows it that tenant's rows alone.
 * `sql` runs a hand-written statement, prepared under its name; `prisma` is the typed client on the same connection.
 */
export interface TenantConnection {
  readonly tenantId: string;
  readonly prisma: TenantPrisma;
  sql<R extends Row>(statement: Statement, values?: readonly unknown[]): Promise<R[]>;
}

/** A hand-written statement. Postgres plans it once a connection, under this name. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

const PIN: Statement = {
  name: 'pin-tenant',
  text: "SELECT set_config('app.tenant_id', $1, false)",
};

/**
 * Access to the rows of tenants. Every checkout of a connection binds it to the tenant asked for, here and nowhere else.
 * The binding is a setting of the session, so a transaction pooler between us and Postgres would break it.
 */
export class TenantDatabase {
  readonly #pool: pg.Pool;
  readonly #bound = new WeakMap<pg.PoolClient, string>();
  readonly #prismas = new LentPrismas();

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  /** Runs statements one by one: each sees what was committed before it. */
  async read<T>(tenantId: string, work: (db: TenantConnection) => Promise<T>): Promise<T> {
    return this.#checkout(tenantId, (client) => this.#within(client, tenantId, work));
  }

  /** Runs everything in one transaction: all of it takes effect, or nothing. */
  async write<T>(tenantId: string, work: (db: TenantConnection) => Promise<T>): Promise<T> {
    return this.#checkout(tenantId, async (client) => {
      await client.query('BEGIN');
      const result = await this.#within(client, tenantId, work).catch(async (error: unknown) => {
        // A connection that broke is closed, which rolls back as well.
        if (!isDatabaseUnavailable(error)) await client.query('ROLLBACK');
        throw error;
      });
      await client.query('COMMIT');
      return result;
    });
  }

  async #checkout<T>(tenantId: string, use: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect();
    let broken = false;
    try {
      if (this.#bound.get(client) !== tenantId) {
        await client.query({ ...PIN, values: [tenantId] });
        this.#bound.set(client, tenantId);
      }
      return await use(client);
    } catch (error) {
      broken = isDatabaseUnavailable(error);
      throw error;
    } finally {
      // Nobody else may have a connection that broke, or one still inside a transaction that could not be rolled back.
      client.release(broken || client.getTransactionStatus() !== 'I');
    }
  }

  async #within<T>(
    client: pg.PoolClient,
    tenantId: string,
    work: (db: TenantConnection) => Promise<T>,
  ): Promise<T> {
    const connection = new Checkout(client, tenantId, this.#prismas);
    try {
      // Prisma's queries begin when they are awaited, so that has to happen before its client goes back.
      return await work(connection);
    } finally {
      connection.end();
    }
  }
}

/** A connection for as long as it is checked out. */
class Checkout implements TenantConnection {
  readonly tenantId: string;
  readonly #client: pg.PoolClient;
  readonly #prismas: LentPrismas;
  #lent: LentPrisma | null = null;
  #ended = false;

  constructor(client: pg.PoolClient, tenantId: string, prismas: LentPrismas) {
    this.tenantId = tenantId;
    this.#client = client;
    this.#prismas = prismas;
  }

  get prisma(): TenantPrisma {
    this.#lent ??= this.#prismas.lend(this.#client);
    return this.#lent.prisma;
  }

  readonly sql = async <R extends Row>(
    { name, text }: Statement,
    values: readonly unknown[] = [],
  ): Promise<R[]> => {
    // Whoever forgot to await would otherwise speak on a connection that is another tenant's by now.
    if (this.#ended) throw new Error(`${name} was sent after its connection had been given back`);
    return (await this.#client.query<R>({ name, text, values: [...values] })).rows;
  };

  end(): void {
    this.#ended = true;
    if (this.#lent !== null) this.#prismas.takeBack(this.#lent);
  }
}
