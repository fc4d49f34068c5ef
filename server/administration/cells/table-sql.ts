import pg from 'pg';
import type { TenantTable } from '../../platform/cells/tables.ts';

const quoted = pg.escapeIdentifier;

/** Rows of the first batch of a table; later ones have about as many bytes as the next constant. */
export const FIRST_ROWS = 50;
const BATCH_BYTES = 4 * 1024 ** 2;

/** How many rows are read next, if they are as long as these. */
export function rowsOfBytes(rows: readonly string[], most: number): number {
  const bytes = rows.reduce((sum, row) => sum + row.length, 0) / rows.length;
  return rows.length === 0
    ? FIRST_ROWS
    : Math.min(most, Math.max(1, Math.round(BATCH_BYTES / bytes)));
}

const listOf = (columns: readonly string[], prefix = '') =>
  columns.map((column) => `${prefix}${quoted(column)}`).join(', ');

/** The key of a row as jsonb. `from` is what the columns are read from, such as `t`. */
export function keyOf({ key }: TenantTable, from: string): string {
  const members = key.map((column) => `${pg.escapeLiteral(column)}, ${from}.${quoted(column)}`);
  return `jsonb_build_object(${members.join(', ')})`;
}

/** Keys that are sent as JSON, joined to the table `t`. */
const keysJoined = ({ name, key }: TenantTable, parameter: string) =>
  `json_populate_recordset(NULL::public.${quoted(name)}, ${parameter}::json) k
   ON ${key.map((column) => `k.${quoted(column)} = t.${quoted(column)}`).join(' AND ') || 'true'}`;

const rowsOf = (table: TenantTable, selection: string) =>
  `SELECT row_to_json(b)::text AS row, ${keyOf(table, 'b')}::text AS key FROM (${selection}) b`;

/** $1 tenant, $2 the key of the last row or null, $3 how many. */
export function nextRows(table: TenantTable): string {
  const { name, columns, key } = table;
  const order = key.length === 0 ? '' : `ORDER BY ${listOf(key, 't.')}`;
  const after =
    key.length === 0
      ? '$2::json IS NULL'
      : `($2::json IS NULL OR (${listOf(key, 't.')}) >
          (SELECT ${listOf(key, 'l.')} FROM json_populate_record(NULL::public.${quoted(name)}, $2::json) l))`;
  return rowsOf(
    table,
    `SELECT ${listOf(columns, 't.')} FROM public.${quoted(name)} t
     WHERE t.tenant_id = $1 AND ${after} ${order} LIMIT $3`,
  );
}

/** $1 tenant, $2 keys. */
export function rowsByKey(table: TenantTable): string {
  return rowsOf(
    table,
    `SELECT ${listOf(table.columns, 't.')} FROM public.${quoted(table.name)} t JOIN ${keysJoined(table, '$2')}
     WHERE t.tenant_id = $1`,
  );
}

/** $1 tenant, $2 keys: those that exist. */
export function presentKeys(table: TenantTable): string {
  return `SELECT ${keyOf(table, 't')}::text AS key FROM public.${quoted(table.name)} t JOIN ${keysJoined(table, '$2')}
    WHERE t.tenant_id = $1`;
}

/** $1 rows. An older copy of a row is overwritten, except those that the directory database keeps for itself. */
export function upsert({ name, columns, key }: TenantTable, intoHome: boolean): string {
  const written = columns.filter((column) => column !== 'tenant_id' && !key.includes(column));
  const assignments = written.map((column) => `${quoted(column)} = EXCLUDED.${quoted(column)}`);
  const isKept = intoHome && name === 'audit_labels';
  const newer =
    intoHome && name === 'idempotency_records' ? 'WHERE t.expires_at <= EXCLUDED.expires_at' : '';
  return `INSERT INTO public.${quoted(name)} AS t (${listOf(columns)})
    SELECT ${listOf(columns)} FROM json_populate_recordset(NULL::public.${quoted(name)}, $1::json)
    ON CONFLICT (tenant_id${key.map((column) => `, ${quoted(column)}`).join('')})
    DO ${assignments.length === 0 || isKept ? 'NOTHING' : `UPDATE SET ${assignments.join(', ')} ${newer}`}`;
}

/** $1 tenant, $2 keys. */
export function deleteByKey(table: TenantTable): string {
  const join = keysJoined(table, '$2').replace(/\bON\b/, 'WHERE');
  return `DELETE FROM public.${quoted(table.name)} t USING ${join} AND t.tenant_id = $1`;
}

/** $1 tenant, $2 how many. */
export function deleteSome(table: TenantTable): string {
  const key = ['tenant_id', ...table.key];
  return `DELETE FROM public.${quoted(table.name)} WHERE tenant_id = $1 AND (${listOf(key)}) IN (
    SELECT ${listOf(key)} FROM public.${quoted(table.name)} WHERE tenant_id = $1 LIMIT $2)`;
}

/** $1 tenant: the number of rows, and a sum over the hashes of all their values. */
export function digest({ name, columns }: TenantTable): string {
  return `SELECT count(*)::text AS rows,
      COALESCE(sum(('x' || left(md5(json_build_array(${listOf(columns, 't.')})::text), 15))::bit(60)::bigint), 0)::text AS sum
    FROM public.${quoted(name)} t WHERE t.tenant_id = $1`;
}

/** $1 tenant. */
export function count({ name }: TenantTable): string {
  return `SELECT count(*)::text AS rows FROM public.${quoted(name)} WHERE tenant_id = $1`;
}

/** $1 tenant, $2 keys: how many of them exist. */
export function countByKey(table: TenantTable): string {
  return `SELECT count(*)::int AS rows FROM public.${quoted(table.name)} t JOIN ${keysJoined(table, '$2')}
    WHERE t.tenant_id = $1`;
}
