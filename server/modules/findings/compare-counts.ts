import type { Severity } from '@cspm/scanner';
import type { Statement, TenantConnection } from '../../platform/database/tenant-database.ts';
import {
  betweenOf,
  type Change,
  type ChangeFilter,
  type Comparison,
  changedOf,
  sureChange,
} from './compare.ts';
import { StatementParts } from './finding-filter.ts';
import { type ScanMoment, seenBy } from './matching.ts';

type Count = { readonly total: number; readonly bySeverity: Record<Severity, number> };

/** The numbers of findings by change and severity. The filters on change and severity do not apply to them. */
export async function countChanges(
  db: TenantConnection,
  comparison: Comparison,
  filter: ChangeFilter,
): Promise<Record<Change, Count>> {
  const { statement, values } = countQuery(db.tenantId, comparison, filter);
  const rows = await db.sql<CountRow>(statement, values);
  const of = (change: Change): Count => {
    const n = (severity: Severity) =>
      rows.find((row) => row.change === change && row.severity === severity)?.count ?? 0;
    const bySeverity = {
      critical: n('critical'),
      high: n('high'),
      medium: n('medium'),
      low: n('low'),
      info: n('info'),
    };
    const total = Object.values(bySeverity).reduce((sum, one) => sum + one, 0);
    return { total, bySeverity };
  };
  return {
    new: of('new'),
    resolved: of('resolved'),
    reopened: of('reopened'),
    unchanged: of('unchanged'),
  };
}

interface CountRow {
  change: string;
  severity: string;
  count: number;
}

export function countQuery(
  tenantId: string,
  comparison: Comparison,
  { project, rule, q }: ChangeFilter,
): { readonly statement: Statement; readonly values: readonly unknown[] } {
  const parts = new StatementParts(tenantId);
  const seen = (scan: ScanMoment) =>
    `SELECT sf.finding_id AS id, sf.delta FROM scan_findings sf WHERE ${seenBy(parts, scan)}`;
  const text = `
    WITH later AS MATERIALIZED (${seen(comparison.later)}),
    earlier AS MATERIALIZED (${seen(comparison.earlier)}),
    ${betweenOf(parts, comparison)},
    compared AS (
      SELECT id, ${sureChange} AS sure, later.delta AS later, earlier.delta AS earlier
      FROM later FULL JOIN earlier USING (id) OFFSET 0
    )
    SELECT change, severity, count(*)::int AS count
    FROM (${changedOf(parts, comparison, { project, rule, q }, ['project', 'rule'])}) f
    GROUP BY change, severity`;
  return { statement: { name: '', reason: 'set', text }, values: parts.values };
}
