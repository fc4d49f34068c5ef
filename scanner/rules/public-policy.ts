import { cite } from '../evidence.ts';
import { type PublicGrant, publicGrantsOf } from '../facts/public-grants.ts';
import { fail, PASS } from '../outcome.ts';
import type { Rule, Violation } from '../rule.ts';
import { policyRule, type RuleSpec } from '../rule-kinds.ts';

/**
 * A rule that no role be given to everyone by the policy of the asset itself; one finding for each role and member.
 *
 * @param place what the asset is, as in `topic`
 */
export function publicPolicyRule(spec: RuleSpec, place: string): Rule {
  return policyRule(spec, (policy) => {
    const grants = publicGrantsOf(policy);
    if (grants.length === 0) return PASS;
    const [first, ...more] = grants.map((grant) => violationOf(grant, place));
    return first === undefined ? PASS : fail(first, ...more);
  });
}

function violationOf({ role, member, path }: PublicGrant, place: string): Violation {
  return {
    subject: `${role} ${member}`,
    message: `${member} holds ${role} on this ${place}.`,
    evidence: [cite(path, member)],
  };
}
