import type { Statement, TenantConnection } from '../../platform/database/tenant-database.ts';
import { AFTER_ALL_IDS } from '../../platform/ids.ts';
import {
  betweenOf,
  type Change,
  type ChangeFilter,
  type Comparison,
  changedOf,
  sureChange,
} from './compare.ts';
import { StatementParts } from './finding-filter.ts';
import { type ScanMoment, seenBy } from './matching.ts';
import { type FindingRow, findingsOfIds } from './queries.ts';

export interface ComparedRow {
  readonly change: Change;
  readonly finding: FindingRow;
}

/** Newest first. */
export interface ChangePage {
  /** The id before which the page begins; null: the first page. */
  readonly before: string | null;
  readonly limit: number;
  readonly now: Date;
}

/**
 * Rows of each scan that are compared at once: few, because a page is full after a few rows unless what is asked for is
 * rare. Constants in the text, because Postgres plans for a tenth of all rows when LIMIT is a parameter.
 */
const BLOCKS = [1_000, 10_000, 100_000];

/** A page of the findings that changed as asked. It reads the scans block by block until the page is full. */
export async function listChanges(
  db: TenantConnection,
  comparison: Comparison,
  filter: ChangeFilter,
  { before, limit, now }: ChangePage,
): Promise<ComparedRow[]> {
  const found: { id: string; change: string }[] = [];
  let reached = before;
  for (let block = 0; found.length < limit; block = Math.min(block + 1, BLOCKS.length - 1)) {
    const size = BLOCKS[block] ?? 0;
    const range = { before: reached, size, limit: limit - found.length };
    const { statement, values } = blockQuery(db.tenantId, comparison, filter, range);
    const rows = await db.sql<BlockRow>(statement, values);
    found.push(...rows.flatMap(({ id, change }) => (id && change ? [{ id, change }] : [])));
    reached = rows[0]?.reached ?? null;
    if (reached === null) break;
  }
  const ids = found.map(({ id }) => id);
  const findings = new Map((await findingsOfIds(db, ids, now)).map((row) => [row.id, row]));
  return found.flatMap(({ id, change }) => {
    const finding = findings.get(id);
    return finding === undefined ? [] : [{ change: change as Change, finding }];
  });
}

/** Every row has `reached`: the id from which the scans have been compared, or null when nothing is left. */
interface BlockRow {
  reached: string | null;
  id: string | null;
  change: string | null;
}

/** Not prepared: there are very many forms. */
export function blockQuery(
  tenantId: string,
  comparison: Comparison,
  filter: ChangeFilter,
  range: { readonly before: string | null; readonly size: number; readonly limit: number },
): { readonly statement: Statement; readonly values: readonly unknown[] } {
  const parts = new StatementParts(tenantId);
  const before = `${parts.placeholder(range.before ?? AFTER_ALL_IDS)}::uuid`;
  const { size } = range;
  const seen = (scan: ScanMoment) => `
    SELECT sf.finding_id AS id, sf.delta FROM scan_findings sf
    WHERE ${seenBy(parts, scan)} AND sf.finding_id < ${before}
    ORDER BY sf.finding_id DESC LIMIT ${size}`;
  // The last row of a full block. Both scans are complete down to the greater one of these ids.
  const last = (table: string) =>
    `(SELECT id FROM ${table} ORDER BY id DESC OFFSET ${size - 1} LIMIT 1)`;
  const text = `
    WITH later AS MATERIALIZED (${seen(comparison.later)}),
    earlier AS MATERIALIZED (${seen(comparison.earlier)}),
    reached AS MATERIALIZED (SELECT GREATEST(${last('later')}, ${last('earlier')}) AS id),
    ${betweenOf(parts, comparison)},
    compared AS (
      SELECT id, ${sureChange} AS sure, later.delta AS later, earlier.delta AS earlier
      FROM later FULL JOIN earlier USING (id)
      WHERE id >= (SELECT r.id FROM reached r) OR (SELECT r.id FROM reached r) IS NULL
      ORDER BY id DESC OFFSET 0
    )
    SELECT reached.id AS reached, page.id, page.change
    FROM reached LEFT JOIN LATERAL (
      ${changedOf(parts, comparison, filter, ['project', 'severity', 'rule'])}
      LIMIT ${parts.placeholder(range.limit)}
    ) page ON true
    ORDER BY page.id DESC`;
  return { statement: { name: '', reason: 'set', text }, values: parts.values };
}
