import { cis, NO_REQUIREMENT } from '../compliance.ts';
import { cite } from '../evidence.ts';
import { hasUniformAccess } from '../facts/bucket.ts';
import { child } from '../json.ts';
import { fail, PASS } from '../outcome.ts';
import type { Rule } from '../rule.ts';
import { resourceRule } from '../rule-kinds.ts';
import { bucketPublic } from './bucket-public.ts';
import { bucketPublicAccessPrevention } from './bucket-public-access-prevention.ts';
import { requiredSettingRule } from './required-setting.ts';

const BUCKET = ['storage.googleapis.com/Bucket'];

const bucketUniformAccess = resourceRule(
  {
    id: 'bucket-uniform-access',
    title: 'Bucket still uses ACLs',
    severity: 'medium',
    category: 'storage',
    assetTypes: BUCKET,
    description:
      'Without uniform bucket-level access each object carries an access list of its own beside IAM, so that no policy tells who can read what.',
    remediation:
      'Move what the ACLs grant to IAM, then switch it on: gcloud storage buckets update gs://BUCKET --uniform-bucket-level-access.',
    compliance: cis({ v4: '5.2', v5: '5.2' }),
  },
  (bucket) => {
    if (hasUniformAccess(bucket)) return PASS;
    const configuration = child(bucket, 'iamConfiguration');
    return fail({
      message: 'Uniform bucket-level access is off for this bucket.',
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
    title: 'Bucket has no encryption key of its own',
    severity: 'low',
    category: 'storage',
    assetTypes: BUCKET,
    description:
      'Objects are encrypted with keys that Google holds unless the bucket names a default key of yours, which you can rotate, watch and take away.',
    remediation:
      'Name a default key: gcloud storage buckets update gs://BUCKET --default-encryption-key=KEY.',
    compliance: NO_REQUIREMENT,
  },
  {
    path: 'encryption.defaultKmsKeyName',
    message: 'This bucket names no default encryption key.',
  },
);

const bucketLogging = requiredSettingRule(
  {
    id: 'bucket-logging',
    title: 'Bucket keeps no usage logs',
    severity: 'low',
    category: 'storage',
    assetTypes: BUCKET,
    description:
      'Usage logs show who read which object, also where that access is public and leaves no audit log.',
    remediation:
      'Name a bucket for the logs: gcloud storage buckets update gs://BUCKET --log-bucket=gs://LOGS.',
    compliance: NO_REQUIREMENT,
  },
  {
    path: 'logging.logBucket',
    message: 'This bucket names no bucket for its usage logs.',
  },
);

const bucketVersioning = requiredSettingRule(
  {
    id: 'bucket-versioning',
    title: 'Bucket keeps no earlier versions',
    severity: 'low',
    category: 'storage',
    assetTypes: BUCKET,
    description:
      'With versioning an object that is overwritten or deleted, by mistake or for ransom, can be had back.',
    remediation:
      'Switch it on, with a lifecycle rule that ends old versions: gcloud storage buckets update gs://BUCKET --versioning --lifecycle-file=FILE.',
    compliance: NO_REQUIREMENT,
  },
  {
    path: 'versioning.enabled',
    suffices: (value) => value === true,
    message: 'Versioning is off for this bucket.',
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
