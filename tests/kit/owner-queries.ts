import type { TestDatabase } from './database.ts';

/** Rows of one tenant, read as the owner of the tables, to whom row-level security applies too. */
export async function rowsOf(
  database: TestDatabase,
  tenantId: string,
  sql: string,
  values: readonly unknown[] = [],
): Promise<Record<string, unknown>[]> {
  await database.owner.query("SELECT set_config('app.tenant_id', $1, false)", [tenantId]);
  return (await database.owner.query(sql, [...values])).rows;
}

/**
 * Process ids that wait for a lock of that kind in this database. Excludes locks of other databases, which other test
 * files use on the same Postgres, and those of autovacuum, which has no user.
 * @param kind a condition on `pg_locks`, as `l`.
 */
export async function waitingFor(database: TestDatabase, kind: string): Promise<number[]> {
  // A transaction keeps the processes of its first look, and would never see one that starts later.
  await database.owner.query('SELECT pg_stat_clear_snapshot()');
  const { rows } = await database.owner.query<{ pid: number }>(
    `SELECT l.pid FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
     WHERE NOT l.granted AND a.datname = current_database() AND a.usename IS NOT NULL AND ${kind}`,
  );
  return rows.map(({ pid }) => pid);
}

/** The number of rows of one tenant in each of these tables. */
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
