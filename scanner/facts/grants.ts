import { isObject, items, type JsonObject, text } from '../json.ts';

/*
 * Fields: cloudresourcemanager v3, discovery revision 20261026.
 */

/** A role that a policy gives to a member. */
export interface Grant {
  /** `roles/owner`, `projects/p/roles/custom`; '' if the binding names none. */
  readonly role: string;
  /** `user:ada@example.com`, `principal://…`, and so on. */
  readonly member: string;
  /** Starting at `iam_policy`. */
  readonly path: string;
}

/** Which grants to look for. */
export interface GrantFilter {
  /** Default: any role. */
  readonly role?: (role: string) => boolean;
  readonly member: (member: string) => boolean;
}

const NONE: readonly Grant[] = [];

/** The grants of a policy. A conditional binding counts like any other: the condition may be true at any time. */
export function grantsIn(policy: JsonObject, filter: GrantFilter): readonly Grant[] {
  let grants: Grant[] | undefined;
  const bindings = items(policy, 'bindings');
  for (let index = 0; index < bindings.length; index += 1) {
    const binding = bindings[index];
    if (!isObject(binding)) continue;
    const role = text(binding, 'role') ?? '';
    if (filter.role?.(role) === false) continue;
    for (const member of items(binding, 'members')) {
      if (typeof member !== 'string' || !filter.member(member)) continue;
      grants ??= [];
      grants.push({ role, member, path: `iam_policy.bindings[${index}].members` });
    }
  }
  return grants ?? NONE;
}
