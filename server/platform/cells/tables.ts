import type pg from 'pg';

/** A table of tenants' rows, as the catalogue of a database describes it. */
export interface TenantTable {
  readonly name: string;
  readonly columns: readonly string[];
  /** The columns of its primary key besides `tenant_id`, in order; empty: one row a tenant. */
  readonly key: readonly string[];
  /** Tables of tenants that its foreign keys refer to. */
  readonly refersTo: readonly string[];
}

/**
 * Tables that the directory database keeps writing for a tenant elsewhere, with what operations on identities record.
 * They are copied like all others, but rows stay there and may differ.
 */
export const KEPT_AT_HOME: ReadonlySet<string> = new Set([
  'audit_events',
  'audit_labels',
  'idempotency_records',
]);

/** What is due, in the schema `jobs`: rebuilt from the tenant's rows by cells.rebuild_dues, never copied. */
export const REBUILT: readonly string[] = [
  'jobs.digest_dues',
  'jobs.schedule_dues',
  'jobs.webhook_dues',
  'jobs.webhook_failing',
];

/** Not moved: the order of a tenant's turns starts again. */
export const LEFT_BEHIND: readonly string[] = ['jobs.turns', 'jobs.mail_turns'];

/**
 * All tables of the schema `public` with a tenant, those that others refer to first.
 * @throws {Error} for a table whose primary key does not begin with the tenant, which could not be moved.
 */
export async function tenantTables(client: pg.ClientBase): Promise<TenantTable[]> {
  const { rows } = await client.query<TenantTable>(TABLES);
  for (const { name, key } of rows) {
    if (key[0] !== 'tenant_id') {
      throw new Error(
        `The primary key of ${name} does not begin with tenant_id, so its rows cannot be moved.`,
      );
    }
  }
  return inOrder(rows.map((table) => ({ ...table, key: table.key.slice(1) })));
}

function inOrder(tables: readonly TenantTable[]): TenantTable[] {
  const ordered: TenantTable[] = [];
  const rest = new Set(tables);
  while (rest.size > 0) {
    const placed = new Set(ordered.map(({ name }) => name));
    const next = [...rest].filter(({ name, refersTo }) =>
      refersTo.every((other) => other === name || placed.has(other)),
    );
    if (next.length === 0) throw new Error('Foreign keys of tables of tenants form a cycle.');
    for (const table of next) {
      ordered.push(table);
      rest.delete(table);
    }
  }
  return ordered;
}

/**
 * Rows go before those that they refer to, so no foreign key deletes more than a batch. Tables that no other refers to
 * are first: triggers of projects and inventories delete rows of some of them, which are then gone already.
 */
export function inDeletionOrder(tables: readonly TenantTable[]): TenantTable[] {
  const referredTo = new Set(
    tables.flatMap(({ name, refersTo }) => refersTo.filter((other) => other !== name)),
  );
  const reversed = tables.toReversed();
  return [
    ...reversed.filter(({ name }) => !referredTo.has(name)),
    ...reversed.filter(({ name }) => referredTo.has(name)),
  ];
}

const TABLES = `
  SELECT c.relname AS name,
    ARRAY(
      SELECT a.attname::text FROM pg_attribute a
      WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '' ORDER BY a.attnum
    ) AS columns,
    ARRAY(
      SELECT a.attname::text FROM pg_index i
      CROSS JOIN unnest(i.indkey::int2[]) WITH ORDINALITY AS place (attnum, at)
      JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = place.attnum
      WHERE i.indrelid = c.oid AND i.indisprimary ORDER BY place.at
    ) AS key,
    ARRAY(
      SELECT DISTINCT r.relname::text FROM pg_constraint k JOIN pg_class r ON r.oid = k.confrelid
      WHERE k.conrelid = c.oid AND k.contype = 'f' AND r.relnamespace = 'public'::regnamespace
    ) AS "refersTo"
  FROM pg_class c
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
    AND EXISTS (
      SELECT 1 FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'tenant_id' AND NOT a.attisdropped
    )
  ORDER BY c.relname`;
