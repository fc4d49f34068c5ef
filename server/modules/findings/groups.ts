import { RULES, type Severity } from '@cspm/scanner';
import { keyFor, positionAfter } from '../../platform/cursor.ts';
import type { Statement, TenantConnection } from '../../platform/database/tenant-database.ts';
import { listCustomRules } from '../rules/index.ts';
import { type FindingFilter, RANK, SEVERITIES } from './finding-filter.ts';
import { matching, type ScanMoment } from './matching.ts';
import { findScanMoment } from './queries.ts';
import { type RuleFilter, withRulesOf } from './rule-filter.ts';

export type GroupKey = 'rule' | 'asset' | 'project';

/** What decides the groups and their order. */
export type GroupQuery = FindingFilter & RuleFilter & { readonly by: GroupKey };

/** The group after which a page begins. */
export interface GroupPosition {
  /** The rank of the severity, 1 for the worst. */
  readonly rank: number;
  readonly open: number;
  readonly key: string;
}

export interface GroupRow {
  key: string;
  /** The title of one of the findings. */
  title: string;
  /** The rank of the worst severity, 1 for the worst. */
  rank: number;
  open: number;
  resolved: number;
  muted: number;
  last_seen_at: Date;
  projects: number;
}

/** Groups of findings, the worst first. */
export async function listGroups(
  db: TenantConnection,
  { by, ...filter }: GroupQuery,
  page: { readonly after: GroupPosition | null; readonly limit: number; readonly now: Date },
): Promise<GroupRow[]> {
  const scan = filter.scan === undefined ? null : await findScanMoment(db, filter.scan);
  if (scan === null && filter.scan !== undefined) return [];
  const query = groupsQuery(db.tenantId, by, await withRulesOf(db, filter), scan, page);
  return db.sql<GroupRow>(query.statement, query.values);
}

/**
 * The position of a cursor. Its key is that of a group, so it is compared with the parameters that it was made for.
 * @throws {ProblemError} VALIDATION_FAILED for a cursor of another query, or one that we did not make.
 */
export function groupAfter(cursor: string | undefined, query: GroupQuery): GroupPosition | null {
  const position = positionAfter(
    cursor,
    query,
    (parts): parts is readonly [string, string, string] =>
      parts.length === 3 &&
      parts.slice(0, 2).every((part) => /^\d{1,9}$/.test(part)) &&
      !parts[2]?.includes('\0'),
  );
  return position && { rank: Number(position[0]), open: Number(position[1]), key: position[2] };
}

export function keyOfGroup({ rank, open, key }: GroupRow, query: GroupQuery): string {
  return keyFor(query, [String(rank), String(open), key]);
}

/** The titles of rules: those of the product, and those of the tenant. */
export async function ruleTitles(db: TenantConnection): Promise<ReadonlyMap<string, string>> {
  const rules = [...(await listCustomRules(db)), ...RULES];
  return new Map(rules.map(({ id, title }) => [id, title]));
}

/** @param titles of rules; a rule that is gone has the title of its findings. */
export function groupView(row: GroupRow, by: GroupKey, titles: ReadonlyMap<string, string>) {
  const { key } = row;
  const title = {
    rule: () => titles.get(key) ?? row.title,
    asset: () => key.split('/').findLast((segment) => segment !== '') ?? key,
    project: () => key,
  }[by]();
  return {
    key,
    title,
    // The database holds what this server wrote there.
    severity: SEVERITIES[row.rank - 1] as Severity,
    open: row.open,
    resolved: row.resolved,
    muted: row.muted,
    lastSeenAt: row.last_seen_at.toISOString(),
    projects: row.projects,
  };
}

const KEY_OF_FINDING: Readonly<Record<GroupKey, string>> = {
  rule: 'f.rule_id',
  asset: 'f.asset_name',
  project: "''",
};

/**
 * Counts the findings once by every column that the groups or their numbers need, muted ones separately. The groups are
 * sums of these few rows. Not prepared, because the statement has very many forms.
 */
export function groupsQuery(
  tenantId: string,
  by: GroupKey,
  filter: FindingFilter,
  scan: ScanMoment | null,
  page: { readonly after: GroupPosition | null; readonly limit: number; readonly now: Date },
): { readonly statement: Statement; readonly values: readonly unknown[] } {
  const rows = matching(
    'findings-groups',
    tenantId,
    page.now,
    filter,
    scan,
    ['project', 'severity', 'status', 'rule', 'assetType', 'delta'],
    { whole: 'apart', columns: ['asset_name', 'title', 'last_seen_at'] },
  );
  const { parts, all, muted, isMutedWhole } = rows;
  const columns = `${KEY_OF_FINDING[by]} AS key, f.project_id, f.severity, f.status, f.last_seen_at`;
  const counted = (n: string, m: string, from: string) =>
    `SELECT ${columns}, max(f.title) AS title, ${n}::int AS n, ${m}::int AS m ${from} GROUP BY 1, 2, 3, 4, 5`;
  const shown = { true: 'sum(m)', false: 'sum(n) - sum(m)', undefined: 'sum(n)' }[
    `${filter.muted}`
  ];
  const text = `
    WITH ${rows.tables},
    counted AS MATERIALIZED (
      ${counted('count(*)', `(count(*) FILTER (WHERE ${isMutedWhole}))`, all)} UNION ALL ${counted('0', 'count(*)', muted)}
    ),
    grouped AS (
      SELECT ${by === 'project' ? 'p.name' : 'f.key'} AS key, max(f.title) AS title, min(${RANK}) AS rank,
             COALESCE(sum(f.shown) FILTER (WHERE f.status = 'open'), 0)::int AS open,
             COALESCE(sum(f.shown) FILTER (WHERE f.status = 'resolved'), 0)::int AS resolved,
             COALESCE(sum(f.m) FILTER (WHERE f.status = 'open'), 0)::int AS muted,
             max(f.last_seen_at) AS last_seen_at, count(DISTINCT f.project_id)::int AS projects
      FROM (
        SELECT key, project_id, severity, status, last_seen_at, max(title) AS title,
               ${shown} AS shown, ${filter.muted === false ? '0' : 'sum(m)'} AS m
        FROM counted GROUP BY 1, 2, 3, 4, 5 HAVING ${shown} > 0
      ) f
      JOIN projects p ON p.tenant_id = $1 AND p.id = f.project_id
      GROUP BY 1
    )
    SELECT key, title, rank, open, resolved, muted, last_seen_at, projects FROM grouped
    ${afterwards((value) => parts.placeholder(value), page.after)}
    ORDER BY rank, open DESC, key COLLATE "C" LIMIT ${parts.placeholder(page.limit)}`;
  return { statement: { name: '', reason: 'set', text }, values: parts.values };
}

function afterwards(placeholder: (value: unknown) => string, after: GroupPosition | null): string {
  if (after === null) return '';
  const rank = `${placeholder(after.rank)}::int`;
  const open = `${placeholder(after.open)}::int`;
  const key = placeholder(after.key);
  return `WHERE rank > ${rank} OR rank = ${rank} AND (
            open < ${open} OR open = ${open} AND key COLLATE "C" > ${key}::text)`;
}
