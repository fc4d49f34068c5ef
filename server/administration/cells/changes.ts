import type { TenantTable } from '../../platform/cells/tables.ts';
import { jsonOf, put, write } from './copied-rows.ts';
import { isConstraintViolation, type Move } from './move-context.ts';
import { deleteByKey, FIRST_ROWS, presentKeys, rowsByKey, rowsOfBytes } from './table-sql.ts';

const KEYS_AT_ONCE = 500;
const IDS_AT_ONCE = 10_000;

/** How many rows were written since the last pass, by their table, as of the snapshot. */
export async function changedTables({
  snapshot,
  tenantId,
}: Move): Promise<ReadonlyMap<string, number>> {
  const { rows } = await snapshot.query<{ relation: string; changed: number }>(
    `SELECT relation, count(DISTINCT key)::int AS changed FROM cells.changes
     WHERE tenant_id = $1 GROUP BY relation`,
    [tenantId],
  );
  return new Map(rows.map(({ relation, changed }) => [relation, changed]));
}

/**
 * Deleted rows first, children before parents; then existing rows, parents before children. A scan or an upload may have
 * written millions, so neither rows nor keys of all of them are in memory.
 * @throws {Error} of a constraint when rows of several moments are mixed.
 */
export async function applyChanges(move: Move, tables: readonly TenantTable[]): Promise<void> {
  for (const table of tables.toReversed()) await deleteGone(move, table);
  for (const table of tables) await copyExisting(move, table);
}

/** Removes the notes of the changes that the snapshot shows. Others may have earlier numbers. */
export async function forgetChanges(move: Move): Promise<void> {
  const ids = 'SELECT id::text AS item FROM cells.changes WHERE tenant_id = $1';
  for await (const page of fetched(move, ids, [move.tenantId], IDS_AT_ONCE)) {
    await move.source.query('DELETE FROM cells.changes WHERE id = ANY ($1::bigint[])', [page]);
  }
}

async function deleteGone(move: Move, table: TenantTable): Promise<void> {
  const { snapshot, target, tenantId } = move;
  for await (const asked of changedKeys(move, table)) {
    const { rows } = await snapshot.query<{ key: string }>(presentKeys(table), [
      tenantId,
      jsonOf(asked),
    ]);
    const found = new Set(rows.map(({ key }) => key));
    const gone = asked.filter((key) => !found.has(key));
    if (gone.length > 0) {
      await write(move, () => target.query(deleteByKey(table), [tenantId, jsonOf(gone)]));
    }
  }
}

/** A batch that is refused waits for the others, one of which may have the row that gives up a unique value. */
async function copyExisting(move: Move, table: TenantTable): Promise<void> {
  let most = FIRST_ROWS;
  const refused: string[][] = [];
  for await (const keys of changedKeys(move, table)) {
    for (let at = 0; at < keys.length; ) {
      const batch = keys.slice(at, at + most);
      at += batch.length;
      const rows = await rowsWith(move, table, batch);
      if ((await tryToPut(move, table, rows)) !== null) refused.push(batch);
      most = rowsOfBytes(rows, KEYS_AT_ONCE);
    }
  }
  for (let waiting = refused; waiting.length > 0; ) {
    const again: string[][] = [];
    let last: unknown = null;
    for (const batch of waiting) {
      const failure = await tryToPut(move, table, await rowsWith(move, table, batch));
      if (failure === null) continue;
      again.push(batch);
      last = failure;
    }
    if (again.length === waiting.length) throw last;
    waiting = again;
  }
}

async function rowsWith(
  { snapshot, tenantId }: Move,
  table: TenantTable,
  keys: readonly string[],
): Promise<readonly string[]> {
  const { rows } = await snapshot.query<{ row: string }>(rowsByKey(table), [
    tenantId,
    jsonOf(keys),
  ]);
  return rows.map(({ row }) => row);
}

/** @returns the error of a constraint that refused them; null: they are written. */
async function tryToPut(move: Move, table: TenantTable, rows: readonly string[]): Promise<unknown> {
  try {
    await write(move, () => put(move, table, rows));
    return null;
  } catch (error) {
    if (!isConstraintViolation(error)) throw error;
    return error;
  }
}

function changedKeys(move: Move, { name }: TenantTable): AsyncGenerator<string[]> {
  const keys = `SELECT DISTINCT key::text AS item FROM cells.changes WHERE tenant_id = $1 AND relation = $2`;
  return fetched(move, keys, [move.tenantId, name], KEYS_AT_ONCE);
}

/** Pages of the column `item` of a statement, in the snapshot. One statement at a time. */
async function* fetched(
  { snapshot }: Move,
  statement: string,
  values: readonly unknown[],
  most: number,
): AsyncGenerator<string[]> {
  await snapshot.query(`DECLARE changed NO SCROLL CURSOR FOR ${statement}`, [...values]);
  for (;;) {
    const { rows } = await snapshot.query<{ item: string }>(`FETCH ${most} FROM changed`);
    if (rows.length > 0) yield rows.map(({ item }) => item);
    if (rows.length < most) break;
  }
  await snapshot.query('CLOSE changed');
}
