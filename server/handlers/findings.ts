import { findFinding, listFindings } from '../findings/finding-rows.ts';
import { findingView } from '../findings/finding-view.ts';
import { summarise } from '../findings/summary.ts';
import { idAfter, pageFrom } from '../pipeline/cursor.ts';
import type { HandlersOf } from '../pipeline/handler.ts';
import { notFound, ProblemError } from '../pipeline/problems.ts';

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

  async export() {
    throw new ProblemError('SERVICE_UNAVAILABLE', 'Not yet.');
  },

  async get({ input: { params }, db, origin }) {
    const row = await findFinding(db, params.id, origin.at);
    if (row === null) throw notFound();
    return { status: 200, body: findingView(row) };
  },
};
