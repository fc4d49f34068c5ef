import type { AuditRow } from './queries.ts';

/**
 * Merges the first events of several databases. An event that is in two of them, because its
 * tenant has just moved, counts once.
 */
export function mergedEvents(
  found: readonly (readonly AuditRow[])[],
  limit: number,
  order: 'newest first' | 'oldest first',
): AuditRow[] {
  if (found.length === 1) return [...(found[0] ?? [])];
  const byId = new Map(found.flat().map((row) => [row.id, row]));
  const rows = [...byId.values()].sort((one, other) => (one.id < other.id ? -1 : 1));
  if (order === 'newest first') rows.reverse();
  return rows.slice(0, limit);
}
