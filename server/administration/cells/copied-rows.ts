import type pg from 'pg';
import { HOME } from '../../platform/cells/cell-config.ts';
import type { TenantTable } from '../../platform/cells/tables.ts';
import { isConstraintViolation, type Move, transaction } from './move-context.ts';
import { upsert } from './table-sql.ts';

/** What is due must not become visible in the target before the tenant is there. */
export async function write(move: Move, work: () => Promise<unknown>): Promise<void> {
  await transaction(move.target, async () => {
    await work();
    await move.target.query('SELECT cells.rebuild_dues($1, false)', [move.tenantId]);
  });
}

/**
 * Unique constraints are checked row by row, so a row is written after the row that gives up its unique value.
 * @throws {Error} when rows exchanged unique values, which only a new copy resolves.
 */
export async function put(
  { target, to }: Move,
  table: TenantTable,
  rows: readonly string[],
): Promise<void> {
  if (rows.length === 0) return;
  const statement = upsert(table, to === HOME);
  const first = await tried(target, statement, rows);
  if (first === null) return;
  let waiting = rows;
  for (let error: unknown = first; waiting.length > 0; ) {
    const refused: string[] = [];
    for (const row of waiting) {
      const failure = await tried(target, statement, [row]);
      if (failure !== null) {
        refused.push(row);
        error = failure;
      }
    }
    if (refused.length === waiting.length) throw error;
    waiting = refused;
  }
}

async function tried(
  client: pg.Client,
  statement: string,
  rows: readonly string[],
): Promise<unknown> {
  await client.query('SAVEPOINT put');
  try {
    await client.query(statement, [jsonOf(rows)]);
    await client.query('RELEASE SAVEPOINT put');
    return null;
  } catch (error) {
    if (!isConstraintViolation(error)) throw error;
    await client.query('ROLLBACK TO SAVEPOINT put');
    return error;
  }
}

/** Rows are JSON texts already, and stay as Postgres wrote them. */
export function jsonOf(texts: readonly string[]): string {
  return `[${texts.join(',')}]`;
}
