import { cis } from '../compliance.ts';
import { cite } from '../evidence.ts';
import { hasUniformAccess } from '../facts/bucket.ts';
import { everyone, type PublicGrant, publicGrantsOf } from '../facts/public-grants.ts';
import { isObject, items, type JsonObject, text } from '../json.ts';
import { fail, PASS, unknown } from '../outcome.ts';
import type { Rule, Violation } from '../rule.ts';
import { combinedRule } from '../rule-kinds.ts';

/** Roles with which anyone in the world could replace or delete what others download. */
const CRITICAL_ROLES: ReadonlySet<string> = new Set([
  'roles/storage.objectAdmin',
  'roles/storage.legacyBucketWriter',
]);

export const bucketPublic: Rule = combinedRule(
  {
    id: 'bucket-public',
    title: 'Bucket is public',
    severity: 'high',
    category: 'storage',
    assetTypes: ['storage.googleapis.com/Bucket'],
    description:
      'A bucket that gives a role to allUsers or allAuthenticatedUsers, by its policy or by an ACL where ACLs have effect, is open to anyone in the world. It is critical where they may write.',
    remediation:
      'Remove the grant, then rule it out: gcloud storage buckets remove-iam-policy-binding gs://BUCKET --member=MEMBER --role=ROLE; gcloud storage buckets update gs://BUCKET --public-access-prevention.',
    compliance: cis({ v4: '5.1', v5: '5.1' }),
  },
  ({ data, iamPolicy }) => {
    const grants = [
      ...(iamPolicy === null ? [] : publicGrantsOf(iamPolicy)),
      ...(data === null || hasUniformAccess(data) ? [] : publicEntriesOf(data)),
    ];
    const [first, ...more] = grants.map(violationOf);
    if (first !== undefined) return fail(first, ...more);
    // The policy repeats what the bucket's ACL grants, as legacy roles, but the ACL knows nothing of the policy's other
    // roles: the policy alone is enough to pass, the ACL alone is not.
    return iamPolicy === null ? unknown('IAM_POLICY') : PASS;
  },
);

/** The roles of a bucket's ACL and the IAM roles that they are names for. */
const IAM_ROLES: ReadonlyMap<string, string> = new Map([
  ['READER', 'roles/storage.legacyBucketReader'],
  ['WRITER', 'roles/storage.legacyBucketWriter'],
  ['OWNER', 'roles/storage.legacyBucketOwner'],
]);

/**
 * Entries of the bucket's ACL go under their IAM roles, so that a grant seen there and in the policy is one finding,
 * and stays it in later exports. The default ACL of new objects has no such twin.
 */
function publicEntriesOf(bucket: JsonObject): readonly PublicGrant[] {
  return ['acl', 'defaultObjectAcl'].flatMap((list) =>
    items(bucket, list).flatMap((entry, index) => {
      const member = isObject(entry) ? everyone(entry.entity) : null;
      if (!isObject(entry) || member === null) return [];
      const role = (text(entry, 'role') ?? '').toUpperCase();
      const granted = list === 'acl' ? (IAM_ROLES.get(role) ?? role) : `${list} ${role}`;
      return [{ role: granted, member, path: `${list}[${index}].entity` }];
    }),
  );
}

function violationOf({ role, member, path }: PublicGrant): Violation {
  return {
    subject: `${role} ${member}`,
    message: path.startsWith('defaultObjectAcl')
      ? `${member} gets access to every new object of this bucket (${role}).`
      : `${member} holds ${role} on this bucket.`,
    evidence: [cite(path, member)],
    severity: CRITICAL_ROLES.has(role) ? 'critical' : 'high',
  };
}
