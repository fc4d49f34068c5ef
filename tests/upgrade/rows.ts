import type pg from 'pg';

/** One line of a recording: a row and its table. */
interface Line {
  readonly table: string;
  readonly row: string;
}

/** Tables in insertion order: referenced tables come first. `_prisma_migrations` is excluded. */
const TABLES = `
  SELECT format('%I.%I', n.nspname, c.relname) AS name,
         ARRAY(SELECT confrelid::regclass::text FROM pg_constraint
               WHERE conrelid = c.oid AND contype = 'f' AND confrelid <> c.oid) AS "needs",
         c.oid::regclass::text AS key
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname IN ('public', 'identity') AND c.relkind IN ('r', 'p') AND NOT c.relispartition
    AND c.relname <> '_prisma_migrations'
  ORDER BY 1`;

interface Table {
  readonly name: string;
  readonly key: string;
  readonly needs: readonly string[];
}

/**
 * The rows of all tables as newline-delimited JSON. Row-level security applies to the owner too, so it sets the tenant.
 */
export async function dumpRows(owner: pg.Client): Promise<string> {
  await actAsTenant(owner);
  const lines: string[] = [];
  for (const { name } of await tablesInOrder(owner)) {
    const { rows } = await owner.query<{ row: string }>(
      `SELECT to_jsonb(t)::text AS row FROM ${name} t ORDER BY 1`,
    );
    for (const { row } of rows) lines.push(`{"table":${JSON.stringify(name)},"row":${row}}`);
  }
  return `${lines.join('\n')}\n`;
}

/**
 * Inserts recorded rows into the tables of the release that wrote them.
 * @returns how many rows there are of each table.
 */
export async function loadRows(owner: pg.Client, text: string): Promise<Map<string, number>> {
  const byTable = new Map<string, string[]>();
  for (const { table, row } of text.trimEnd().split('\n').map(parsed)) {
    byTable.set(table, [...(byTable.get(table) ?? []), row]);
  }
  await owner.query('BEGIN');
  const counts = new Map<string, number>();
  for (const [table, rows] of byTable) {
    // Compared as text, because JSON.parse would round numbers above 2^53.
    await owner.query(
      `INSERT INTO ${table} SELECT * FROM jsonb_populate_recordset(NULL::${table}, $1)`,
      [`[${rows.join(',')}]`],
    );
    counts.set(table, rows.length);
    if (table === 'identity.tenants') await actAsTenant(owner);
  }
  await owner.query('COMMIT');
  return counts;
}

function parsed(line: string): Line {
  const [, table = '', row = ''] = /^\{"table":"([^"]+)","row":(.*)\}$/.exec(line) ?? [];
  return { table, row };
}

/** The recording has one tenant. */
async function actAsTenant(owner: pg.Client): Promise<void> {
  await owner.query(
    `SELECT set_config('app.tenant_id', id::text, false) FROM identity.tenants LIMIT 1`,
  );
}

async function tablesInOrder(owner: pg.Client): Promise<Table[]> {
  const waiting = (await owner.query<Table>(TABLES)).rows;
  const ordered: Table[] = [];
  while (waiting.length > 0) {
    const index = waiting.findIndex(({ needs }) =>
      needs.every((key) => !waiting.some((other) => other.key === key)),
    );
    const [next] = waiting.splice(index, 1);
    if (index === -1 || next === undefined) throw new Error('Foreign keys form a cycle.');
    ordered.push(next);
  }
  // The tenant is the first of the tables without references, because row-level security requires it.
  return ordered.toSorted((a, b) => Number(isTenants(b)) - Number(isTenants(a)));
}

function isTenants({ name }: Table): boolean {
  return name === 'identity.tenants';
}
