import type pg from 'pg';
import { HOME } from '../../platform/cells/cell-config.ts';
import { KEPT_AT_HOME, type TenantTable } from '../../platform/cells/tables.ts';
import { CommandError } from '../operator.ts';
import { jsonOf } from './copied-rows.ts';
import type { Move } from './move-context.ts';
import { count, countByKey, digest, nextRows } from './table-sql.ts';

const KEYS_AT_ONCE = 2_000;

/**
 * Compares both databases within a snapshot of the source: every value of every row, or the numbers of rows.
 * @throws {CommandError} that names the table.
 */
export async function verify(move: Move, what: 'values' | 'numbers'): Promise<void> {
  for (const table of move.tables) {
    const sql = what === 'values' ? digest(table) : count(table);
    if (isShared(move, table)) {
      await verifyPresent(move, table);
      continue;
    }
    const [here, there] = [
      await one(move.snapshot, sql, move.tenantId),
      await one(move.target, sql, move.tenantId),
    ];
    if (here !== there) {
      throw await differing(
        move,
        table,
        `${table.name} differs: ${here} in ${move.from}, ${there} in ${move.to}. Nothing was switched. Run the command with --abort, then repeat it.`,
      );
    }
  }
}

/** The directory database has rows of its own there, so the others must be among them. */
function isShared({ to }: Move, { name }: TenantTable): boolean {
  return to === HOME && KEPT_AT_HOME.has(name);
}

async function verifyPresent(move: Move, table: TenantTable): Promise<void> {
  let last: string | null = null;
  for (;;) {
    const { rows }: pg.QueryResult<{ key: string }> = await move.snapshot.query(nextRows(table), [
      move.tenantId,
      last,
      KEYS_AT_ONCE,
    ]);
    const keys = jsonOf(rows.map(({ key }) => key));
    const present = await move.target.query<{ rows: number }>(countByKey(table), [
      move.tenantId,
      keys,
    ]);
    if (present.rows[0]?.rows !== rows.length) {
      throw await differing(
        move,
        table,
        `${table.name}: rows of ${move.from} are missing in ${move.to}. Nothing was switched.`,
      );
    }
    if (rows.length < KEYS_AT_ONCE) return;
    last = rows.at(-1)?.key ?? null;
  }
}

/** A table that differs although every change of its rows was copied. */
export class MonthsDiffer extends CommandError {
  readonly table: TenantTable;

  constructor(message: string, table: TenantTable) {
    super(message);
    this.table = table;
  }
}

/** Dropping a month of a partitioned table deletes rows without a trigger, so the move has no note of it. */
async function differing(
  { source }: Move,
  table: TenantTable,
  message: string,
): Promise<CommandError> {
  const { rows } = await source.query<{ partitioned: boolean }>(
    "SELECT relkind = 'p' AS partitioned FROM pg_class WHERE oid = format('public.%I', $1::text)::regclass",
    [table.name],
  );
  return rows[0]?.partitioned === true
    ? new MonthsDiffer(message, table)
    : new CommandError(message);
}

async function one(client: pg.Client, sql: string, tenantId: string): Promise<string> {
  const { rows } = await client.query<Record<string, string>>(sql, [tenantId]);
  const { rows: number = '', sum } = rows[0] ?? {};
  return sum === undefined ? `${number} rows` : `${number} rows with the sum ${sum}`;
}
