import type { TenantReads } from '../../platform/database/replica-reads.ts';
import { mergedEvents } from './merged-events.ts';
import { type AuditFilter, type AuditRow, auditView, oldestEvents } from './queries.ts';

const PAGE = 500;
/** Events that are formatted in one turn of the event loop. The consumer pauses between them. */
const SLICE = 50;

type Page = { readonly after: string | null; readonly limit: number };

/**
 * Exports a tenant's audit trail as NDJSON, oldest event first. It reads page by page, so a slow client holds no
 * database connection.
 * @param databases where events of the tenant are.
 */
export async function* exportEvents(
  databases: readonly TenantReads[],
  tenantId: string,
  filter: AuditFilter,
): AsyncGenerator<string, void, undefined> {
  let after: string | null = null;
  for (;;) {
    const page: Page = { after, limit: PAGE };
    const found: AuditRow[][] = [];
    for (const reads of databases) {
      found.push(await reads.read(tenantId, (db) => oldestEvents(db, filter, page)));
    }
    const rows = mergedEvents(found, PAGE, 'oldest first');
    const last = rows.at(-1);
    if (last === undefined) return;
    for (let at = 0; at < rows.length; at += SLICE) {
      const slice = rows.slice(at, at + SLICE);
      yield slice.map((row) => `${JSON.stringify(auditView(row))}\n`).join('');
    }
    if (rows.length < PAGE) return;
    after = last.id;
  }
}
