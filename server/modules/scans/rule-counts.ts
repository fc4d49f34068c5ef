import type { Statement, TenantConnection } from '../../platform/database/tenant-database.ts';

/** Counts of the verdicts that a rule gave in a scan. */
export interface RuleCount {
  readonly ruleId: string;
  readonly pass: number;
  readonly fail: number;
  readonly na: number;
  readonly unknown: number;
  readonly missing: string[];
}

/**
 * One row for every rule of a scan, ordered by id, including rules that matched no asset.
 * @returns null when the tenant has no such scan.
 */
export async function ruleCountsOf(
  db: TenantConnection,
  scanId: string,
): Promise<RuleCount[] | null> {
  const rows = await db.sql<RuleCountRow>(COUNTS, [db.tenantId, scanId]);
  if (rows.length === 0) return null;
  return rows.flatMap(({ rule_id: ruleId, pass, fail, na, unknown, missing }) =>
    ruleId === null ? [] : { ruleId, pass, fail, na, unknown, missing },
  );
}

interface RuleCountRow extends Omit<RuleCount, 'ruleId'> {
  /** Null in the only row of a scan without rules: releases that did not store them left such scans. */
  rule_id: string | null;
}

export const COUNTS: Statement = {
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
      SELECT rule ->> 'id' AS rule_id
      FROM scans s
      JOIN rulesets r ON r.tenant_id = $1 AND r.digest = s.profile_digest
      CROSS JOIN jsonb_array_elements(r.rules) AS rule
      WHERE s.tenant_id = $1 AND s.id = $2
      UNION
      SELECT rule_id FROM counted
    )
    SELECT rule_id, COALESCE(pass, 0) AS pass, COALESCE(fail, 0) AS fail, COALESCE(na, 0) AS na,
           COALESCE(unknown, 0) AS unknown, COALESCE(missing, '{}') AS missing
    FROM scans s
    LEFT JOIN listed ON true LEFT JOIN counted USING (rule_id) LEFT JOIN missed USING (rule_id)
    WHERE s.tenant_id = $1 AND s.id = $2
    ORDER BY rule_id COLLATE "C"`,
};
