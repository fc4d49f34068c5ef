import { pageFrom } from '../../platform/cursor.ts';
import type { TenantDatabase } from '../../platform/database/tenant-database.ts';
import type { HandlersOf } from '../../platform/handler.ts';
import { notFound } from '../../platform/problem.ts';
import type { WebAddress } from '../../platform/web-address.ts';
import { exportFindings, exportHeaders } from './export.ts';
import { findingAfter, keyOfFinding } from './finding-cursor.ts';
import { fixOf } from './fix.ts';
import {
  type GroupRow,
  groupAfter,
  groupView,
  keyOfGroup,
  listGroups,
  ruleTitles,
} from './groups.ts';
import { type FindingRow, findFinding, listFindings } from './queries.ts';
import { withRulesOf } from './rule-filter.ts';
import { summarise } from './summary.ts';
import { findingView } from './view.ts';

interface FindingServices {
  readonly tenants: TenantDatabase;
  readonly web: WebAddress;
}

export const findings: HandlersOf<'findings', FindingServices> = {
  async list({ input: { query }, db, origin }) {
    const { limit, cursor, ...asked } = query;
    const { sort, ...filter } = asked;
    const page = { sort, after: findingAfter(cursor, asked), limit: limit + 1, now: origin.at };
    const rows = await listFindings(db, await withRulesOf(db, filter), page);
    const keyOf = (row: FindingRow) => keyOfFinding(row, asked);
    return { status: 200, body: pageFrom(rows, limit, keyOf, findingView) };
  },

  async summary({ input: { query }, db, origin }) {
    return { status: 200, body: await summarise(db, query, origin.at) };
  },

  async groups({ input: { query }, db, origin }) {
    const { limit, cursor, ...asked } = query;
    const page = { after: groupAfter(cursor, asked), limit: limit + 1, now: origin.at };
    const rows = await listGroups(db, asked, page);
    const titles = asked.by === 'rule' ? await ruleTitles(db) : new Map<string, string>();
    const keyOf = (row: GroupRow) => keyOfGroup(row, asked);
    const viewOf = (row: GroupRow) => groupView(row, asked.by, titles);
    return { status: 200, body: pageFrom(rows, limit, keyOf, viewOf) };
  },

  async export({ input: { query }, principal, reads, services, origin, pause }) {
    const { format, ...filter } = query;
    // A page of the console, because people follow the link from other tools.
    const ruleUri = (ruleId: string) =>
      services.web.page(`/console/rules/${encodeURIComponent(ruleId)}`);
    const asked = { format, filter, now: origin.at, ruleUri };
    return {
      status: 200,
      stream: exportFindings(reads, principal.tenant.id, asked, pause),
      headers: exportHeaders(format, origin.at),
    };
  },

  async get({ input: { params }, db, origin }) {
    const row = await findFinding(db, params.id, origin.at);
    if (row === null) throw notFound();
    return { status: 200, body: { ...findingView(row), ...(await fixOf(db, row, origin.at)) } };
  },
};
