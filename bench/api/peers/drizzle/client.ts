import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import { CONNECTIONS, DATABASE_URL } from '../service/settings.ts';
import * as schema from './tables.ts';

export const db = drizzle({
  client: new pg.Pool({
    connectionString: DATABASE_URL,
    max: CONNECTIONS,
    options: '-c timezone=UTC',
  }),
  schema,
});

export type Transaction = Parameters<Parameters<typeof db.transaction>[0]>[0];

/** Row-level security as in Drizzle's guide: a transaction that sets the tenant first. */
export function inTenant<T>(tenantId: string, work: (tx: Transaction) => Promise<T>): Promise<T> {
  return db.transaction(async (tx) => {
    await tx.execute(sql`SELECT set_config('app.tenant_id', ${tenantId}, TRUE)`);
    return work(tx);
  });
}
