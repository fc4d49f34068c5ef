import type { Statement, TenantConnection } from '../../platform/database/tenant-database.ts';
import { POSTURE_COLUMNS, type PostureRow } from './trend-queries.ts';

/** The totals that held on a day. */
export interface TotalsRow extends PostureRow {
  asked: string;
  /** Projects that had been scanned by then. */
  projects: number;
}

/** The totals that held on each of some days; a day before the first scan has none. */
export async function totalsOn(
  db: TenantConnection,
  days: readonly string[],
): Promise<Map<string, TotalsRow>> {
  const rows = await db.sql<TotalsRow>(TOTALS_ON, [db.tenantId, days]);
  return new Map(rows.map((row) => [row.asked, row]));
}

const TOTALS_ON: Statement = {
  name: 'posture-totals-on',
  reason: 'set',
  text: `
    SELECT asked.day::text AS asked, t.projects, ${POSTURE_COLUMNS}
    FROM unnest($2::date[]) AS asked(day)
    CROSS JOIN LATERAL (
      SELECT * FROM posture_totals t WHERE t.tenant_id = $1 AND t.day <= asked.day ORDER BY t.day DESC LIMIT 1
    ) t`,
};

/** How many findings were resolved, and the sum of their ages in seconds. */
export interface ResolvedRow {
  resolved_critical: number;
  resolved_high: number;
  resolved_medium: number;
  resolved_low: number;
  resolved_info: number;
  seconds_critical: number;
  seconds_high: number;
  seconds_medium: number;
  seconds_low: number;
  seconds_info: number;
}

/** What was resolved from a day on. */
export async function resolvedSince(
  db: TenantConnection,
  day: string,
): Promise<ResolvedRow | undefined> {
  const [row] = await db.sql<ResolvedRow>(RESOLVED_SINCE, [db.tenantId, day]);
  return row;
}

const RESOLVED_SINCE: Statement = {
  name: 'posture-resolved-since',
  reason: 'set',
  text: `
    SELECT COALESCE(sum(resolved_critical), 0)::int AS resolved_critical,
           COALESCE(sum(resolved_high), 0)::int AS resolved_high,
           COALESCE(sum(resolved_medium), 0)::int AS resolved_medium,
           COALESCE(sum(resolved_low), 0)::int AS resolved_low,
           COALESCE(sum(resolved_info), 0)::int AS resolved_info,
           COALESCE(sum(resolve_seconds_critical), 0)::float8 AS seconds_critical,
           COALESCE(sum(resolve_seconds_high), 0)::float8 AS seconds_high,
           COALESCE(sum(resolve_seconds_medium), 0)::float8 AS seconds_medium,
           COALESCE(sum(resolve_seconds_low), 0)::float8 AS seconds_low,
           COALESCE(sum(resolve_seconds_info), 0)::float8 AS seconds_info
    FROM posture_totals WHERE tenant_id = $1 AND day >= $2::date`,
};

export interface ProjectRow extends PostureRow {
  project: string;
  scan_id: string;
  scanned_at: Date;
}

/** The projects that have been scanned, those with the most open findings of the worst severity first. */
export async function worstProjects(db: TenantConnection, limit: number): Promise<ProjectRow[]> {
  return db.sql<ProjectRow>(PROJECTS, [db.tenantId, limit]);
}

/** The last row of each project: one look-up in the primary key. */
const LAST_OF_PROJECT = `
  SELECT * FROM posture_days t WHERE t.tenant_id = $1 AND t.project_id = p.id ORDER BY t.day DESC LIMIT 1`;

const PROJECTS: Statement = {
  name: 'posture-projects',
  reason: 'set',
  text: `
    SELECT p.name AS project, t.scan_id, t.scanned_at, ${POSTURE_COLUMNS}
    FROM projects p CROSS JOIN LATERAL (${LAST_OF_PROJECT}) t
    WHERE p.tenant_id = $1
    ORDER BY t.critical DESC, t.high DESC, t.medium DESC, t.low DESC, t.info DESC, p.name LIMIT $2`,
};

export interface ScanRow {
  id: string;
  status: string;
  profile: string;
  projects: number;
  created_at: Date;
  finished_at: Date | null;
}

export async function newestScans(db: TenantConnection, limit: number): Promise<ScanRow[]> {
  return db.sql<ScanRow>(NEWEST_SCANS, [db.tenantId, limit]);
}

const NEWEST_SCANS: Statement = {
  name: 'posture-newest-scans',
  reason: 'set',
  text: `
    SELECT s.id, s.status, s.profile, s.created_at, s.finished_at,
           (SELECT count(*) FROM scan_projects sp WHERE sp.tenant_id = $1 AND sp.scan_id = s.id)::int AS projects
    FROM scans s WHERE s.tenant_id = $1 ORDER BY s.id DESC LIMIT $2`,
};

export interface CriticalRow {
  id: string;
  rule_id: string;
  title: string;
  project: string;
  asset_name: string;
  first_seen_at: Date;
}

/** Critical findings that are open, oldest first. Ids are in the order of time, and there is an index on them. */
export async function oldestCritical(db: TenantConnection, limit: number): Promise<CriticalRow[]> {
  return db.sql<CriticalRow>(OLDEST_CRITICAL, [db.tenantId, limit]);
}

const OLDEST_CRITICAL: Statement = {
  name: 'posture-oldest-critical',
  reason: 'set',
  text: `
    SELECT f.id, f.rule_id, f.title, p.name AS project, f.asset_name, f.first_seen_at
    FROM (
      SELECT * FROM findings
      WHERE tenant_id = $1 AND severity = 'critical' AND status = 'open' ORDER BY id LIMIT $2
    ) f
    JOIN projects p ON p.tenant_id = $1 AND p.id = f.project_id
    ORDER BY f.id`,
};

/** The verdicts of a rule in the last completed scans of all projects. */
export interface RuleRow {
  rule_id: string;
  pass: number;
  fail: number;
  na: number;
  unknown: number;
}

/** A row for each rule of these scans, whether it met an asset or not. */
export async function lastRuleCounts(db: TenantConnection): Promise<RuleRow[]> {
  return db.sql<RuleRow>(RULE_COUNTS, [db.tenantId]);
}

const RULE_COUNTS: Statement = {
  name: 'posture-rule-counts',
  reason: 'set',
  text: `
    WITH last AS MATERIALIZED (
      SELECT p.id AS project_id, t.scan_id FROM projects p CROSS JOIN LATERAL (${LAST_OF_PROJECT}) t
      WHERE p.tenant_id = $1
    ), counted AS (
      SELECT c.rule_id, sum(c.pass)::int AS pass, sum(c.fail)::int AS fail, sum(c.na)::int AS na,
             sum(c.unknown)::int AS unknown
      FROM last l
      JOIN scan_rule_counts c ON c.tenant_id = $1 AND c.scan_id = l.scan_id AND c.project_id = l.project_id
      GROUP BY c.rule_id
    ), listed AS (
      SELECT rule ->> 'id' AS rule_id
      FROM (SELECT DISTINCT s.profile_digest FROM last l JOIN scans s ON s.tenant_id = $1 AND s.id = l.scan_id) used
      JOIN rulesets r ON r.tenant_id = $1 AND r.digest = used.profile_digest
      CROSS JOIN jsonb_array_elements(r.rules) AS rule
      UNION
      SELECT rule_id FROM counted
    )
    SELECT rule_id, COALESCE(pass, 0) AS pass, COALESCE(fail, 0) AS fail, COALESCE(na, 0) AS na,
           COALESCE(unknown, 0) AS unknown
    FROM listed LEFT JOIN counted USING (rule_id)
    ORDER BY rule_id COLLATE "C"`,
};
