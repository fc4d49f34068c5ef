import { complianceReport } from '@cspm/scanner';
import { actorOf } from '../../platform/audit-writer.ts';
import { idAfter, pageFrom, wholeList } from '../../platform/cursor.ts';
import { pausingReads } from '../../platform/database/pausing-reads.ts';
import type { TenantConnection, TenantDatabase } from '../../platform/database/tenant-database.ts';
import type { HandlersOf } from '../../platform/handler.ts';
import { newId } from '../../platform/ids.ts';
import { notFound, ProblemError } from '../../platform/problem.ts';
import type { Authenticator } from '../auth/index.ts';
import { stillStands } from '../auth/index.ts';
import { countChanges, findingView, listChanges } from '../findings/index.ts';
import { reportHeaders, writeReport } from '../reports/index.ts';
import type { TenantDirectory } from '../tenants/index.ts';
import { comparisonOf, demandCompleted } from './comparison.ts';
import { blockersOf, runPreflight } from './preflight.ts';
import { findScan, insertScan, listScans, type ScanRow } from './queries.ts';
import { type RuleCount, ruleCountsOf } from './rule-counts.ts';
import { cancelScan } from './scan-end.ts';
import type { ScanFeeds } from './scan-events.ts';
import { reportOf } from './scan-report.ts';
import { scanView } from './view.ts';

interface ScanServices {
  readonly tenants: TenantDatabase;
  readonly scanFeeds: ScanFeeds;
  readonly authenticator: Authenticator;
  readonly directory: TenantDirectory;
}

export const scans: HandlersOf<'scans', ScanServices> = {
  async list({ input: { query }, db }) {
    const { limit, cursor, ...filter } = query;
    const rows = await listScans(db, { ...filter, before: idAfter(cursor), limit: limit + 1 });
    return { status: 200, body: pageFrom(rows, limit, (row) => row.id, scanView) };
  },

  async launch({ input: { body }, principal, db, origin, remaining, audit }) {
    const { permissions } = principal;
    const caller = { permissions, launchesLeft: await remaining('scans') };
    const report = await runPreflight(db, body, caller, origin.at, { expiring: 'skipped' });
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
    return { status: 200, body: wholeList(await countsOf(db, params.id)) };
  },

  async compliance({ input: { params, query }, db }) {
    const report = complianceReport(query.framework, await countsOf(db, params.id));
    return { status: 200, body: { ...report, scan: params.id } };
  },

  async report({ input: { params, query }, principal, reads, origin, pause }) {
    const { tenant } = principal;
    const scan = await reads.read(tenant.id, (db) => find(db, params.id));
    demandCompleted(scan);
    const { format, framework } = query;
    const asked = { tenant, scan, framework, now: origin.at };
    return {
      status: 200,
      stream: writeReport(format, () => reportOf(pausingReads(reads, pause), asked)),
      headers: reportHeaders(format, origin.at),
    };
  },

  async compare({ input: { params, query }, db, origin }) {
    const scan = await find(db, params.id);
    const earlier = await find(db, query.with);
    const { projects, comparison } = await comparisonOf(db, scan, earlier);
    const { with: _, limit, cursor, counts: isCounted, ...filter } = query;
    const before = idAfter(cursor);
    const page = { before, limit: limit + 1, now: origin.at };
    const rows = await listChanges(db, comparison, filter, page);
    const counts = isCounted && before === null ? await countChanges(db, comparison, filter) : null;
    return {
      status: 200,
      body: {
        scan: sideView(scan),
        with: sideView(earlier),
        projects: [...projects],
        ruleSetChanged: scan.profile_digest !== earlier.profile_digest,
        counts,
        ...pageFrom(
          rows,
          limit,
          ({ finding }) => finding.id,
          ({ change, finding }) => ({ change, finding: findingView(finding) }),
        ),
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

/** Prevents proxies from buffering events. Closing the connection after the stream lets the server drain. */
const STREAM_HEADERS = { 'X-Accel-Buffering': 'no', Connection: 'close' };

async function countsOf(db: TenantConnection, scanId: string): Promise<RuleCount[]> {
  const counts = await ruleCountsOf(db, scanId);
  if (counts === null) throw notFound();
  return counts;
}

function sideView({ id, profile, created_at: createdAt }: ScanRow) {
  return { id, profile, createdAt: createdAt.toISOString() };
}

async function find(db: TenantConnection, id: string): Promise<ScanRow> {
  const scan = await findScan(db, id);
  if (scan === null) throw notFound();
  return scan;
}
