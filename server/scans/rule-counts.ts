import type { Evaluation, Verdict } from '@cspm/scanner';
import type { Statement, TenantConnection } from '../database/tenant-database.ts';

/** How often each verdict was given, by rule. */
export type VerdictCounts = ReadonlyMap<string, Record<Verdict, number>>;

export function countVerdicts(evaluations: readonly Evaluation[]): VerdictCounts {
  const counts = new Map<string, Record<Verdict, number>>();
  for (const { ruleId, verdict } of evaluations) {
    let count = counts.get(ruleId);
    if (count === undefined) {
      count = { pass: 0, fail: 0, na: 0, unknown: 0 };
      counts.set(ruleId, count);
    }
    count[verdict] += 1;
  }
  return counts;
}

export function totalsOf(counts: VerdictCounts): Record<Verdict, number> {
  const totals = { pass: 0, fail: 0, na: 0, unknown: 0 };
  for (const count of counts.values()) {
    totals.pass += count.pass;
    totals.fail += count.fail;
    totals.na += count.na;
    totals.unknown += count.unknown;
  }
  return totals;
}

/** Adds the verdicts of a step to those of the scan of its project. */
export async function addRuleCounts(
  db: TenantConnection,
  of: { readonly scanId: string; readonly projectId: string },
  counts: VerdictCounts,
): Promise<void> {
  if (counts.size === 0) return;
  const rows = [...counts.values()];
  await db.sql(ADD, [
    db.tenantId,
    of.scanId,
    of.projectId,
    [...counts.keys()],
    rows.map((row) => row.pass),
    rows.map((row) => row.fail),
    rows.map((row) => row.na),
    rows.map((row) => row.unknown),
  ]);
}

const ADD: Statement = {
  name: 'rule-counts-add',
  text: `
    INSERT INTO scan_rule_counts AS c (tenant_id, scan_id, project_id, rule_id, pass, fail, na, unknown)
    SELECT $1, $2, $3, n.rule_id, n.pass, n.fail, n.na, n.unknown
    FROM unnest($4::text[], $5::int[], $6::int[], $7::int[], $8::int[])
      AS n(rule_id, pass, fail, na, unknown)
    ON CONFLICT (tenant_id, scan_id, project_id, rule_id) DO UPDATE SET
      pass = c.pass + EXCLUDED.pass, fail = c.fail + EXCLUDED.fail,
      na = c.na + EXCLUDED.na, unknown = c.unknown + EXCLUDED.unknown`,
};
