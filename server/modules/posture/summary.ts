import { complianceReport, RULES, type Severity } from '@cspm/scanner';
import type { TenantConnection } from '../../platform/database/tenant-database.ts';
import { listCustomRules } from '../rules/index.ts';
import { dayOf } from './record.ts';
import { WEIGHTS } from './score.ts';
import {
  lastRuleCounts,
  newestScans,
  oldestCritical,
  type ResolvedRow,
  type RuleRow,
  resolvedSince,
  type TotalsRow,
  totalsOn,
  worstProjects,
} from './summary-queries.ts';
import { addDays, standingOf } from './trend.ts';

const NEWEST_SCANS = 5;
const OLDEST_CRITICAL = 5;
const TOP_RULES = 10;
/** The days over which the time to resolve is averaged, today included. */
const RESOLVE_DAYS = 90;

const FRAMEWORKS = ['cis-gcp-2.0', 'cis-gcp-4.0', 'cis-gcp-5.0'] as const;

/** The posture of a tenant as of the last completed scan of each project. */
export async function summarise(db: TenantConnection, projects: number, now: Date) {
  const today = dayOf(now);
  const days = { week: addDays(today, -7), month: addDays(today, -30) };
  const totals = await totalsOn(db, [today, days.week, days.month]);
  const present = totals.get(today);
  const counts = present === undefined ? [] : await lastRuleCounts(db);
  return {
    ...standingOf(present ?? NOTHING),
    change7Days: changeSince(totals.get(days.week), present),
    change30Days: changeSince(totals.get(days.month), present),
    meanSecondsToResolve: meanSeconds(await resolvedSince(db, addDays(today, 1 - RESOLVE_DAYS))),
    projectCount: present?.projects ?? 0,
    projects: (await worstProjects(db, projects)).map((row) => ({
      project: row.project,
      ...standingOf(row),
      scan: row.scan_id,
      scannedAt: row.scanned_at.toISOString(),
    })),
    newestScans: await newestScanViews(db),
    oldestCritical: (await oldestCritical(db, OLDEST_CRITICAL)).map((row) => ({
      id: row.id,
      ruleId: row.rule_id,
      title: row.title,
      project: row.project,
      asset: row.asset_name,
      firstSeenAt: row.first_seen_at.toISOString(),
    })),
    topRules: topRules(counts, await rulesOf(db)),
    compliance: present === undefined ? [] : complianceOf(counts),
  };
}

const NOTHING = {
  critical: 0,
  high: 0,
  medium: 0,
  low: 0,
  info: 0,
  passed_weight: 0,
  decided_weight: 0,
  decided: 0,
  unknown: 0,
};

function changeSince(before: TotalsRow | undefined, present: TotalsRow | undefined) {
  if (before === undefined || present === undefined) return null;
  const [was, is] = [standingOf(before), standingOf(present)];
  return {
    score: was.score === null || is.score === null ? null : is.score - was.score,
    open: {
      critical: is.open.critical - was.open.critical,
      high: is.open.high - was.open.high,
      medium: is.open.medium - was.open.medium,
      low: is.open.low - was.open.low,
      info: is.open.info - was.open.info,
    },
  };
}

function meanSeconds(row: ResolvedRow | undefined) {
  const mean = (severity: Severity) => {
    const resolved = row?.[`resolved_${severity}`] ?? 0;
    return row === undefined || resolved === 0 ? null : row[`seconds_${severity}`] / resolved;
  };
  return {
    critical: mean('critical'),
    high: mean('high'),
    medium: mean('medium'),
    low: mean('low'),
    info: mean('info'),
  };
}

type ScanStatus = 'queued' | 'running' | 'completed' | 'partial' | 'failed' | 'cancelled';

async function newestScanViews(db: TenantConnection) {
  return (await newestScans(db, NEWEST_SCANS)).map((row) => ({
    id: row.id,
    // The database holds what this server wrote there.
    status: row.status as ScanStatus,
    profile: row.profile,
    projectCount: row.projects,
    createdAt: row.created_at.toISOString(),
    finishedAt: row.finished_at?.toISOString() ?? null,
  }));
}

interface NamedRule {
  readonly id: string;
  readonly title: string;
  readonly severity: Severity;
}

/** The rules that the tenant has now, by id. */
async function rulesOf(db: TenantConnection): Promise<ReadonlyMap<string, NamedRule>> {
  const rules: NamedRule[] = [...RULES, ...(await listCustomRules(db))];
  return new Map(rules.map((rule) => [rule.id, rule]));
}

/** The rules whose failed verdicts weigh most; of equal ones those that fail more often. */
function topRules(counts: readonly RuleRow[], rules: ReadonlyMap<string, NamedRule>) {
  return counts
    .flatMap(({ rule_id: id, fail: failing }) => {
      const rule = rules.get(id);
      if (rule === undefined || failing === 0) return [];
      return [{ ruleId: id, title: rule.title, severity: rule.severity, failing }];
    })
    .toSorted((a, b) => weightOf(b) - weightOf(a) || b.failing - a.failing)
    .slice(0, TOP_RULES);
}

function weightOf({ severity, failing }: { severity: Severity; failing: number }): number {
  return WEIGHTS[severity] * failing;
}

function complianceOf(counts: readonly RuleRow[]) {
  const verdicts = counts.map(({ rule_id: ruleId, ...count }) => ({ ruleId, ...count }));
  return FRAMEWORKS.map((framework) => ({
    framework,
    ...complianceReport(framework, verdicts).summary,
  }));
}
