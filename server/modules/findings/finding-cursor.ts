import { idAfter, keyFor, positionAfter, UUID } from '../../platform/cursor.ts';
import { type FindingFilter, SEVERITIES } from './finding-filter.ts';
import type { FindingPosition, FindingSort } from './finding-page.ts';
import type { FindingRow } from './queries.ts';
import type { RuleFilter } from './rule-filter.ts';

/** What decides the order and the content of a list of findings. */
export type FindingQuery = FindingFilter & RuleFilter & { readonly sort: FindingSort };

/**
 * The finding after which a page begins. By default a cursor is an id, which has the same meaning under every filter; in
 * another order it also names the sort key, and is valid for its own query alone.
 * @throws {ProblemError} VALIDATION_FAILED for a cursor of another query, or one that we did not make.
 */
export function findingAfter(
  cursor: string | undefined,
  query: FindingQuery,
): FindingPosition | null {
  if (query.sort === 'newest') {
    const id = idAfter(cursor);
    return id === null ? null : { id, key: '' };
  }
  const isKey = query.sort === 'severity' ? isSeverity : isTimestamp;
  const position = positionAfter(
    cursor,
    query,
    (parts): parts is readonly [string, string] =>
      parts.length === 2 && UUID.test(`${parts[1]}`) && isKey(`${parts[0]}`),
  );
  return position && { key: position[0], id: position[1] };
}

/** The key of the cursor of a page that ends with the finding. */
export function keyOfFinding(row: FindingRow, query: FindingQuery): string {
  if (query.sort === 'newest') return row.id;
  const key = query.sort === 'severity' ? row.severity : row.last_seen_at.toISOString();
  return keyFor(query, [key, row.id]);
}

const isSeverity = (key: string) => SEVERITIES.includes(key);

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Whether it is a time as `keyOfFinding` writes it. Postgres has no year 0. */
function isTimestamp(key: string): boolean {
  if (!TIMESTAMP.test(key) || key.startsWith('0000')) return false;
  const time = new Date(key);
  return !Number.isNaN(time.getTime()) && time.toISOString() === key;
}
