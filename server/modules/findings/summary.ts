import type { Severity } from '@cspm/scanner';
import type { Statement, TenantConnection } from '../../platform/database/tenant-database.ts';
import { type FindingFilter, SEVERITIES } from './finding-filter.ts';
import { type Matching, matching, type ScanMoment } from './matching.ts';
import { findScanMoment } from './queries.ts';
import {
  CATEGORIES,
  CUSTOM,
  FRAMEWORKS,
  type RuleFilter,
  rulesOfFrameworks,
} from './rule-filter.ts';

export interface Count {
  readonly open: number;
  readonly resolved: number;
  /** Number of open findings that are muted. */
  readonly muted: number;
}

/** The filters that have a facet. A facet counts the values of its column under all filters but its own. */
const FACETS = [
  'severity',
  'status',
  'project',
  'rule',
  'category',
  'assetType',
  'framework',
  'delta',
  'muted',
] as const;

type Facet = (typeof FACETS)[number];

interface FacetValue {
  readonly value: string;
  readonly count: number;
}

export interface Summary {
  readonly total: Count;
  readonly bySeverity: Record<Severity, Count>;
  /** Ordered by name. Projects without findings are left out. */
  readonly byProject: (Count & { readonly project: string })[];
  /** Ordered by severity, then by open findings, both descending. The severity is the worst that the rule reported. */
  readonly byRule: (Count & { readonly ruleId: string; readonly severity: Severity })[];
  readonly facets: Record<Facet, FacetValue[]>;
}

/** Counts findings in one statement, so that all numbers are from the same snapshot. */
export async function summarise(
  db: TenantConnection,
  filter: FindingFilter & RuleFilter,
  now: Date,
): Promise<Summary> {
  const scan = filter.scan === undefined ? null : await findScanMoment(db, filter.scan);
  if (scan === null && filter.scan !== undefined) return summaryOf([]);
  const query = summaryQuery(db.tenantId, filter, scan, now);
  return summaryOf(await db.sql<SummaryRow>(query.statement, query.values));
}

/** A row of a total has the counts, and one of a facet has `count`. */
interface SummaryRow extends Count {
  kind: string;
  value: string | null;
  severity: string | null;
  count: number;
}

function summaryOf(rows: readonly SummaryRow[]): Summary {
  const of = (kind: string) => rows.filter((row) => row.kind === kind);
  const bySeverity = new Map(of('by severity').map((row) => [row.value, countOf(row)]));
  const severityOf = (severity: Severity) => bySeverity.get(severity) ?? countOf();
  const facets = FACETS.map((facet) => [
    facet,
    of(facet).map(({ value, count }) => ({ value: value ?? '', count })),
  ]);
  return {
    total: countOf(of('total')[0]),
    bySeverity: {
      critical: severityOf('critical'),
      high: severityOf('high'),
      medium: severityOf('medium'),
      low: severityOf('low'),
      info: severityOf('info'),
    },
    byProject: of('by project')
      .map((row) => ({ project: row.value ?? '', ...countOf(row) }))
      .toSorted((a, b) => (a.project < b.project ? -1 : 1)),
    byRule: of('by rule')
      .map((row) => ({
        ruleId: row.value ?? '',
        // The database holds what this server wrote there.
        severity: row.severity as Severity,
        ...countOf(row),
      }))
      .toSorted(worstFirst),
    facets: Object.fromEntries(facets) as Record<Facet, FacetValue[]>,
  };
}

function countOf(row?: Count): Count {
  return { open: row?.open ?? 0, resolved: row?.resolved ?? 0, muted: row?.muted ?? 0 };
}

function worstFirst(a: Summary['byRule'][number], b: Summary['byRule'][number]): number {
  const bySeverity = SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity);
  return bySeverity || b.open - a.open || (a.ruleId < b.ruleId ? -1 : 1);
}

/** How many values a facet has at most. */
const FACET_VALUES = 100;

/** A bit for each filter whose own facet ignores it; the muted ones are counted apart. */
const BIT = {
  severity: 1,
  status: 2,
  project: 4,
  rule: 8,
  category: 16,
  assetType: 32,
  framework: 64,
  delta: 128,
} as const;

const DIMENSIONS = 'project_id, rule_id, severity, status, asset_type, delta';

/**
 * Counts the findings once by all dimensions; the sums and the facets are computed from these few groups. `misses` has a
 * bit for each filter that a group does not match: a facet counts the groups that match every filter except its own.
 */
export function summaryQuery(
  tenantId: string,
  filter: FindingFilter & RuleFilter,
  scan: ScanMoment | null,
  now: Date,
): { readonly statement: Statement; readonly values: readonly unknown[] } {
  const rows = matching('findings-summary', tenantId, now, filter, scan, [], { whole: 'apart' });
  const { parts } = rows;
  if (filter.muted !== undefined) parts.named(filter.muted ? 'muted' : 'unmuted', '');
  const text = `
    WITH ${rows.tables},
    categories AS MATERIALIZED (${categories(rows)}),
    counted AS MATERIALIZED (${counted(rows)}),
    summed AS MATERIALIZED (
      SELECT ${DIMENSIONS}, ${missesOf(rows, filter)} AS misses, n, m, ${shownOf(filter)}
      FROM (SELECT ${DIMENSIONS}, sum(n)::int AS n, sum(m)::int AS m FROM counted GROUP BY ${DIMENSIONS}) f
    )
    ${totals()}
    ${facet('severity', 's.severity')}
    ${facet('status', 's.status')}
    ${facet('project', 'p.name', 'JOIN projects p ON p.tenant_id = $1 AND p.id = s.project_id')}
    ${facet('rule', 's.rule_id')}
    ${facet('category', 'r.value', 'JOIN categories r ON r.rule_id = s.rule_id')}
    ${facet('assetType', 's.asset_type')}
    ${facet('framework', 'r.value', `JOIN ${pairs(rows, FRAMEWORK_ARRAYS)} ON r.rule_id = s.rule_id`)}
    ${facet('delta', 's.delta')}
    ${facet('muted', 'v.value', "CROSS JOIN (VALUES ('true'), ('false')) v(value)", "CASE v.value WHEN 'true' THEN s.m ELSE s.n - s.m END")}`;
  return { statement: { name: parts.name, reason: 'set', text }, values: parts.values };
}

function counted({ all, muted, isMutedWhole, delta }: Matching): string {
  const columns = `f.project_id, f.rule_id, f.severity, f.status, f.asset_type, ${delta} AS delta`;
  return `SELECT ${columns}, count(*)::int AS n, (count(*) FILTER (WHERE ${isMutedWhole}))::int AS m
          ${all} GROUP BY 1, 2, 3, 4, 5, 6
          UNION ALL SELECT ${columns}, 0, count(*)::int ${muted} GROUP BY 1, 2, 3, 4, 5, 6`;
}

/** For each group, the number of findings that the filter `muted` shows, and how many of them are muted. */
function shownOf({ muted }: FindingFilter): string {
  if (muted === undefined) return 'n AS shown, m AS shown_muted';
  return muted ? 'm AS shown, m AS shown_muted' : 'n - m AS shown, 0 AS shown_muted';
}

/** Every filter is in the text, set or not: that is one form, and it is evaluated for each group, not each row. */
function missesOf({ parts }: Matching, filter: FindingFilter & RuleFilter): string {
  const miss = (
    name: keyof typeof BIT,
    column: string,
    asked: readonly string[] | undefined,
    among = (list: string) => `${column} = ANY (${list})`,
  ) => {
    const list = `${parts.placeholder(asked ?? null)}::text[]`;
    return `CASE WHEN ${list} IS NULL OR ${among(list)} THEN 0 ELSE ${BIT[name]} END`;
  };
  return [
    miss('severity', 'f.severity', filter.severity),
    miss('status', 'f.status', filter.status),
    miss(
      'project',
      'f.project_id',
      filter.project,
      (list) =>
        `f.project_id = ANY (ARRAY(SELECT p.id FROM projects p WHERE p.tenant_id = $1 AND p.name = ANY (${list})))`,
    ),
    miss('rule', 'f.rule_id', filter.rule),
    miss(
      'category',
      'f.rule_id',
      filter.category,
      (list) =>
        `f.rule_id = ANY (ARRAY(SELECT rule_id FROM categories WHERE value = ANY (${list})))`,
    ),
    miss('assetType', 'f.asset_type', filter.assetType),
    miss('framework', 'f.rule_id', rulesOfFrameworks(filter.framework)),
    miss('delta', 'f.delta', filter.delta),
  ].join(' + ');
}

/** The categories of the rules, with those of the tenant. */
function categories(rows: Matching): string {
  const builtIn = pairs(rows, CATEGORY_ARRAYS);
  return `SELECT r.rule_id, r.value FROM ${builtIn}
          UNION ALL
          SELECT id, '${CUSTOM}' FROM custom_rules
          WHERE tenant_id = $1 AND NOT id IN (SELECT r.rule_id FROM ${builtIn})`;
}

/** The pairs of two arrays as a table. */
function pairs({ parts }: Matching, { rules, values }: typeof CATEGORY_ARRAYS): string {
  return `unnest(${parts.placeholder(rules)}::text[], ${parts.placeholder(values)}::text[]) AS r(rule_id, value)`;
}

/** Constants in the syntax of Postgres: the driver would serialize their 700 members again for each request. */
const CATEGORY_ARRAYS = arraysOf(CATEGORIES);
const FRAMEWORK_ARRAYS = arraysOf(FRAMEWORKS);

function arraysOf({ rules, values }: typeof CATEGORIES) {
  return { rules: `{${rules.join(',')}}`, values: `{${values.join(',')}}` };
}

function totals(): string {
  const rank = `array_position(ARRAY[${SEVERITIES.map((one) => `'${one}'`).join(', ')}], s.severity)`;
  return `
    SELECT CASE GROUPING(s.severity, p.name, s.rule_id)
             WHEN 7 THEN 'total' WHEN 3 THEN 'by severity' WHEN 5 THEN 'by project' ELSE 'by rule' END AS kind,
           COALESCE(s.severity, p.name, s.rule_id) AS value,
           (ARRAY[${SEVERITIES.map((one) => `'${one}'`).join(', ')}])[min(${rank})] AS severity,
           COALESCE(sum(s.shown) FILTER (WHERE s.status = 'open'), 0)::int AS open,
           COALESCE(sum(s.shown) FILTER (WHERE s.status = 'resolved'), 0)::int AS resolved,
           COALESCE(sum(s.shown_muted) FILTER (WHERE s.status = 'open'), 0)::int AS muted,
           0 AS count
    FROM summed s JOIN projects p ON p.tenant_id = $1 AND p.id = s.project_id
    WHERE s.misses = 0 AND s.shown > 0
    GROUP BY GROUPING SETS ((), (s.severity), (p.name), (s.rule_id))`;
}

function facet(name: Facet, value: string, join = '', shown = 's.shown'): string {
  const own = name === 'muted' ? 0 : BIT[name];
  return `UNION ALL (
      SELECT '${name}', ${value}, NULL, 0, 0, 0, sum(${shown})::int
      FROM summed s ${join}
      WHERE s.misses | ${own} = ${own}
      GROUP BY ${value} HAVING sum(${shown}) > 0
      ORDER BY 7 DESC, 2 LIMIT ${FACET_VALUES})`;
}
