import { cis, NO_REQUIREMENT } from '../compliance.ts';
import { cite } from '../evidence.ts';
import { hasUniformAccess } from '../facts/bucket.ts';
import { set } from '../fixes/set.ts';
import { child } from '../json.ts';
import { fail, PASS } from '../outcome.ts';
import type { Rule } from '../rule.ts';
import { resourceRule } from '../rule-kinds.ts';
import { bucketPublic } from './bucket-public.ts';
import { bucketPublicAccessPrevention } from './bucket-public-access-prevention.ts';
import { requiredSettingRule } from './required-setting.ts';

/*
 * Fields: storage v1, discovery revision 20261009.
 */

const BUCKET = ['storage.googleapis.com/Bucket'];

const UPDATE = 'storage buckets update gs://{name}';

const bucketUniformAccess = resourceRule(
  {
    id: 'bucket-uniform-access',
    title: 'Bucket uses ACLs',
    severity: 'medium',
    category: 'storage',
    assetTypes: BUCKET,
    description:
      'Without uniform bucket-level access each object has its own access list in addition to IAM, so no policy shows who can read what.',
    remediation:
      'Replace the grants of the ACLs with IAM grants, then enable it: `gcloud storage buckets update gs://BUCKET --uniform-bucket-level-access`.',
    compliance: cis({ v4: '5.2', v5: '5.2' }),
    fix: set(
      { 'iamConfiguration.uniformBucketLevelAccess.enabled': true },
      {
        gcloud: `${UPDATE} --uniform-bucket-level-access`,
        terraform: { google_storage_bucket: { uniform_bucket_level_access: true } },
        caution: 'Access by ACLs ends: replace the grants of ACLs with IAM grants first.',
      },
    ),
  },
  (bucket) => {
    if (hasUniformAccess(bucket)) return PASS;
    const configuration = child(bucket, 'iamConfiguration');
    return fail({
      message: 'Uniform bucket-level access is disabled for this bucket.',
      evidence: [
        cite(
          'iamConfiguration.uniformBucketLevelAccess.enabled',
          child(configuration, 'uniformBucketLevelAccess')?.enabled,
        ),
        cite(
          'iamConfiguration.bucketPolicyOnly.enabled',
          child(configuration, 'bucketPolicyOnly')?.enabled,
        ),
      ],
    });
  },
);

const bucketCmek = requiredSettingRule(
  {
    id: 'bucket-cmek',
    title: 'Bucket has no default encryption key',
    severity: 'low',
    category: 'storage',
    assetTypes: BUCKET,
    description:
      'Objects are encrypted with Google-managed keys unless the bucket has a customer-managed default key, which you can rotate, monitor and revoke.',
    remediation:
      'Set a default key: `gcloud storage buckets update gs://BUCKET --default-encryption-key=KEY`.',
    compliance: NO_REQUIREMENT,
    noFix: 'needs the name of a key',
  },
  {
    path: 'encryption.defaultKmsKeyName',
    message: 'This bucket has no default encryption key.',
  },
);

const bucketLogging = requiredSettingRule(
  {
    id: 'bucket-logging',
    title: 'Bucket has no usage logs',
    severity: 'low',
    category: 'storage',
    assetTypes: BUCKET,
    description:
      'Usage logs show who read which object, including public access, which leaves no audit log.',
    remediation:
      'Set a bucket for the logs: `gcloud storage buckets update gs://BUCKET --log-bucket=gs://LOGS`.',
    compliance: NO_REQUIREMENT,
    noFix: 'needs a bucket for the logs',
  },
  {
    path: 'logging.logBucket',
    message: 'This bucket has no log bucket for usage logs.',
  },
);

const bucketVersioning = requiredSettingRule(
  {
    id: 'bucket-versioning',
    title: 'Bucket has no object versioning',
    severity: 'low',
    category: 'storage',
    assetTypes: BUCKET,
    description:
      'With versioning, an object that was overwritten or deleted, by mistake or by ransomware, can be restored.',
    remediation:
      'Enable it: `gcloud storage buckets update gs://BUCKET --versioning`. Old versions are kept and billed until they are deleted. Add a lifecycle rule that deletes them, and keep the rules that the bucket has.',
    compliance: NO_REQUIREMENT,
    fix: set(
      { 'versioning.enabled': true },
      {
        gcloud: `${UPDATE} --versioning`,
        terraform: { google_storage_bucket: { 'versioning.enabled': true } },
      },
    ),
  },
  {
    path: 'versioning.enabled',
    suffices: (value) => value === true,
    message: 'Versioning is disabled for this bucket.',
  },
);

export const STORAGE_RULES: readonly Rule[] = [
  bucketCmek,
  bucketLogging,
  bucketPublic,
  bucketPublicAccessPrevention,
  bucketUniformAccess,
  bucketVersioning,
];
