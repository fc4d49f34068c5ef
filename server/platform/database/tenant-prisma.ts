import pg from 'pg';
import { pollEventLoop } from '../event-loop-yield.ts';
import type { TenantPrisma } from './prisma-client.ts';

/**
 * Prisma clients, each bound to one checked-out connection at a time. The number grows to the largest number in use at
 * the same time, at about 5 MB each. A single client that finds the connection by AsyncLocalStorage would cost a sixth
 * of every request, because Node 20 then runs a hook for each promise of the process.
 */
export class BoundPrismaPool {
  readonly #idle: BoundPrisma[] = [];

  acquire(target: StatementTarget): BoundPrisma {
    const bound = this.#idle.pop() ?? new BoundPrisma();
    bound.sendTo(target);
    return bound;
  }

  release(bound: BoundPrisma): void {
    bound.sendTo(null);
    this.#idle.push(bound);
  }
}

/** A checked-out connection, or a transaction on it. */
export interface StatementTarget {
  query(config: pg.QueryConfig): Promise<pg.QueryResult>;
}

export class BoundPrisma {
  readonly #pool = new CheckedOutPool();
  #prisma: TenantPrisma | null = null;

  get prisma(): TenantPrisma {
    this.#prisma ??= loaded?.createPrisma(this.#pool) ?? null;
    return this.#prisma ?? onceCreated(() => this.#create());
  }

  sendTo(target: StatementTarget | null): void {
    this.#pool.checkedOut = target;
  }

  async #create(): Promise<TenantPrisma> {
    loading ??= load();
    const { createPrisma } = await loading;
    this.#prisma ??= createPrisma(this.#pool);
    return this.#prisma;
  }
}

type PrismaModule = typeof import('./prisma-client.ts');

let loaded: PrismaModule | null = null;
let loading: Promise<PrismaModule> | null = null;

/** Prisma is loaded for the first query that needs it: half a megabyte of code that a server at rest can do without. */
async function load(): Promise<PrismaModule> {
  try {
    loaded = await import('./prisma-client.ts');
  } catch (error) {
    // Node keeps the failure, even if it was that of a moment, such as EMFILE. Only another process can load it.
    process.nextTick(() => {
      throw error;
    });
    throw error;
  }
  await pollEventLoop();
  return loaded;
}

/** Stands in for a client until it exists: calls of its methods, and of those of its models, wait for it. */
function onceCreated(create: () => Promise<TenantPrisma>): TenantPrisma {
  const methodsOf = (select: (client: TenantPrisma) => object): object =>
    new Proxy(Object.create(null), {
      get:
        (_target, method) =>
        async (...given: unknown[]) => {
          const owner = select(await create());
          return Reflect.apply(Reflect.get(owner, method), owner, given);
        },
    });
  const ofClient = methodsOf((client) => client);
  // The cast holds because each call is passed on to a client of that type.
  return new Proxy(Object.create(null), {
    get: (_target, name) => {
      if (name === 'then') return undefined;
      if (String(name).startsWith('$')) return Reflect.get(ofClient, name);
      return methodsOf((client) => Reflect.get(client, name));
    },
  }) as TenantPrisma;
}

/** Stands in for the pool that Prisma expects, and sends each statement to the checked-out connection. */
class CheckedOutPool extends pg.Pool {
  checkedOut: StatementTarget | null = null;

  // The driver adapter calls only this overload of query(): one configuration object, awaited.
  override query = ((config: pg.QueryConfig) => {
    const target = this.checkedOut;
    if (target === null) throw new Error('Prisma was used outside a tenant connection');
    return target.query(config);
  }) as pg.Pool['query'];

  override connect = (() => {
    throw new Error('Transactions must be opened with TenantDatabase.write, not with Prisma');
  }) as pg.Pool['connect'];
}
