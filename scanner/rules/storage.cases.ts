import type { JsonObject } from '../json.ts';
import { assetOf, policyOf } from '../testing/asset.ts';
import { type RuleCase, type RuleCases, resourceCases } from '../testing/rule-cases.ts';
import { PREVENTION_CASES } from './bucket-public-access-prevention.cases.ts';

const TYPE = 'storage.googleapis.com/Bucket';
const bucket = resourceCases(TYPE);
const uniform = { iamConfiguration: { uniformBucketLevelAccess: { enabled: true } } };
const publicAcl = { acl: [{ entity: 'allUsers', role: 'READER' }] };

function granted(name: string, binding: string, data?: JsonObject): RuleCase {
  const asset = { type: TYPE, iamPolicy: policyOf(binding) };
  return { name, asset: assetOf(data === undefined ? asset : { ...asset, data }) };
}

const PRIVATE = 'roles/storage.objectViewer user:ada@example.com';

export const STORAGE_CASES: readonly RuleCases[] = [
  {
    rule: 'bucket-public',
    pass: [
      granted('a policy that names people, without the resource', PRIVATE),
      granted('a public ACL that uniform access puts out of effect', PRIVATE, {
        ...uniform,
        ...publicAcl,
      }),
      granted('an ACL that names people', PRIVATE, {
        acl: [{ entity: 'user-ada@example.com', role: 'OWNER' }],
        defaultObjectAcl: [{ entity: 'project-owners-1', role: 'OWNER' }],
      }),
    ],
    fail: [
      {
        ...granted(
          'a public reader, as high',
          'roles/storage.objectViewer allUsers allAuthenticatedUsers',
        ),
        findings: [
          { subject: 'roles/storage.objectViewer allUsers', severity: 'high' },
          { subject: 'roles/storage.objectViewer allAuthenticatedUsers', severity: 'high' },
        ],
      },
      {
        ...granted('a public objectAdmin, as critical', 'roles/storage.objectAdmin allUsers'),
        findings: [{ subject: 'roles/storage.objectAdmin allUsers', severity: 'critical' }],
      },
      {
        ...granted(
          'a public legacyBucketWriter, as critical, whatever the ACLs do',
          'roles/storage.legacyBucketWriter allAuthenticatedUsers',
          uniform,
        ),
        findings: [
          {
            subject: 'roles/storage.legacyBucketWriter allAuthenticatedUsers',
            severity: 'critical',
          },
        ],
      },
      {
        ...bucket.case('a public ACL, also without the policy', publicAcl),
        findings: [{ subject: 'roles/storage.legacyBucketReader allUsers', severity: 'high' }],
      },
      {
        ...bucket.case('an ACL that lets the public write, as critical', {
          acl: [{ entity: 'allUsers', role: 'WRITER' }],
        }),
        findings: [{ subject: 'roles/storage.legacyBucketWriter allUsers', severity: 'critical' }],
      },
      {
        ...bucket.case('a public default ACL of new objects', {
          defaultObjectAcl: [{ entity: 'allAuthenticatedUsers', role: 'READER' }],
        }),
        findings: [{ subject: 'defaultObjectAcl READER allAuthenticatedUsers', severity: 'high' }],
      },
      {
        ...granted(
          'a grant that policy and ACL both show, once',
          'roles/storage.legacyBucketReader allUsers',
          publicAcl,
        ),
        findings: [{ subject: 'roles/storage.legacyBucketReader allUsers', severity: 'high' }],
      },
    ],
    na: 'never',
    unknown: [
      bucket.case('a bucket with private ACLs and without its policy', { acl: [] }),
      bucket.case('a bucket under uniform access without its policy', uniform),
      { name: 'a bucket whose export has only its name', asset: assetOf({ type: TYPE }) },
    ],
  },
  {
    rule: 'bucket-uniform-access',
    pass: [
      bucket.case('uniform access switched on', uniform),
      bucket.case('uniform access switched on under its old name', {
        iamConfiguration: { bucketPolicyOnly: { enabled: true } },
      }),
    ],
    fail: [
      bucket.case('uniform access switched off', {
        iamConfiguration: {
          bucketPolicyOnly: { enabled: false },
          uniformBucketLevelAccess: { enabled: false },
        },
      }),
      bucket.case('a setting of null', {
        iamConfiguration: { bucketPolicyOnly: { enabled: null } },
      }),
      bucket.case('uniform access never mentioned', {}),
    ],
    na: 'never',
    unknown: bucket.unknown,
  },
  {
    rule: 'bucket-cmek',
    pass: [bucket.case('a default key', { encryption: { defaultKmsKeyName: 'projects/p/…/key' } })],
    fail: [
      bucket.case('no default key', { encryption: {} }),
      bucket.case('an empty name of a key', { encryption: { defaultKmsKeyName: '' } }),
    ],
    na: 'never',
    unknown: bucket.unknown,
  },
  {
    rule: 'bucket-logging',
    pass: [bucket.case('a bucket for its logs', { logging: { logBucket: 'logs' } })],
    fail: [
      bucket.case('no bucket for its logs', { logging: {} }),
      bucket.case('logging never mentioned', {}),
    ],
    na: 'never',
    unknown: bucket.unknown,
  },
  {
    rule: 'bucket-versioning',
    pass: [bucket.case('versioning switched on', { versioning: { enabled: true } })],
    fail: [
      bucket.case('versioning switched off', { versioning: { enabled: false } }),
      bucket.case('an empty setting', { versioning: {} }),
      bucket.case('versioning never mentioned', {}),
    ],
    na: 'never',
    unknown: bucket.unknown,
  },
  ...PREVENTION_CASES,
];
