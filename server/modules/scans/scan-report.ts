import { complianceReport, type Framework } from '@cspm/scanner';
import type { TenantReads } from '../../platform/database/replica-reads.ts';
import type { TenantConnection } from '../../platform/database/tenant-database.ts';
import {
  type FindingPage,
  type FindingPosition,
  findingView,
  mutedInScan,
  summarise,
} from '../findings/index.ts';
import { listFindings } from '../findings/queries.ts';
import { addDays, dayOf, scanTrend, scoreOf, WEIGHTS } from '../posture/index.ts';
import type { Report, ReportedFinding } from '../reports/index.ts';
import { type RulesetRule, severitiesOf } from '../rules/index.ts';
import type { ScanRow } from './queries.ts';
import { type RuleCount, ruleCountsOf } from './rule-counts.ts';
import { scanView } from './view.ts';

/** The most severe findings that a report lists. */
const MAX_RISKS = 100;
const MAX_MUTED = 500;
/** The driver parses the evidence of a read, which may be long, without a pause. */
const RISKS_A_READ = 25;
const TREND_DAYS = 90;

const SEVERITIES = ['critical', 'high', 'medium', 'low', 'info'] as const;

/** Findings that failed in the scan, including those resolved since. */
const FAILED = ['new', 'reopened', 'unchanged'] as const;

export interface ReportRequest {
  readonly tenant: { readonly id: string; readonly name: string };
  readonly scan: ScanRow;
  readonly framework: Framework;
  /** Decides which mutes are active. */
  readonly now: Date;
}

/** Gathers the report of a completed scan. Its findings are read when the report comes to them, one list at a time. */
export async function reportOf(reads: TenantReads, asked: ReportRequest): Promise<Report> {
  const { tenant, scan, framework, now } = asked;
  const seen = { scan: scan.id, delta: FAILED };
  const { summary, ...gathered } = await reads.read(tenant.id, async (db) => {
    const counts = (await ruleCountsOf(db, scan.id)) ?? [];
    const to = dayOf(scan.finished_at ?? scan.created_at);
    return {
      compliance: complianceReport(framework, counts),
      score: scoreBy(counts, await rulesOf(db, scan)),
      trend: await scanTrend(db, scan.id, { from: addDays(to, 1 - TREND_DAYS), to }),
      summary: await summarise(db, seen, now),
    };
  });
  const severities = SEVERITIES.filter((severity) => {
    const { open, resolved } = summary.bySeverity[severity];
    return open + resolved > 0;
  });
  const totalOf = (muted: boolean) =>
    summary.facets.muted.find(({ value }) => value === String(muted))?.count ?? 0;
  const scanned = scanView(scan);
  const isListed = totalOf(false) + totalOf(true) > 0;
  // A scan can outlive the list of its findings, which is deleted by the month.
  const isListDeleted = !isListed && SEVERITIES.some((of) => scanned.totals.bySeverity[of] > 0);
  /** Pages of each severity: sorting all findings of the scan would compare each of them with all mutes. */
  async function readRisks(): Promise<ReportedFinding[]> {
    const found: ReportedFinding[] = [];
    for (const severity of severities) {
      const filter = { ...seen, muted: false, severity: [severity] };
      let after: FindingPosition | null = null;
      for (let isLast = false; !isLast && found.length < MAX_RISKS; ) {
        const limit = Math.min(RISKS_A_READ, MAX_RISKS - found.length);
        const page: FindingPage = { sort: 'newest', after, limit, now };
        const rows = await reads.read(tenant.id, (db) => listFindings(db, filter, page));
        found.push(...rows.map(findingView));
        const last = rows.at(-1);
        isLast = last === undefined || rows.length < limit;
        after = last === undefined ? null : { id: last.id, key: '' };
      }
    }
    return found;
  }
  async function readMuted(): Promise<ReportedFinding[]> {
    const page = { ...seen, limit: MAX_MUTED, now };
    return (await reads.read(tenant.id, (db) => mutedInScan(db, page))).map(findingView);
  }
  return {
    tenant: tenant.name,
    madeAt: now.toISOString(),
    scan: scanned,
    ...gathered,
    risks: { total: isListDeleted ? null : totalOf(false), read: readRisks },
    muted: { total: isListDeleted ? null : totalOf(true), read: readMuted },
  };
}

/** The rules of the scan; none for scans of releases that did not store them. */
async function rulesOf(db: TenantConnection, scan: ScanRow): Promise<RulesetRule[]> {
  const where = { tenantId: db.tenantId, digest: scan.profile_digest };
  const ruleset = await db.prisma.ruleset.findFirst({ where, select: { rules: true } });
  // The database holds what this server wrote there.
  return (ruleset?.rules ?? []) as unknown as RulesetRule[];
}

/** The score of `GET /posture/summary`, for the verdicts of this scan. */
function scoreBy(counts: readonly RuleCount[], rules: readonly RulesetRule[]): number | null {
  const weights = new Map(
    severitiesOf({ rules }).map(({ ruleId, severity }) => [ruleId, WEIGHTS[severity]]),
  );
  const sum = (of: (count: RuleCount) => number) =>
    counts.reduce((total, count) => total + of(count) * (weights.get(count.ruleId) ?? 0), 0);
  return scoreOf(
    sum(({ pass }) => pass),
    sum(({ pass, fail }) => pass + fail),
  );
}
