import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { PrismaClient } from './generated/client.ts';
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
  readonly #prisma: TenantPrisma;
  readonly #bound = new WeakMap<pg.PoolClient, string>();

  constructor(pool: pg.Pool) {
    this.#pool = pool;
    this.#prisma = createPrisma();
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

  #within<T>(
    client: pg.PoolClient,
    tenantId: string,
    work: (db: TenantConnection) => Promise<T>,
  ): Promise<T> {
    const connection: TenantConnection = {
      tenantId,
      prisma: this.#prisma,
      sql: async (statement, values = []) =>
        (await client.query({ name: statement.name, text: statement.text, values: [...values] }))
          .rows,
    };
    // Prisma's queries begin when they are awaited, so that has to happen here, where the connection is known.
    return currentClient.run(client, async () => await work(connection));
  }
}

/** The connection that the running request has checked out; Prisma's statements go there. */
const currentClient = new AsyncLocalStorage<pg.PoolClient>();

/** Stands where Prisma expects a pool, and sends each statement down the connection that is checked out. */
class CheckedOutPool extends pg.Pool {
  // The driver adapter calls query() with one configuration object and awaits it; of the overloads that is all there is.
  override query = ((config: pg.QueryConfig) => {
    const client = currentClient.getStore();
    if (client === undefined) throw new Error('Prisma was used outside of a tenant connection');
    return client.query(config);
  }) as pg.Pool['query'];

  override connect = (() => {
    throw new Error('Transactions are opened by TenantDatabase.write, never by Prisma');
  }) as pg.Pool['connect'];
}

export type TenantPrisma = ReturnType<typeof createPrisma>;

/**
 * Prisma on the connections of TenantDatabase. It answers several `findUnique` of one tick by one statement, on the
 * connection of whichever request came first: rows of one tenant would go to another. They become `findFirst` here.
 */
function createPrisma() {
  const adapter = new PrismaPg(new CheckedOutPool(), {
    statementNameGenerator: ({ sql }) => createHash('sha1').update(sql).digest('base64'),
  });
  const client = new PrismaClient({ adapter });
  return client.$extends({
    query: {
      $allModels: {
        findUnique: ({ model, args }) => modelOf(client, model).findFirst(args),
        findUniqueOrThrow: ({ model, args }) => modelOf(client, model).findFirstOrThrow(args),
      },
    },
  });
}

interface FindsFirst {
  findFirst(args: unknown): Promise<unknown>;
  findFirstOrThrow(args: unknown): Promise<unknown>;
}

function modelOf(client: PrismaClient, model: string): FindsFirst {
  const key = `${model[0]?.toLowerCase()}${model.slice(1)}`;
  // Prisma types each model apart; by name they all have these two methods.
  return (client as unknown as Record<string, FindsFirst>)[key] as FindsFirst;
}
