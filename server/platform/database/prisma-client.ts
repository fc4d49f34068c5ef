import { createHash } from 'node:crypto';
import { PrismaPg } from '@prisma/adapter-pg';
import type pg from 'pg';
import { pollEventLoop } from '../event-loop-yield.ts';
import { PrismaClient } from './generated/client.ts';

export type TenantPrisma = ReturnType<typeof createPrisma>;

/**
 * Prisma batches several `findUnique` calls of one tick into one statement, on the connection of the first. If requests
 * shared clients, one tenant could get another tenant's rows. So `findUnique` becomes `findFirst` here, which rules it
 * out.
 */
export function createPrisma(pool: pg.Pool) {
  const adapter = new PrismaPg(pool, {
    statementNameGenerator: ({ sql }) => createHash('sha1').update(sql).digest('base64'),
  });
  const client = new PrismaClient({ adapter });
  const connected = connectInTurns(client);
  return client.$extends({
    query: {
      $allOperations: async ({ args, query }) => {
        await connected;
        return query(args);
      },
      $allModels: {
        findUnique: async ({ model, args }) => {
          await connected;
          return modelOf(client, model).findFirst(flat(args));
        },
        findUniqueOrThrow: async ({ model, args }) => {
          await connected;
          return modelOf(client, model).findFirstOrThrow(flat(args));
        },
      },
    },
  });
}

/**
 * Creating a client, its query compiler and its first query take 15 to 30 ms each. The event loop handles
 * other requests between them.
 */
async function connectInTurns(client: PrismaClient): Promise<void> {
  await pollEventLoop();
  // The query connects again and reports the error.
  await client.$connect().catch(() => undefined);
  await pollEventLoop();
}

/** Only findUnique accepts the names of composite keys: `tenantId_id: { tenantId, id }` becomes its columns. */
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
  // Prisma types each model separately; all of them have these two methods.
  return (client as unknown as Record<string, FindsFirst>)[key] as FindsFirst;
}
