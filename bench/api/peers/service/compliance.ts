import { complianceReport } from '../../../../scanner/compliance-report.ts';
import type { ComplianceQuery, ComplianceReport, RuleCount } from './compliance-schemas.ts';

/**
 * @param ruleset the rules of the scan as stored
 * @param counts of each rule in each project
 */
export function complianceOf(
  scan: string,
  { framework }: ComplianceQuery,
  ruleset: unknown,
  counts: readonly RuleCount[],
): ComplianceReport {
  // The service itself wrote the rules.
  const listed = (ruleset ?? []) as readonly { readonly id: string }[];
  const byRule = new Map(listed.map(({ id }) => [id, noVerdicts(id)]));
  for (const { ruleId, pass, fail, na, unknown, missing } of counts) {
    const sum = byRule.get(ruleId) ?? noVerdicts(ruleId);
    byRule.set(ruleId, {
      ruleId,
      pass: sum.pass + pass,
      fail: sum.fail + fail,
      na: sum.na + na,
      unknown: sum.unknown + unknown,
      missing: missing.length === 0 ? sum.missing : union(sum.missing, missing),
    });
  }
  return { ...complianceReport(framework, [...byRule.values()]), scan };
}

function noVerdicts(ruleId: string): RuleCount {
  return { ruleId, pass: 0, fail: 0, na: 0, unknown: 0, missing: [] };
}

function union(a: readonly string[], b: readonly string[]): string[] {
  return [...new Set([...a, ...b])].sort();
}
