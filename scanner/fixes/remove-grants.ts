import { everyone } from '../facts/public-grants.ts';
import { isObject, items, text } from '../json.ts';
import { policyNotationOf } from './policy-notations.ts';
import type { Remedy, Repair } from './repair.ts';

/** A role that a policy gives to a member, both as written there. */
export interface GrantInPolicy {
  readonly role: string;
  readonly member: string;
}

/** The remedy of a rule that reports grants: removes those from the asset's own policy. */
export function removeGrants(
  isRemoved: (grant: GrantInPolicy, repair: Repair) => boolean,
  caution?: string,
): Remedy {
  return (repair) => {
    removeGrantsFrom(repair, (grant) => isRemoved(grant, repair));
    if (caution !== undefined) repair.caution(caution);
  };
}

/**
 * Removes the members, and bindings that would be left without any. Later elements first, as indexes shift.
 *
 * @param isDescribed whether to add a command and the Terraform resource of each grant
 */
export function removeGrantsFrom(
  repair: Repair,
  isRemoved: (grant: GrantInPolicy) => boolean,
  { isDescribed = true }: { readonly isDescribed?: boolean } = {},
): void {
  const bindings = items(repair.policy, 'bindings');
  const isConditional = bindings.some((one) => isObject(one) && isObject(one.condition));
  const removed = new Map<string, GrantInPolicy>();
  for (let index = bindings.length - 1; index >= 0; index -= 1) {
    const binding = bindings[index];
    if (!isObject(binding)) continue;
    const role = text(binding, 'role') ?? '';
    const members = items(binding, 'members');
    const count = members.length;
    for (let at = count - 1; at >= 0; at -= 1) {
      const member = members[at];
      if (typeof member !== 'string' || !isRemoved({ role, member })) continue;
      repair.removeFromPolicy(['bindings', index, 'members', at], member);
      removed.set(`${role} ${member}`, { role, member });
    }
    if (count > 0 && items(binding, 'members').length === 0) {
      repair.removeFromPolicy(['bindings', index]);
    }
  }
  if (!isDescribed) return;
  for (const grant of [...removed.values()].toReversed()) describe(repair, grant, isConditional);
}

function describe(repair: Repair, grant: GrantInPolicy, isConditional: boolean): void {
  const { role } = grant;
  const member = everyone(grant.member) ?? grant.member;
  const { command, terraform } = policyNotationOf(
    repair.asset.type,
    repair.part('location') ?? null,
  );
  if (typeof command !== 'string') {
    repair.gcloud(command.get, {}, ' > policy.json');
    repair.command('jq --arg role {role} --arg member {member}', { role, member }, WITHOUT_GRANT);
    repair.gcloud(command.set);
  } else {
    // For a policy with conditions, gcloud requires --condition or --all.
    const all = isConditional ? ' --all' : '';
    repair.gcloud(`${command} --member={member} --role={role}${all}`, { role, member });
  }
  repair.terraform(terraform, 'member', null, { role, member });
}

/** A policy without a member of a role, and without bindings that would be left without any. */
const WITHOUT_GRANT = ` '.bindings |= (map(if .role == $role then .members -= [$member] else . end) | map(select(.members != [])))' policy.json > reduced.json`;
