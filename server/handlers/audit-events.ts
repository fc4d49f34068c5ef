import { auditView, newestEvents } from '../audit/audit-rows.ts';
import { exportEvents } from '../audit/export.ts';
import { idAfter, pageFrom } from '../pipeline/cursor.ts';
import type { HandlersOf } from '../pipeline/handler.ts';

export const auditEvents: HandlersOf<'auditEvents'> = {
  async list({ input: { query }, db }) {
    const { limit, cursor, ...filter } = query;
    const rows = await newestEvents(db, filter, { before: idAfter(cursor), limit: limit + 1 });
    return { status: 200, body: pageFrom(rows, limit, (row) => row.id, auditView) };
  },

  async export({ input: { query }, principal, services, origin }) {
    // What is written from now on is left out, or the end might never come.
    const isOver = query.to !== undefined && new Date(query.to) < origin.at;
    const to = isOver ? query.to : origin.at.toISOString();
    return {
      status: 200,
      stream: exportEvents(services.tenants, principal.tenant.id, { ...query, to }),
    };
  },
};
