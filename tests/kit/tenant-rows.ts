import type { TestDatabase } from './database.ts';

/** The tables with rows of the tenant: of all tables with a tenant, whatever their schema, by the catalogue. */
export async function tablesWithRows(database: TestDatabase, tenantId: string): Promise<string[]> {
  const { owner } = database;
  await owner.query("SELECT set_config('app.tenant_id', $1, false)", [tenantId]);
  const { rows } = await owner.query<{ table: string }>(
    `SELECT a.attrelid::regclass::text AS table FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
     WHERE a.attname = 'tenant_id' AND NOT a.attisdropped AND c.relkind IN ('r', 'p') AND NOT c.relispartition`,
  );
  const found: string[] = [];
  for (const { table } of rows) {
    const some = await owner.query(`SELECT FROM ${table} WHERE tenant_id = $1 LIMIT 1`, [tenantId]);
    if (some.rowCount !== 0) found.push(table);
  }
  const jobs = await owner.query(
    "SELECT FROM graphile_worker._private_jobs WHERE $1 IN (payload->>'tenantId', payload->>'ofTenant')",
    [tenantId],
  );
  if (jobs.rowCount !== 0) found.push('jobs');
  const ids = await owner.query('SELECT FROM identity.tenants WHERE id = $1', [tenantId]);
  if (ids.rowCount !== 0) found.push('identity.tenants');
  return found;
}
