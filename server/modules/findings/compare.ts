import type { FindingFilter, StatementParts } from './finding-filter.ts';
import { inMonths, type ScanMoment } from './matching.ts';
import { SEEN_FINDINGS } from './seen-findings.ts';

/*
 * The state of a finding after a scan is open, resolved, or none when it was not found yet. A scan that neither reports
 * nor resolves a finding leaves its state as it is: the profile does not have its rule, or the verdict is UNKNOWN. The
 * change between two scans is therefore not always in the rows of these scans: the changes by scans between them, of the
 * same project, complete it. Findings that neither of the two scans reported or resolved are left out.
 */

export type Change = 'new' | 'resolved' | 'reopened' | 'unchanged';

const CHANGES: readonly Change[] = ['new', 'resolved', 'reopened', 'unchanged'];

/** Two scans, and the projects that completed in both. */
export interface Comparison {
  readonly later: ScanMoment;
  readonly earlier: ScanMoment;
  readonly projects: readonly {
    readonly id: string;
    /** When the scan of the project ended; null for scans of an early release. */
    readonly laterEnd: Date | null;
    readonly earlierEnd: Date | null;
  }[];
}

export interface ChangeFilter extends Pick<FindingFilter, 'project' | 'severity' | 'rule' | 'q'> {
  readonly change?: readonly Change[] | undefined;
}

/*
 * `OFFSET 0` keeps an expression from being merged into the statement around it: Postgres would evaluate it once for each
 * mention, and under row-level security would not search an index for `COALESCE`, the form in which it represents the id
 * of a full join.
 */

/**
 * The change that follows from the rows of the two scans alone: null when it does not follow, and empty when there is
 * no change.
 */
export const sureChange = `CASE
  WHEN later.delta = 'new' AND earlier.delta IS NULL THEN 'new'
  WHEN later.delta IS NULL OR earlier.delta IS NULL THEN NULL
  WHEN later.delta = 'resolved' AND earlier.delta = 'resolved' THEN ''
  WHEN later.delta = 'resolved' THEN 'resolved'
  WHEN earlier.delta = 'resolved' THEN 'reopened'
  ELSE 'unchanged'
END`;

/** The scans between the two that changed the state of a finding of these projects. */
export function betweenOf(parts: StatementParts, { later, earlier, projects }: Comparison): string {
  const ids = parts.placeholder(projects.map(({ id }) => id));
  return `
    between_scans AS MATERIALIZED (
      SELECT sp.project_id, sp.scan_id, s.created_at AS scan_at
      FROM scan_projects sp JOIN scans s ON s.tenant_id = $1 AND s.id = sp.scan_id
      WHERE sp.tenant_id = $1 AND sp.project_id = ANY (${ids}::uuid[])
        AND sp.scan_id > ${parts.placeholder(earlier.id)}::uuid AND sp.scan_id < ${parts.placeholder(later.id)}::uuid
        AND sp.delta_new + sp.delta_reopened + sp.delta_resolved > 0
      ORDER BY sp.scan_id
    )`;
}

/**
 * `id`, `change` and `severity` of the compared findings that match, in the order of `compared`. The finding itself may
 * have been deleted with its project.
 */
export function changedOf(
  parts: StatementParts,
  { later, earlier, projects }: Comparison,
  filter: ChangeFilter,
  columns: readonly ('project' | 'severity' | 'rule')[],
): string {
  const ids = `${parts.placeholder(projects.map(({ id }) => id))}::uuid[]`;
  const end = (times: readonly (Date | null)[]) =>
    `(${parts.placeholder(times)}::timestamptz[])[array_position(${ids}, f.project_id)]`;
  const earlierEnd = end(projects.map((project) => project.earlierEnd));
  const laterEnd = end(projects.map((project) => project.laterEnd));
  const asked = `${parts.placeholder(filter.change ?? CHANGES)}::text[]`;
  const conditions = [
    'f.tenant_id = $1',
    'f.id = c.id',
    `f.project_id = ANY (${ids})`,
    ...parts.conditions(filter, columns),
    ...parts.rowConditions(filter),
  ];
  const notSeenSince = `f.last_scan_id <= ${parts.placeholder(earlier.id)}::uuid`;
  const between = (order: 'ASC' | 'DESC') => `(
    SELECT sf.delta FROM between_scans b
    JOIN scan_findings sf ON sf.tenant_id = $1 AND sf.scan_id = b.scan_id AND sf.finding_id = c.id
      AND sf.scan_at = b.scan_at AND sf.delta <> 'unchanged' AND ${inMonths(earlier.at, later.at)}
    WHERE b.project_id = f.project_id ORDER BY b.scan_id ${order} LIMIT 1)`;
  return `
    SELECT c.id, s.change, f.severity
    FROM compared c
    CROSS JOIN LATERAL (
      SELECT f.project_id, f.severity, f.status, f.first_seen_at, f.resolved_at, f.last_scan_id
      FROM ${SEEN_FINDINGS} f WHERE ${conditions.join(' AND ')} LIMIT 1) f
    CROSS JOIN LATERAL (
      SELECT CASE
        WHEN c.earlier = 'resolved' THEN 'resolved'
        WHEN c.earlier IS NOT NULL THEN 'open'
        WHEN c.later = 'new' OR f.first_seen_at > ${earlierEnd} THEN 'none'
        ELSE CASE COALESCE(${between('ASC')}, c.later)
          WHEN 'new' THEN 'none' WHEN 'reopened' THEN 'resolved' ELSE 'open' END
      END AS state OFFSET 0) was
    CROSS JOIN LATERAL (
      SELECT CASE
        WHEN c.later = 'resolved' THEN 'resolved'
        WHEN c.later IS NOT NULL THEN 'open'
        WHEN ${notSeenSince} AND f.status = 'open' THEN 'open'
        WHEN ${notSeenSince} AND f.resolved_at < ${laterEnd} THEN 'resolved'
        WHEN ${notSeenSince} AND f.resolved_at > ${laterEnd} THEN was.state
        ELSE CASE ${between('DESC')}
          WHEN 'resolved' THEN 'resolved' WHEN 'new' THEN 'open' WHEN 'reopened' THEN 'open' ELSE was.state END
      END AS state OFFSET 0) now
    CROSS JOIN LATERAL (
      SELECT CASE was.state || ' ' || now.state
        WHEN 'none open' THEN 'new'
        WHEN 'open resolved' THEN 'resolved'
        WHEN 'resolved open' THEN 'reopened'
        WHEN 'open open' THEN 'unchanged'
      END AS change) s
    WHERE (c.sure IS NULL OR c.sure = ANY (${asked})) AND s.change = ANY (${asked})`;
}
