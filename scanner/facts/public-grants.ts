import { isObject, items, type JsonObject, type JsonValue, text } from '../json.ts';
import { isEnum } from './enumeration.ts';

/*
 * Fields: cloudresourcemanager v3, discovery revision 20261026.
 */

/** A role that a policy, or an access list, gives to everyone. */
export interface PublicGrant {
  readonly role: string;
  /** `allAuthenticatedUsers`: anyone with a Google account. */
  readonly member: 'allUsers' | 'allAuthenticatedUsers';
  /** Below `resource.data`, or starting at `iam_policy`. */
  readonly path: string;
}

const NONE: readonly PublicGrant[] = [];

/** The grants of a policy to everyone. Conditions are ignored, because they do not restrict who is granted the role. */
export function publicGrantsOf(policy: JsonObject): readonly PublicGrant[] {
  let grants: PublicGrant[] | undefined;
  const bindings = items(policy, 'bindings');
  for (let index = 0; index < bindings.length; index += 1) {
    const binding = bindings[index];
    if (!isObject(binding)) continue;
    for (const value of items(binding, 'members')) {
      const member = everyone(value);
      if (member === null) continue;
      const role = text(binding, 'role') ?? '';
      grants ??= [];
      grants.push({ role, member, path: `iam_policy.bindings[${index}].members` });
    }
  }
  return grants ?? NONE;
}

const LONGEST = 'ALL_AUTHENTICATED_USERS'.length;

/** The canonical spelling of a member that stands for everyone, in IAM, ACLs and access lists; null for any other. */
export function everyone(value: JsonValue | undefined): PublicGrant['member'] | null {
  if (typeof value !== 'string' || value.length > LONGEST) return null;
  if (value === 'allUsers' || value === 'allAuthenticatedUsers') return value;
  // Fast path: nearly every member has a prefix such as `user:`.
  if (value.includes(':')) return null;
  if (isEnum(value, 'allUsers')) return 'allUsers';
  return isEnum(value, 'allAuthenticatedUsers') ? 'allAuthenticatedUsers' : null;
}
