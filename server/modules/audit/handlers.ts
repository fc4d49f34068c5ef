import { idAfter, pageFrom } from '../../platform/cursor.ts';
import type { TenantReads } from '../../platform/database/replica-reads.ts';
import type { TenantDatabase } from '../../platform/database/tenant-database.ts';
import type { HandlersOf } from '../../platform/handler.ts';
import { exportEvents } from './export.ts';
import { mergedEvents } from './merged-events.ts';
import { auditView, newestEvents } from './queries.ts';

interface AuditServices {
  readonly tenants: TenantDatabase;
  readonly identityTenants: TenantDatabase;
}

export const auditEvents: HandlersOf<'auditEvents', AuditServices> = {
  async list({ input: { query }, db, services }) {
    const { limit, cursor, ...filter } = query;
    const page = { before: idAfter(cursor), limit: limit + 1 };
    const rows = await newestEvents(db, filter, page);
    if (services.identityTenants !== services.tenants) {
      const others = await services.identityTenants.read(db.tenantId, (directory) =>
        newestEvents(directory, filter, page),
      );
      rows.splice(0, rows.length, ...mergedEvents([rows, others], page.limit, 'newest first'));
    }
    return { status: 200, body: pageFrom(rows, limit, (row) => row.id, auditView) };
  },

  async export({ input: { query }, principal, reads, services, origin }) {
    // Exclude events written during the export, or it might never end.
    const isOver = query.to !== undefined && new Date(query.to) < origin.at;
    const to = isOver ? query.to : origin.at.toISOString();
    return {
      status: 200,
      stream: exportEvents(databasesOf(services, reads), principal.tenant.id, { ...query, to }),
    };
  },
};

/** Events of operations on identities are in the directory database, which may have other rows of the tenant or not. */
function databasesOf(
  { tenants, identityTenants }: AuditServices,
  reads: TenantReads,
): readonly TenantReads[] {
  return tenants === identityTenants ? [reads] : [tenants, identityTenants];
}
