import { cite } from '../evidence.ts';
import { everyone, type PublicGrant, publicGrantsOf } from '../facts/public-grants.ts';
import { removeGrants } from '../fixes/remove-grants.ts';
import type { JsonObject } from '../json.ts';
import { failAll, PASS } from '../outcome.ts';
import type { Rule, Violation } from '../rule.ts';
import { policyRule, type RuleSpec } from '../rule-kinds.ts';

/**
 * A rule that the asset's own policy gives no role to everyone; one finding per role and member.
 *
 * @param place the kind of asset, as in `topic`
 */
export function publicPolicyRule(spec: RuleSpec, place: string): Rule {
  return policyRule({ fix: removePublicGrants, ...spec }, (policy) => {
    const [first, ...more] = publicGrantViolations(policy, place);
    return first === undefined ? PASS : failAll(first, more);
  });
}

/** Removes everyone from the policy. */
export const removePublicGrants = removeGrants(({ member }) => everyone(member) !== null);

/** The public grants in a policy. */
export function publicGrantViolations(policy: JsonObject, place: string): readonly Violation[] {
  return publicGrantsOf(policy).map((grant) => violationOf(grant, place));
}

function violationOf({ role, member, path }: PublicGrant, place: string): Violation {
  return {
    subject: `${role} ${member}`,
    message: `${member} has ${role} on this ${place}.`,
    evidence: [cite(path, member)],
  };
}
