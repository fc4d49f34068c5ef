import { complianceReport } from '@cspm/scanner';
import type { TenantConnection } from '../database/tenant-database.ts';
import { newId } from '../ids.ts';
import { actorOf } from '../pipeline/audit.ts';
import { idAfter, pageFrom, wholeList } from '../pipeline/cursor.ts';
import type { HandlersOf } from '../pipeline/handler.ts';
import { notFound, ProblemError } from '../pipeline/problems.ts';
import { stillStands } from '../pipeline/standing.ts';
import { blockersOf, runPreflight } from '../scans/preflight.ts';
import { type RuleCount, ruleCountsOf } from '../scans/rule-counts.ts';
import { cancelScan } from '../scans/scan-end.ts';
import { findScan, insertScan, listScans, type ScanRow } from '../scans/scan-rows.ts';
import { scanView } from '../scans/scan-view.ts';

export const scans: HandlersOf<'scans'> = {
  async list({ input: { query }, db }) {
    const { limit, cursor, ...filter } = query;
    const rows = await listScans(db, { ...filter, before: idAfter(cursor), limit: limit + 1 });
    return { status: 200, body: pageFrom(rows, limit, (row) => row.id, scanView) };
  },

  async launch({ input: { body }, principal, db, origin, remaining, audit }) {
    const { permissions } = principal;
    const caller = { permissions, launchesLeft: await remaining('scans') };
    const report = await runPreflight(db, body, caller, origin.at);
    const blockers = blockersOf(report);
    const { ruleset } = report;
    if (blockers.length > 0 || ruleset === null) {
      throw new ProblemError('PREFLIGHT_BLOCKED', blockers.map((b) => b.message).join(' '), {
        members: { checks: blockers },
      });
    }
    const { kind, id: userId, label } = actorOf(principal);
    const id = newId();
    await insertScan(db, {
      id,
      ruleset,
      createdBy: { kind, id: userId, label: label ?? '' },
      createdAt: origin.at,
      projects: report.projects.flatMap((p) => (p.id === null ? [] : [{ id: p.id, name: p.name }])),
    });
    audit({ subject: id, detail: { profile: ruleset.profile, projects: report.projects.length } });
    return {
      status: 202,
      body: scanView(await find(db, id)),
      headers: { Location: `/scans/${id}` },
    };
  },

  async get({ input: { params }, db }) {
    return { status: 200, body: scanView(await find(db, params.id)) };
  },

  async rules({ input: { params }, db }) {
    const counts = await ruleCountsOf(db, await find(db, params.id));
    return { status: 200, body: wholeList(counts.map(ruleCountView)) };
  },

  async compliance({ input: { params, query }, db }) {
    const scan = await find(db, params.id);
    const counts = (await ruleCountsOf(db, scan)).map(ruleCountView);
    const { framework, summary, requirements } = complianceReport(query.framework, counts);
    return {
      status: 200,
      body: {
        framework,
        scan: scan.id,
        summary: { ...summary },
        requirements: requirements.map(({ rules, ...requirement }) => ({
          ...requirement,
          rules: [...rules],
        })),
      },
    };
  },

  async cancel({ input: { params }, db, origin, audit }) {
    const { id } = await find(db, params.id);
    const cancelled = await cancelScan(db, id, origin.at);
    const scan = await find(db, id);
    audit({ subject: id, detail: cancelled ? {} : { already: scan.status } });
    return { status: 202, body: scanView(scan) };
  },

  async events({ input: { params }, principal, services, upload }) {
    const tenantId = principal.tenant.id;
    const scan = await services.tenants.read(tenantId, (db) => find(db, params.id));
    const after = upload.headers['last-event-id'];
    const stream = services.scanFeeds.follow({
      tenantId,
      scan,
      after: typeof after === 'string' ? Number(after) : null,
      mayGoOn: () => stillStands(upload.headers, { tenantId, permission: 'scans.read' }, services),
      isGone: () => upload.socket.destroyed,
    });
    return { status: 200, stream, headers: STREAM_HEADERS };
  },
};

/** Nobody on the way is to hold events back; and a connection that ends with its stream is not in the way of a drain. */
const STREAM_HEADERS = { 'X-Accel-Buffering': 'no', Connection: 'close' };

function ruleCountView({ missing, ...count }: RuleCount) {
  return { ...count, missing: [...missing] };
}

async function find(db: TenantConnection, id: string): Promise<ScanRow> {
  const scan = await findScan(db, id);
  if (scan === null) throw notFound();
  return scan;
}
