import type { TenantDatabase } from '../database/tenant-database.ts';
import { type AuditFilter, type AuditRow, auditView, oldestEvents } from './audit-rows.ts';

const PAGE = 500;

type Page = { readonly after: string | null; readonly limit: number };

/**
 * The audit trail of a tenant as NDJSON, the oldest event first, some hundred lines at a time. A connection is held for a
 * page and not for as long as a slow reader takes.
 */
export async function* exportEvents(
  tenants: TenantDatabase,
  tenantId: string,
  filter: AuditFilter,
): AsyncGenerator<string, void, undefined> {
  let after: string | null = null;
  for (;;) {
    const page: Page = { after, limit: PAGE };
    const rows: AuditRow[] = await tenants.read(tenantId, (db) => oldestEvents(db, filter, page));
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows.map((row) => `${JSON.stringify(auditView(row))}\n`).join('');
    if (rows.length < PAGE) return;
    after = last.id;
  }
}
