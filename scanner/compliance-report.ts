import type { Framework } from './compliance.ts';
import { type FrameworkRequirement, REQUIREMENTS } from './frameworks/cis-gcp.ts';
import { RULES } from './rules/catalogue.ts';

/** Number of verdicts of each kind that a rule gave in a scan. */
export interface VerdictCount {
  readonly ruleId: string;
  readonly pass: number;
  readonly fail: number;
  readonly na: number;
  readonly unknown: number;
}

export type RequirementStatus = 'pass' | 'fail' | 'unknown' | 'na' | 'manual';

export interface AssessedRequirement<C extends VerdictCount> extends FrameworkRequirement {
  readonly status: RequirementStatus;
  /** The rules that decide the requirement and that the scan evaluated. */
  readonly rules: C[];
}

/** The result of a scan for each requirement of a framework. */
export interface ComplianceReport<C extends VerdictCount> {
  readonly framework: Framework;
  /** Requirements by status. */
  readonly summary: Record<RequirementStatus, number>;
  /** Every requirement of the framework, in its order. */
  readonly requirements: AssessedRequirement<C>[];
}

/**
 * Assesses every requirement of a framework by the verdicts of a scan.
 *
 * @param counts a row for each rule of the profile that the scan evaluated, even if it applied to no asset;
 * requirements of rules without a row stay undecided
 */
export function complianceReport<C extends VerdictCount>(
  framework: Framework,
  counts: readonly C[],
): ComplianceReport<C> {
  const byRule = new Map(counts.map((count) => [count.ruleId, count]));
  const requirements = DECIDED[framework].map(({ requirement, deciding }) => {
    const rules = deciding.flatMap((id) => byRule.get(id) ?? []);
    const status = statusOf(requirement, deciding.length, rules);
    return { ...requirement, status, rules };
  });
  const summary = { pass: 0, fail: 0, unknown: 0, na: 0, manual: 0 };
  for (const { status } of requirements) summary[status] += 1;
  return { framework, summary, requirements };
}

/** The requirements of each framework, in its order, with the ids of the rules that decide them. */
const DECIDED = {
  'cis-gcp-2.0': withRules('cis-gcp-2.0'),
  'cis-gcp-4.0': withRules('cis-gcp-4.0'),
  'cis-gcp-5.0': withRules('cis-gcp-5.0'),
} satisfies Record<Framework, unknown>;

function withRules(framework: Framework) {
  return REQUIREMENTS[framework].map((requirement) => {
    const decides = (rule: (typeof RULES)[number]) =>
      rule.compliance.some((one) => one.framework === framework && one.id === requirement.id);
    return { requirement, deciding: RULES.filter(decides).map(({ id }) => id) };
  });
}

/** A violation outweighs an unknown verdict, and that outweighs a pass. */
function statusOf(
  { assessment }: FrameworkRequirement,
  deciding: number,
  rules: readonly VerdictCount[],
): RequirementStatus {
  if (deciding === 0) return assessment === 'manual' ? 'manual' : 'unknown';
  if (rules.some(({ fail }) => fail > 0)) return 'fail';
  if (rules.length < deciding || rules.some(({ unknown }) => unknown > 0)) return 'unknown';
  return rules.some(({ pass }) => pass > 0) ? 'pass' : 'na';
}
