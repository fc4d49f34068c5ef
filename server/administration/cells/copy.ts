import type { TenantTable } from '../../platform/cells/tables.ts';
import { applyChanges, changedTables, forgetChanges } from './changes.ts';
import { put, write } from './copied-rows.ts';
import { CopyConflict, isConstraintViolation, type Move } from './move-context.ts';
import { FIRST_ROWS, nextRows, rowsOfBytes } from './table-sql.ts';

const MAX_ROWS = 5_000;
/** A snapshot keeps Postgres from removing old row versions, so a long copy takes several. */
const SNAPSHOT_MS = 60_000;

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
  const { snapshot } = move;
  await snapshot.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  try {
    const changes = await changedTables(move);
    const progress = await progressOf(move);
    const isDue = ({ name }: TenantTable) => progress.has(name) && changes.has(name);
    await applyChanges(move, move.tables.filter(isDue));
    const complete = await copyRest(move, progress);
    if (complete) await check?.();
    await forgetChanges(move);
    await snapshot.query('COMMIT');
    const changed = [...changes.values()].reduce((sum, number) => sum + number, 0);
    return { changed, complete };
  } catch (error) {
    await snapshot.query('ROLLBACK').catch(() => undefined);
    throw isConstraintViolation(error)
      ? new CopyConflict('A copied row conflicts', { cause: error })
      : error;
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
      const texts = rows.map(({ row }) => row);
      await write(move, async () => {
        await put(move, table, texts);
        await move.target.query(NOTE, [tenantId, table.name, last, done]);
      });
      copied += rows.length;
      if (done) break;
      most = rowsOfBytes(texts, MAX_ROWS);
    }
    say(`${table.name}: ${copied} rows copied`);
  }
  return true;
}

const NOTE = `
  INSERT INTO cells.copied (tenant_id, relation, last, done) VALUES ($1, $2, $3::jsonb, $4)
  ON CONFLICT (tenant_id, relation) DO UPDATE SET last = EXCLUDED.last, done = EXCLUDED.done`;
