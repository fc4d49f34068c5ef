import { exportFindings, exportHeaders } from '../findings/export.ts';
import { findFinding, listFindings } from '../findings/finding-rows.ts';
import { findingView } from '../findings/finding-view.ts';
import { summarise } from '../findings/summary.ts';
import { idAfter, pageFrom } from '../pipeline/cursor.ts';
import type { HandlersOf } from '../pipeline/handler.ts';
import { notFound } from '../pipeline/problems.ts';

export const findings: HandlersOf<'findings'> = {
  async list({ input: { query }, db, origin }) {
    const { limit, cursor, ...filter } = query;
    const page = { before: idAfter(cursor), limit: limit + 1, now: origin.at };
    const rows = await listFindings(db, filter, page);
    return { status: 200, body: pageFrom(rows, limit, (row) => row.id, findingView) };
  },

  async summary({ input: { query }, db, origin }) {
    return { status: 200, body: await summarise(db, query.project, origin.at) };
  },

  async export({ input: { query }, principal, services, origin }) {
    const { format, ...filter } = query;
    const ruleUri = (ruleId: string) => services.web.page(`/rules/${encodeURIComponent(ruleId)}`);
    const asked = { format, filter, now: origin.at, ruleUri };
    return {
      status: 200,
      stream: exportFindings(services.tenants, principal.tenant.id, asked),
      headers: exportHeaders(format, origin.at),
    };
  },

  async get({ input: { params }, db, origin }) {
    const row = await findFinding(db, params.id, origin.at);
    if (row === null) throw notFound();
    return { status: 200, body: findingView(row) };
  },
};
