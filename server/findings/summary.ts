import type { Severity } from '@cspm/scanner';
import type { Row, Statement, TenantConnection } from '../database/tenant-database.ts';
import { mutedFindings, mutesOfAny } from './muting.ts';

export interface Count {
  readonly open: number;
  readonly resolved: number;
  /** Of the open ones. */
  readonly muted: number;
}

export interface Summary {
  readonly total: Count;
  readonly bySeverity: Record<Severity, Count>;
  /** In the order of their names; one without findings is not among them. */
  readonly byProject: (Count & { readonly project: string })[];
  /** The worst first, then those with the most open findings; of a rule the worst severity that it gave. */
  readonly byRule: (Count & { readonly ruleId: string; readonly severity: Severity })[];
}

/** Counts findings in one statement, so that all numbers are of one moment. */
export async function summarise(
  db: TenantConnection,
  projects: readonly string[] | undefined,
  now: Date,
): Promise<Summary> {
  const rows =
    projects === undefined
      ? await db.sql<CountRow>(OF_ALL, [db.tenantId, now])
      : await db.sql<CountRow>(OF_PROJECTS, [db.tenantId, now, projects]);
  const of = (kind: CountRow['kind']) => rows.filter((row) => row.kind === kind);
  const [total] = of('total');
  const severities = new Map(of('severity').map((row) => [row.severity, countOf(row)]));
  return {
    total: countOf(total),
    bySeverity: {
      critical: severities.get('critical') ?? countOf(),
      high: severities.get('high') ?? countOf(),
      medium: severities.get('medium') ?? countOf(),
      low: severities.get('low') ?? countOf(),
      info: severities.get('info') ?? countOf(),
    },
    byProject: of('project').map((row) => ({ project: row.project, ...countOf(row) })),
    byRule: of('rule').map((row) => ({
      ruleId: row.rule_id,
      severity: row.severity,
      ...countOf(row),
    })),
  };
}

/** Of the names only those are set that the kind is about. */
interface CountRow extends Row, Count {
  kind: 'total' | 'severity' | 'project' | 'rule';
  severity: Severity;
  project: string;
  rule_id: string;
}

function countOf(row?: CountRow): Count {
  return { open: row?.open ?? 0, resolved: row?.resolved ?? 0, muted: row?.muted ?? 0 };
}

/**
 * Findings are counted once, by all that they are told apart by; these few groups make the sums. The muted ones are
 * counted beside: matched with all findings, they would be looked for among them again and again.
 */
const summary = (name: string, within: string): Statement => ({
  name,
  text: `
    WITH ${mutesOfAny('$2')}, ${mutedFindings('$2')},
    counted AS MATERIALIZED (
      SELECT f.project_id, f.rule_id, f.severity,
             count(*) FILTER (WHERE f.status = 'open')::int AS open,
             count(*) FILTER (WHERE f.status = 'resolved')::int AS resolved, 0 AS muted
      FROM findings f
      WHERE f.tenant_id = $1 ${within}
      GROUP BY f.project_id, f.rule_id, f.severity
      UNION ALL
      SELECT f.project_id, f.rule_id, f.severity, 0, 0, count(*)::int
      FROM muted f
      WHERE f.status = 'open' ${within}
      GROUP BY f.project_id, f.rule_id, f.severity
    )
    SELECT CASE GROUPING(c.severity, p.name, c.rule_id)
             WHEN 7 THEN 'total' WHEN 3 THEN 'severity' WHEN 5 THEN 'project' ELSE 'rule' END AS kind,
           p.name AS project, c.rule_id,
           (ARRAY['critical', 'high', 'medium', 'low', 'info'])[
             min(array_position(ARRAY['critical', 'high', 'medium', 'low', 'info'], c.severity))] AS severity,
           sum(c.open)::int AS open, sum(c.resolved)::int AS resolved, sum(c.muted)::int AS muted
    FROM counted c JOIN projects p ON p.tenant_id = $1 AND p.id = c.project_id
    GROUP BY GROUPING SETS ((), (c.severity), (p.name), (c.rule_id))
    ORDER BY p.name, min(array_position(ARRAY['critical', 'high', 'medium', 'low', 'info'], c.severity)),
             sum(c.open) DESC, c.rule_id`,
});

const OF_ALL = summary('findings-summary', '');
const OF_PROJECTS = summary(
  'findings-summary-of-projects',
  `AND f.project_id = ANY (
     ARRAY(SELECT p.id FROM projects p WHERE p.tenant_id = $1 AND p.name = ANY ($3::text[])))`,
);
