import { cis } from '../compliance.ts';
import { cite } from '../evidence.ts';
import { hasUniformAccess } from '../facts/bucket.ts';
import { everyone, type PublicGrant, publicGrantsOf } from '../facts/public-grants.ts';
import { removeGrantsFrom } from '../fixes/remove-grants.ts';
import type { Repair } from '../fixes/repair.ts';
import type { Asset } from '../inventory/normalise.ts';
import { isObject, items, type JsonObject, text } from '../json.ts';
import { failAll } from '../outcome.ts';
import type { Rule, Violation } from '../rule.ts';
import { combinedRule, passByPolicy } from '../rule-kinds.ts';
import { UnknownValue } from '../terraform/unknown-value.ts';

/*
 * Fields: storage v1, discovery revision 20261009.
 */

/** Roles that let anyone in the world replace or delete what others download. */
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
      'A bucket that grants a role to allUsers or allAuthenticatedUsers, in its policy or in an effective ACL, is open to anyone. The severity is critical for roles/storage.objectAdmin and roles/storage.legacyBucketWriter (WRITER in an ACL of the bucket). If the inventory has only the policy, the policy decides: it repeats the ACL of the bucket as legacy roles, but not the default ACL of new objects. A grant also counts while public access prevention keeps it out of effect, because it opens the bucket when that ends.',
    remediation:
      'Remove the grant, then enforce public access prevention: `gcloud storage buckets remove-iam-policy-binding gs://BUCKET --member=MEMBER --role=ROLE`; `gcloud storage buckets update gs://BUCKET --public-access-prevention`.',
    compliance: cis({ v4: '5.1', v5: '5.1' }),
    fix: makePrivate,
  },
  (asset) => {
    const { iamPolicy } = asset;
    const granted = iamPolicy === null ? [] : publicGrantsOf(iamPolicy);
    const listed = effectiveEntriesOf(asset);
    const isListKnown = !(listed instanceof UnknownValue);
    const [first, ...more] = [...granted, ...(isListKnown ? listed : [])].map(violationOf);
    if (first !== undefined) {
      const outcome = failAll(first, more);
      return isListKnown ? outcome : { ...outcome, mayHaveMore: true };
    }
    if (!isListKnown) throw listed;
    // The policy repeats the grants of the bucket's ACL as legacy roles, but the ACL does not contain the policy's
    // other roles: the policy alone can pass, the ACL alone cannot. Google's policy library decides by the policy alone,
    // too. The default ACL of new objects is then not evaluated, which the description says.
    return passByPolicy(asset);
  },
);

/** The public entries of the ACLs, unless uniform access disables them. A planned bucket may leave them open. */
function effectiveEntriesOf({ data }: Asset): readonly PublicGrant[] | UnknownValue {
  try {
    return data === null || hasUniformAccess(data) ? [] : publicEntriesOf(data);
  } catch (error) {
    if (error instanceof UnknownValue) return error;
    throw error;
  }
}

/** The roles of a bucket's ACL and the IAM roles that they stand for. */
const IAM_ROLES: ReadonlyMap<string, string> = new Map([
  ['READER', 'roles/storage.legacyBucketReader'],
  ['WRITER', 'roles/storage.legacyBucketWriter'],
  ['OWNER', 'roles/storage.legacyBucketOwner'],
]);

/**
 * Maps entries of the bucket's ACL to IAM roles, so a grant in both the ACL and the policy is one finding with a stable
 * identity across exports. The default ACL of new objects has no equivalent in the policy.
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

function makePrivate(repair: Repair): void {
  removeGrantsFrom(repair, ({ member }) => everyone(member) !== null);
  if (hasUniformAccess(repair.data)) return;
  for (const [list, option] of ACL_OPTIONS) {
    const entities = new Set<string>();
    repair.filterOut('', [list], (entry) => {
      const entity = isObject(entry) ? everyone(entry.entity) : null;
      if (entity !== null) entities.add(entity);
      return entity !== null;
    });
    for (const entity of entities) {
      repair.gcloud(`storage buckets update gs://{name} ${option}={entity}`, { entity });
      const kind = list === 'acl' ? 'bucket' : 'default_object';
      repair.terraform(`google_storage_${kind}_access_control`, 'entity', null, { entity });
    }
  }
}

const ACL_OPTIONS = [
  ['acl', '--remove-acl-grant'],
  ['defaultObjectAcl', '--remove-default-object-acl-grant'],
] as const;

function violationOf({ role, member, path }: PublicGrant): Violation {
  return {
    subject: `${role} ${member}`,
    message: path.startsWith('defaultObjectAcl')
      ? `${member} gets access to every new object of this bucket (${role}).`
      : `${member} has ${role} on this bucket.`,
    evidence: [cite(path, member)],
    severity: CRITICAL_ROLES.has(role) ? 'critical' : 'high',
  };
}
