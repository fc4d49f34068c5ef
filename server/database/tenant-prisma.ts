import { createHash } from 'node:crypto';
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { PrismaClient } from './generated/client.ts';

/**
 * Prisma clients, each lent to one checkout of a connection at a time. There come to be as many as were ever wanted at
 * once, at about 5 MB each. A single one that finds the connection by AsyncLocalStorage would cost a sixth of every
 * request: with it, Node 20 runs a hook for each promise of the process.
 */
export class LentPrismas {
  readonly #idle: LentPrisma[] = [];

  lend(client: pg.PoolClient): LentPrisma {
    const lent = this.#idle.pop() ?? new LentPrisma();
    lent.sendTo(client);
    return lent;
  }

  takeBack(lent: LentPrisma): void {
    lent.sendTo(null);
    this.#idle.push(lent);
  }
}

export class LentPrisma {
  readonly #pool = new CheckedOutPool();
  readonly prisma = createPrisma(this.#pool);

  sendTo(client: pg.PoolClient | null): void {
    this.#pool.checkedOut = client;
  }
}

/** Stands where Prisma expects a pool, and sends each statement down the connection that is checked out. */
class CheckedOutPool extends pg.Pool {
  checkedOut: pg.PoolClient | null = null;

  // The driver adapter calls query() with one configuration object and awaits it; of the overloads that is all there is.
  override query = ((config: pg.QueryConfig) => {
    const client = this.checkedOut;
    if (client === null) throw new Error('Prisma was used outside of a tenant connection');
    return client.query(config);
  }) as pg.Pool['query'];

  override connect = (() => {
    throw new Error('Transactions are opened by TenantDatabase.write, never by Prisma');
  }) as pg.Pool['connect'];
}

export type TenantPrisma = ReturnType<typeof createPrisma>;

/**
 * Prisma answers several `findUnique` of one tick by one statement, on the connection of whichever came first. Clients
 * that were shared between requests would hand rows of one tenant to another that way. They become `findFirst` here, so
 * that it cannot happen however clients are lent.
 */
function createPrisma(pool: pg.Pool) {
  const adapter = new PrismaPg(pool, {
    statementNameGenerator: ({ sql }) => createHash('sha1').update(sql).digest('base64'),
  });
  const client = new PrismaClient({ adapter });
  return client.$extends({
    query: {
      $allModels: {
        findUnique: ({ model, args }) => modelOf(client, model).findFirst(flat(args)),
        findUniqueOrThrow: ({ model, args }) => modelOf(client, model).findFirstOrThrow(flat(args)),
      },
    },
  });
}

/** Only findUnique knows keys of several columns by name: `tenantId_id: { tenantId, id }` becomes its columns. */
function flat<A extends { readonly where: object }>(args: A): A {
  const where = Object.entries(args.where).map(([name, value]: [string, unknown]) =>
    isKeyOf(name, value) ? value : { [name]: value },
  );
  return { ...args, where: Object.assign({}, ...where) };
}

function isKeyOf(name: string, value: unknown): boolean {
  const columns = name.split('_');
  if (columns.length === 1 || typeof value !== 'object' || value === null) return false;
  return columns.toSorted().join() === Object.keys(value).toSorted().join();
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
