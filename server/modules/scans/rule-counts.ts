import type { Statement, TenantConnection } from '../../platform/database/tenant-database.ts';

/** Counts of the verdicts that a rule gave in a scan. */
export interface RuleCount {
  readonly ruleId: string;
  readonly pass: number;
  readonly fail: number;
  readonly na: number;
  readonly unknown: number;
  readonly missing: readonly string[];
}

/** One row for every rule of a scan, ordered by id, including rules that matched no asset. */
export async function ruleCountsOf(
  db: TenantConnection,
  scan: { readonly id: string; readonly profile_digest: string },
): Promise<RuleCount[]> {
  const rows = await db.sql<RuleCountRow>(COUNTS, [db.tenantId, scan.id, scan.profile_digest]);
  return rows.map(({ rule_id: ruleId, ...count }) => ({ ruleId, ...count }));
}

interface RuleCountRow extends Omit<RuleCount, 'ruleId'> {
  rule_id: string;
}

const COUNTS: Statement = {
  name: 'rule-counts',
  reason: 'set',
  text: `
    WITH counted AS (
      SELECT rule_id, sum(pass)::int AS pass, sum(fail)::int AS fail, sum(na)::int AS na,
             sum(unknown)::int AS unknown
      FROM scan_rule_counts WHERE tenant_id = $1 AND scan_id = $2 GROUP BY rule_id
    ), missed AS (
      SELECT c.rule_id, array_agg(DISTINCT m ORDER BY m) AS missing
      FROM scan_rule_counts c CROSS JOIN unnest(c.missing) AS m
      WHERE c.tenant_id = $1 AND c.scan_id = $2 GROUP BY c.rule_id
    ), listed AS (
      SELECT rule ->> 'id' AS rule_id FROM rulesets r CROSS JOIN jsonb_array_elements(r.rules) AS rule
      WHERE r.tenant_id = $1 AND r.digest = $3
      UNION
      SELECT rule_id FROM counted
    )
    SELECT rule_id, COALESCE(pass, 0) AS pass, COALESCE(fail, 0) AS fail, COALESCE(na, 0) AS na,
           COALESCE(unknown, 0) AS unknown, COALESCE(missing, '{}') AS missing
    FROM listed LEFT JOIN counted USING (rule_id) LEFT JOIN missed USING (rule_id)
    ORDER BY rule_id COLLATE "C"`,
};
