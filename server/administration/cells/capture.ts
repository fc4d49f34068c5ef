import pg from 'pg';
import { withTableLock } from '../../platform/cells/guards.ts';
import type { Move } from './move-context.ts';
import { keyOf } from './table-sql.ts';

const nameOf = (tenantId: string) => `cell_capture_${tenantId.replaceAll('-', '')}`;

/**
 * Makes the source record the key of every row of the tenant that any connection writes. A write to another tenant costs
 * one comparison. Each statement waits for running writes to its table, so no write is missed.
 */
export async function startCapture({ source, tenantId, tables }: Move): Promise<void> {
  const name = nameOf(tenantId);
  const { rows } = await source.query<{ table: string }>(
    `SELECT c.relname AS table FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
     WHERE t.tgname = $1 AND c.relnamespace = 'public'::regnamespace`,
    [`${name}_d`],
  );
  const captured = new Set(rows.map(({ table }) => table));
  const tenant = pg.escapeLiteral(tenantId);
  for (const table of tables.filter((one) => !captured.has(one.name))) {
    const given = [tenantId, table.name, keyOf(table, '($1)')].map((text) =>
      pg.escapeLiteral(text),
    );
    const trigger = (suffix: string, events: string, row: string) =>
      `CREATE OR REPLACE TRIGGER ${name}_${suffix} AFTER ${events} ON public.${pg.escapeIdentifier(table.name)}
       FOR EACH ROW WHEN (${row}.tenant_id = ${tenant}) EXECUTE FUNCTION cells.capture(${given.join(', ')})`;
    await withTableLock(source, [
      trigger('w', 'INSERT OR UPDATE', 'NEW'),
      trigger('d', 'DELETE', 'OLD'),
    ]);
  }
}

export async function endCapture({ source, tenantId, tables }: Move): Promise<void> {
  const name = nameOf(tenantId);
  for (const table of tables) {
    const on = `ON public.${pg.escapeIdentifier(table.name)}`;
    await withTableLock(source, [
      `DROP TRIGGER IF EXISTS ${name}_w ${on}`,
      `DROP TRIGGER IF EXISTS ${name}_d ${on}`,
    ]);
  }
  await source.query('DELETE FROM cells.changes WHERE tenant_id = $1', [tenantId]);
}
