import { resolveProfile } from '@cspm/scanner';
import type { TenantConnection } from '../database/tenant-database.ts';
import { newId } from '../ids.ts';
import { actorOf } from '../pipeline/audit.ts';
import { idAfter, pageFrom, wholeList } from '../pipeline/cursor.ts';
import type { HandlersOf } from '../pipeline/handler.ts';
import { notFound, ProblemError } from '../pipeline/problems.ts';
import { blockersOf, runPreflight } from '../scans/preflight.ts';
import { findScan, insertScan, listScans, type ScanRow } from '../scans/scan-rows.ts';
import { scanView } from '../scans/scan-view.ts';

export const scans: HandlersOf<'scans'> = {
  async list({ input: { query }, db }) {
    const { limit, cursor, ...filter } = query;
    const rows = await listScans(db, { ...filter, before: idAfter(cursor), limit: limit + 1 });
    return { status: 200, body: pageFrom(rows, limit, (row) => row.id, scanView) };
  },

  async launch({ input: { body }, principal, db, origin, audit }) {
    const report = await runPreflight(db, body, origin.at);
    const blockers = blockersOf(report);
    const { profile } = report;
    if (blockers.length > 0 || profile === null) {
      throw new ProblemError('PREFLIGHT_BLOCKED', blockers.map((b) => b.message).join(' '), {
        members: { checks: blockers },
      });
    }
    const { kind, id: userId, label } = actorOf(principal);
    const id = newId();
    await insertScan(db, {
      id,
      profile: profile.name,
      profileDigest: profile.digest,
      createdBy: { kind, id: userId, label: label ?? '' },
      createdAt: origin.at,
      projects: report.projects.flatMap((p) => (p.id === null ? [] : [{ id: p.id, name: p.name }])),
    });
    audit({ subject: id, detail: { profile: profile.name, projects: report.projects.length } });
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
    const scan = await find(db, params.id);
    const counts = await db.prisma.scanRuleCount.groupBy({
      by: ['ruleId'],
      where: { tenantId: db.tenantId, scanId: scan.id },
      _sum: { pass: true, fail: true, na: true, unknown: true },
      orderBy: { ruleId: 'asc' },
    });
    const given = new Map(counts.map(({ ruleId, _sum: sum }) => [ruleId, sum]));
    const ruleIds = [...new Set([...given.keys(), ...rulesOf(scan)])].sort();
    const items = ruleIds.map((ruleId) => {
      const sum = given.get(ruleId);
      return {
        ruleId,
        pass: sum?.pass ?? 0,
        fail: sum?.fail ?? 0,
        na: sum?.na ?? 0,
        unknown: sum?.unknown ?? 0,
        missing: [],
      };
    });
    return { status: 200, body: wholeList(items) };
  },

  async compliance() {
    throw new ProblemError('SERVICE_UNAVAILABLE', 'Not yet.');
  },

  async cancel() {
    throw new ProblemError('SERVICE_UNAVAILABLE', 'Not yet.');
  },

  async events() {
    throw new ProblemError('SERVICE_UNAVAILABLE', 'Not yet.');
  },
};

/** The rules that a scan evaluates, met by assets or not; none when the profile has changed since it was launched. */
function rulesOf(scan: ScanRow): string[] {
  const profile = resolveProfile(scan.profile);
  return profile?.digest === scan.profile_digest ? profile.rules.map((rule) => rule.id) : [];
}

async function find(db: TenantConnection, id: string): Promise<ScanRow> {
  const scan = await findScan(db, id);
  if (scan === null) throw notFound();
  return scan;
}
