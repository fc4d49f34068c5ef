import { idAfter, pageFrom } from '../../platform/cursor.ts';
import type { TenantDatabase } from '../../platform/database/tenant-database.ts';
import type { HandlersOf } from '../../platform/handler.ts';
import { exportEvents } from './export.ts';
import { auditView, newestEvents } from './queries.ts';

interface AuditServices {
  readonly tenants: TenantDatabase;
}

export const auditEvents: HandlersOf<'auditEvents', AuditServices> = {
  async list({ input: { query }, db }) {
    const { limit, cursor, ...filter } = query;
    const rows = await newestEvents(db, filter, { before: idAfter(cursor), limit: limit + 1 });
    return { status: 200, body: pageFrom(rows, limit, (row) => row.id, auditView) };
  },

  async export({ input: { query }, principal, reads, origin }) {
    // Exclude events written during the export, or it might never end.
    const isOver = query.to !== undefined && new Date(query.to) < origin.at;
    const to = isOver ? query.to : origin.at.toISOString();
    return {
      status: 200,
      stream: exportEvents(reads, principal.tenant.id, { ...query, to }),
    };
  },
};
