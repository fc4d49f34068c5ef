import type { Severity } from '@cspm/scanner';
import type { Statement, TenantConnection } from '../../platform/database/tenant-database.ts';
import { findingsById, type ResolvedCount } from '../findings/index.ts';
import { type RulesetRule, severitiesOf } from '../rules/index.ts';
import { WEIGHTS } from './score.ts';

/** Numbers of open findings by severity. */
export type OpenCounts = Record<Severity, number>;

/** A completed scan of a project, and what only its end knows. Everything else is read from the counts of the scan. */
export interface ScannedProject {
  readonly projectId: string;
  readonly scanId: string;
  /** When the scan of the project completed: its UTC day is the day of the row. */
  readonly at: Date;
  readonly rules: readonly RulesetRule[];
  /** Open findings of the project at that moment. */
  readonly open: Readonly<OpenCounts>;
  readonly resolved: readonly ResolvedCount[];
}

/**
 * Takes the tenant's lock on its posture until the transaction ends. Every writer takes it, as the last lock of its
 * transaction, so that no two of them wait for each other.
 */
export async function lockPosture(db: TenantConnection): Promise<void> {
  await db.sql(LOCK, [db.tenantId]);
}

/**
 * Counts the open findings of a project by severity.
 * @param options.among the only findings that are counted, by id
 */
export async function openFindings(
  db: TenantConnection,
  projectId: string,
  { among }: { readonly among?: readonly string[] } = {},
): Promise<OpenCounts> {
  const open = { critical: 0, high: 0, medium: 0, low: 0, info: 0 };
  const rows =
    among === undefined
      ? await db.sql<OpenRow>(OPEN, [db.tenantId, projectId])
      : await db.sql<OpenRow>(OPEN_AMONG, [db.tenantId, projectId, among]);
  for (const { severity, count } of rows) open[severity] = count;
  return open;
}

interface OpenRow {
  severity: Severity;
  count: number;
}

/**
 * Adds a completed scan of a project to the row of its day and to the totals of the tenant. Scans may be added in any
 * order, each once: a row has the values of the last scan of its day and the sums of all. Wants `lockPosture`.
 */
export async function recordPosture(db: TenantConnection, scan: ScannedProject): Promise<void> {
  const day = dayOf(scan.at);
  const severities = severitiesOf(scan);
  const resolved = resolvedBySeverity(scan.resolved);
  const { open } = scan;
  await db.sql(ADD_DAY, [db.tenantId, day]);
  await db.sql(RECORD, [
    db.tenantId,
    scan.projectId,
    scan.scanId,
    scan.at,
    day,
    open.critical,
    open.high,
    open.medium,
    open.low,
    open.info,
    ...resolved.counts,
    ...resolved.seconds,
    severities.map(({ ruleId }) => ruleId),
    severities.map(({ severity }) => WEIGHTS[severity]),
  ]);
}

/** The UTC day of a moment, as `2026-11-20`. */
export function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10);
}

function resolvedBySeverity(resolved: readonly ResolvedCount[]) {
  const sum = (of: Severity, member: 'ended' | 'seconds') =>
    resolved.reduce((total, row) => total + (row.severity === of ? row[member] : 0), 0);
  return {
    counts: SEVERITIES.map((severity) => sum(severity, 'ended')),
    seconds: SEVERITIES.map((severity) => sum(severity, 'seconds')),
  };
}

/** In the order of the parameters of RECORD. */
const SEVERITIES = ['critical', 'high', 'medium', 'low', 'info'] as const;

const LOCK: Statement = {
  name: 'posture-lock',
  reason: 'lock',
  text: `SELECT pg_advisory_xact_lock(hashtextextended('posture ' || $1::text, 0))`,
};

const openIn = (findings: string) => `
  SELECT severity, count(*)::int AS count FROM ${findings}
  WHERE tenant_id = $1 AND project_id = $2 AND status = 'open' GROUP BY severity`;

const OPEN: Statement = {
  name: 'posture-open-findings',
  reason: 'set',
  text: openIn('findings'),
};

const OPEN_AMONG: Statement = {
  name: 'posture-open-findings-among',
  reason: 'set',
  text: openIn(findingsById('$3')),
};

/** The totals of a day begin with the values of the day before it that has any, and with no changes. */
const ADD_DAY: Statement = {
  name: 'posture-add-day',
  reason: 'set',
  text: `
    INSERT INTO posture_totals (
      tenant_id, day, projects, critical, high, medium, low, info, passed_weight, decided_weight, decided, unknown,
      opened, resolved, resolved_critical, resolved_high, resolved_medium, resolved_low, resolved_info,
      resolve_seconds_critical, resolve_seconds_high, resolve_seconds_medium, resolve_seconds_low,
      resolve_seconds_info)
    SELECT $1, $2::date, COALESCE(b.projects, 0), COALESCE(b.critical, 0), COALESCE(b.high, 0), COALESCE(b.medium, 0), COALESCE(b.low, 0),
           COALESCE(b.info, 0), COALESCE(b.passed_weight, 0), COALESCE(b.decided_weight, 0), COALESCE(b.decided, 0),
           COALESCE(b.unknown, 0),
           0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
    FROM (SELECT 1) one
    LEFT JOIN LATERAL (
      SELECT * FROM posture_totals WHERE tenant_id = $1 AND day < $2::date ORDER BY day DESC LIMIT 1
    ) b ON true
    ON CONFLICT (tenant_id, day) DO NOTHING`,
};

/**
 * What the scan changes of the project's values holds from its day until the project's next row: the totals of these days
 * change by as much. A scan that failed or was cancelled has no row; what it opened is counted by the next one that completes.
 */
const RECORD: Statement = {
  name: 'posture-record',
  reason: 'set',
  text: `
    WITH fact AS (
      SELECT $6::int AS critical, $7::int AS high, $8::int AS medium, $9::int AS low, $10::int AS info,
             $11::int AS resolved_critical, $12::int AS resolved_high, $13::int AS resolved_medium,
             $14::int AS resolved_low, $15::int AS resolved_info, $16::bigint AS resolve_seconds_critical,
             $17::bigint AS resolve_seconds_high, $18::bigint AS resolve_seconds_medium,
             $19::bigint AS resolve_seconds_low, $20::bigint AS resolve_seconds_info,
             w.passed_weight, w.decided_weight, (sp.pass + sp.fail)::bigint AS decided, sp.unknown::bigint AS unknown,
             o.opened, sp.delta_resolved AS resolved
      FROM scan_projects sp
      CROSS JOIN LATERAL (
        SELECT COALESCE(sum(c.pass::bigint * r.weight), 0)::bigint AS passed_weight,
               COALESCE(sum((c.pass::bigint + c.fail) * r.weight), 0)::bigint AS decided_weight
        FROM scan_rule_counts c
        JOIN unnest($21::text[], $22::int[]) AS r(rule_id, weight) ON r.rule_id = c.rule_id
        WHERE c.tenant_id = $1 AND c.scan_id = $3 AND c.project_id = $2
      ) w
      CROSS JOIN LATERAL (
        SELECT sum(p.delta_new + p.delta_reopened)::int AS opened
        FROM scan_projects p
        WHERE p.tenant_id = $1 AND p.project_id = $2 AND p.status IN ('completed', 'failed', 'cancelled')
          AND p.scan_id <= $3 AND p.scan_id > COALESCE((
            SELECT q.scan_id FROM scan_projects q
            WHERE q.tenant_id = $1 AND q.project_id = $2 AND q.status = 'completed' AND q.scan_id < $3
            ORDER BY q.scan_id DESC LIMIT 1
          ), '00000000-0000-0000-0000-000000000000')
      ) o
      WHERE sp.tenant_id = $1 AND sp.scan_id = $3 AND sp.project_id = $2
    ), before AS (
      SELECT * FROM posture_days
      WHERE tenant_id = $1 AND project_id = $2 AND day <= $5::date ORDER BY day DESC LIMIT 1
    ), written AS (
      INSERT INTO posture_days AS d (
        tenant_id, project_id, day, scan_id, scanned_at, critical, high, medium, low, info, passed_weight, decided_weight, decided, unknown,
        opened, resolved, resolved_critical, resolved_high, resolved_medium, resolved_low, resolved_info,
        resolve_seconds_critical, resolve_seconds_high, resolve_seconds_medium, resolve_seconds_low,
        resolve_seconds_info)
      SELECT $1, $2, $5::date, $3, $4, critical, high, medium, low, info, passed_weight, decided_weight, decided, unknown,
             opened, resolved, resolved_critical, resolved_high, resolved_medium, resolved_low, resolved_info,
             resolve_seconds_critical, resolve_seconds_high, resolve_seconds_medium, resolve_seconds_low,
             resolve_seconds_info
      FROM fact
      ON CONFLICT (tenant_id, project_id, day) DO UPDATE SET
        (scan_id, scanned_at, critical, high, medium, low, info, passed_weight, decided_weight, decided, unknown) = (
          SELECT s.scan_id, s.scanned_at, s.critical, s.high, s.medium, s.low, s.info, s.passed_weight, s.decided_weight, s.decided, s.unknown
          FROM (SELECT d.* UNION ALL SELECT EXCLUDED.*) s ORDER BY s.scanned_at DESC, s.scan_id DESC LIMIT 1),
        opened = d.opened + EXCLUDED.opened, resolved = d.resolved + EXCLUDED.resolved,
        resolved_critical = d.resolved_critical + EXCLUDED.resolved_critical,
        resolved_high = d.resolved_high + EXCLUDED.resolved_high,
        resolved_medium = d.resolved_medium + EXCLUDED.resolved_medium,
        resolved_low = d.resolved_low + EXCLUDED.resolved_low,
        resolved_info = d.resolved_info + EXCLUDED.resolved_info,
        resolve_seconds_critical = d.resolve_seconds_critical + EXCLUDED.resolve_seconds_critical,
        resolve_seconds_high = d.resolve_seconds_high + EXCLUDED.resolve_seconds_high,
        resolve_seconds_medium = d.resolve_seconds_medium + EXCLUDED.resolve_seconds_medium,
        resolve_seconds_low = d.resolve_seconds_low + EXCLUDED.resolve_seconds_low,
        resolve_seconds_info = d.resolve_seconds_info + EXCLUDED.resolve_seconds_info
      RETURNING critical, high, medium, low, info, passed_weight, decided_weight, decided, unknown
    )
    UPDATE posture_totals t SET
      projects = t.projects + (b.day IS NULL)::int,
      critical = t.critical + w.critical - COALESCE(b.critical, 0), high = t.high + w.high - COALESCE(b.high, 0),
      medium = t.medium + w.medium - COALESCE(b.medium, 0), low = t.low + w.low - COALESCE(b.low, 0),
      info = t.info + w.info - COALESCE(b.info, 0),
      passed_weight = t.passed_weight + w.passed_weight - COALESCE(b.passed_weight, 0),
      decided_weight = t.decided_weight + w.decided_weight - COALESCE(b.decided_weight, 0),
      decided = t.decided + w.decided - COALESCE(b.decided, 0),
      unknown = t.unknown + w.unknown - COALESCE(b.unknown, 0),
      opened = t.opened + (t.day = $5::date)::int * f.opened,
      resolved = t.resolved + (t.day = $5::date)::int * f.resolved,
      resolved_critical = t.resolved_critical + (t.day = $5::date)::int * f.resolved_critical,
      resolved_high = t.resolved_high + (t.day = $5::date)::int * f.resolved_high,
      resolved_medium = t.resolved_medium + (t.day = $5::date)::int * f.resolved_medium,
      resolved_low = t.resolved_low + (t.day = $5::date)::int * f.resolved_low,
      resolved_info = t.resolved_info + (t.day = $5::date)::int * f.resolved_info,
      resolve_seconds_critical = t.resolve_seconds_critical + (t.day = $5::date)::int * f.resolve_seconds_critical,
      resolve_seconds_high = t.resolve_seconds_high + (t.day = $5::date)::int * f.resolve_seconds_high,
      resolve_seconds_medium = t.resolve_seconds_medium + (t.day = $5::date)::int * f.resolve_seconds_medium,
      resolve_seconds_low = t.resolve_seconds_low + (t.day = $5::date)::int * f.resolve_seconds_low,
      resolve_seconds_info = t.resolve_seconds_info + (t.day = $5::date)::int * f.resolve_seconds_info
    FROM written w CROSS JOIN fact f LEFT JOIN before b ON true
    WHERE t.tenant_id = $1 AND t.day >= $5::date AND t.day < COALESCE((
      SELECT min(next.day) FROM posture_days next
      WHERE next.tenant_id = $1 AND next.project_id = $2 AND next.day > $5::date
    ), 'infinity')`,
};
