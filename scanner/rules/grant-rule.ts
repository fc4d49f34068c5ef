import { cite } from '../evidence.ts';
import { type Grant, type GrantFilter, grantsIn } from '../facts/grants.ts';
import { removeGrants } from '../fixes/remove-grants.ts';
import { failAll, PASS } from '../outcome.ts';
import type { AssetRule, Outcome } from '../rule.ts';
import { policyRule, type RuleSpec } from '../rule-kinds.ts';

/** How a rule describes a grant that it reports. */
export type GrantMessage = (grant: Grant) => string;

/** A rule that the asset's own policy has no such grant; one finding per role and member. */
export function grantRule(spec: RuleSpec, filter: GrantFilter, message: GrantMessage): AssetRule {
  const fix = removeGrants((grant) => isSelected(grant, filter), NEEDS_GRANTS);
  return policyRule({ fix, ...spec }, (policy) => outcomeOf(grantsIn(policy, filter), message));
}

/** The outcome of a rule that has found these grants. */
export function outcomeOf(grants: readonly Grant[], message: GrantMessage): Outcome {
  if (grants.length === 0) return PASS;
  const [first, ...more] = grants.map((grant) => ({
    subject: `${grant.role} ${grant.member}`,
    message: message(grant),
    evidence: [cite(grant.path, grant.member)],
  }));
  return first === undefined ? PASS : failAll(first, more);
}

const NEEDS_GRANTS = 'Grant what these members need in another way first.';

/** Whether a filter selects a grant. */
export function isSelected(
  { role, member }: Pick<Grant, 'role' | 'member'>,
  filter: GrantFilter,
): boolean {
  return filter.role?.(role) !== false && filter.member(member);
}
