import { cite } from '../evidence.ts';
import { type Grant, type GrantFilter, grantsIn } from '../facts/grants.ts';
import { fail, PASS } from '../outcome.ts';
import type { AssetRule, Outcome } from '../rule.ts';
import { policyRule, type RuleSpec } from '../rule-kinds.ts';

/** What is said of a grant that a rule finds. */
export type GrantMessage = (grant: Grant) => string;

/** A rule that the policy of the asset itself make no such grant; one finding for each role and member. */
export function grantRule(spec: RuleSpec, filter: GrantFilter, message: GrantMessage): AssetRule {
  return policyRule(spec, (policy) => outcomeOf(grantsIn(policy, filter), message));
}

/** The outcome of a rule that finds these grants. */
export function outcomeOf(grants: readonly Grant[], message: GrantMessage): Outcome {
  if (grants.length === 0) return PASS;
  const [first, ...more] = grants.map((grant) => ({
    subject: `${grant.role} ${grant.member}`,
    message: message(grant),
    evidence: [cite(grant.path, grant.member)],
  }));
  return first === undefined ? PASS : fail(first, ...more);
}
