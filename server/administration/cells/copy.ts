import type pg from 'pg';
import { HOME } from '../../platform/cells/cell-config.ts';
import type { TenantTable } from '../../platform/cells/tables.ts';
import { CopyConflict, type Move, transaction } from './move-context.ts';
import { deleteByKey, nextRows, rowsByKey, upsert } from './table-sql.ts';

/** Rows of the first batch of a table; later ones have about as many bytes as the next constant. */
const FIRST_ROWS = 50;
const BATCH_BYTES = 4 * 1024 ** 2;
const MAX_ROWS = 5_000;
const KEYS_AT_ONCE = 500;
const IDS_AT_ONCE = 10_000;
/** A snapshot keeps Postgres from removing old row versions, so a long copy takes several. */
const SNAPSHOT_MS = 60_000;

const UNIQUE_VIOLATION = '23505';
const FOREIGN_KEY_VIOLATION = '23503';

interface Change {
  readonly relation: string;
  readonly key: string;
  readonly ids: readonly string[];
}

interface CopiedRow {
  readonly row: string;
  readonly key: string;
}

export interface Pass {
  /** Rows that had changed since the pass before. */
  readonly changed: number;
  /** Whether the target now has every row as of the snapshot. */
  readonly complete: boolean;
}

/**
 * Brings the target closer to the source as of one snapshot: first what was written since the last pass, in the tables
 * that are copied, then further rows of the others.
 * @param check runs within the snapshot when the target equals it.
 * @throws {CopyConflict}
 */
export async function pass(move: Move, check?: () => Promise<void>): Promise<Pass> {
  const { snapshot, source, tenantId } = move;
  await snapshot.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  try {
    const { rows: changes } = await snapshot.query<Change>(
      `SELECT relation, key::text AS key, array_agg(id::text) AS ids FROM cells.changes
       WHERE tenant_id = $1 GROUP BY relation, key`,
      [tenantId],
    );
    const progress = await progressOf(move);
    await applyChanges(
      move,
      changes.filter(({ relation }) => progress.has(relation)),
    );
    const complete = await copyRest(move, progress);
    if (complete) await check?.();
    await snapshot.query('COMMIT');
    // Only those that were seen: others may have earlier numbers.
    const seen = changes.flatMap(({ ids }) => ids);
    for (let at = 0; at < seen.length; at += IDS_AT_ONCE) {
      await source.query('DELETE FROM cells.changes WHERE id = ANY ($1::bigint[])', [
        seen.slice(at, at + IDS_AT_ONCE),
      ]);
    }
    return { changed: changes.length, complete };
  } catch (error) {
    await snapshot.query('ROLLBACK').catch(() => undefined);
    throw isConflict(error) ? new CopyConflict('A copied row conflicts', { cause: error }) : error;
  }
}

type Progress = Map<string, { readonly last: string | null; readonly done: boolean }>;

async function progressOf({ target, tenantId }: Move): Promise<Progress> {
  const { rows } = await target.query<{ relation: string; last: string | null; done: boolean }>(
    'SELECT relation, last::text AS last, done FROM cells.copied WHERE tenant_id = $1',
    [tenantId],
  );
  return new Map(rows.map(({ relation, ...rest }) => [relation, rest]));
}

/** Deleted rows first, children before parents; then existing rows, parents before children. */
async function applyChanges(move: Move, changes: readonly Change[]): Promise<void> {
  const { snapshot, target, tenantId, tables } = move;
  const existing = new Map<TenantTable, string[][]>();
  for (const table of tables.toReversed()) {
    const keys = changes.filter(({ relation }) => relation === table.name).map(({ key }) => key);
    for (let at = 0; at < keys.length; at += KEYS_AT_ONCE) {
      const asked = keys.slice(at, at + KEYS_AT_ONCE);
      const { rows } = await snapshot.query<CopiedRow>(rowsByKey(table), [tenantId, jsonOf(asked)]);
      const found = new Set(rows.map(({ key }) => key));
      const gone = asked.filter((key) => !found.has(key));
      if (gone.length > 0) {
        await write(move, () => target.query(deleteByKey(table), [tenantId, jsonOf(gone)]));
      }
      existing.set(table, [...(existing.get(table) ?? []), rows.map(({ row }) => row)]);
    }
  }
  for (const table of tables) {
    for (const rows of existing.get(table) ?? []) await write(move, () => put(move, table, rows));
  }
}

/** Copies tables that are not complete, until the snapshot is old. */
async function copyRest(move: Move, progress: Progress): Promise<boolean> {
  const { snapshot, tenantId, tables, say } = move;
  const until = performance.now() + SNAPSHOT_MS;
  for (const table of tables) {
    const earlier = progress.get(table.name);
    if (earlier?.done === true) continue;
    let [last, most, copied] = [earlier?.last ?? null, FIRST_ROWS, 0];
    for (;;) {
      if (performance.now() > until) return false;
      const { rows } = await snapshot.query<CopiedRow>(nextRows(table), [tenantId, last, most]);
      const done = rows.length < most;
      last = rows.at(-1)?.key ?? last;
      await write(move, async () => {
        await put(
          move,
          table,
          rows.map(({ row }) => row),
        );
        await move.target.query(NOTE, [tenantId, table.name, last, done]);
      });
      copied += rows.length;
      if (done) break;
      const bytes = rows.reduce((sum, { row }) => sum + row.length, 0) / rows.length;
      most = Math.min(MAX_ROWS, Math.max(1, Math.round(BATCH_BYTES / bytes)));
    }
    say(`${table.name}: ${copied} rows copied`);
  }
  return true;
}

/** What is due must not become visible in the target before the tenant is there. */
async function write(move: Move, work: () => Promise<unknown>): Promise<void> {
  await transaction(move.target, async () => {
    await work();
    await move.target.query('SELECT cells.rebuild_dues($1, false)', [move.tenantId]);
  });
}

/**
 * Unique constraints are checked row by row, so a row is written after the row that gives up its unique value.
 * @throws {Error} when rows exchanged unique values, which only a new copy resolves.
 */
async function put(
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
    if (!isConflict(error)) throw error;
    await client.query('ROLLBACK TO SAVEPOINT put');
    return error;
  }
}

function isConflict(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  return code === UNIQUE_VIOLATION || code === FOREIGN_KEY_VIOLATION;
}

/** Rows are JSON texts already, and stay as Postgres wrote them. */
export function jsonOf(texts: readonly string[]): string {
  return `[${texts.join(',')}]`;
}

const NOTE = `
  INSERT INTO cells.copied (tenant_id, relation, last, done) VALUES ($1, $2, $3::jsonb, $4)
  ON CONFLICT (tenant_id, relation) DO UPDATE SET last = EXCLUDED.last, done = EXCLUDED.done`;
