import type { TestDatabase } from './database.ts';

/** Rows of one tenant, as the owner of the tables sees them: row-level security is forced on the owner too. */
export async function rowsOf(
  database: TestDatabase,
  tenantId: string,
  sql: string,
  values: readonly unknown[] = [],
): Promise<Record<string, unknown>[]> {
  await database.owner.query("SELECT set_config('app.tenant_id', $1, false)", [tenantId]);
  return (await database.owner.query(sql, [...values])).rows;
}

/** How many rows of one tenant each of these tables holds. */
export async function countsOf<T extends string>(
  database: TestDatabase,
  tenantId: string,
  tables: readonly T[],
): Promise<Record<T, number>> {
  const counts: [T, number][] = [];
  for (const table of tables) {
    const [row] = await rowsOf(database, tenantId, `SELECT count(*)::int AS rows FROM ${table}`);
    counts.push([table, Number(row?.['rows'])]);
  }
  return Object.fromEntries(counts) as Record<T, number>;
}
