import { child, isTrue, type JsonObject } from '../json.ts';

/** Whether IAM alone decides on access, so that ACLs have no effect. Exports may hold the setting under its old name. */
export function hasUniformAccess(bucket: JsonObject): boolean {
  const configuration = child(bucket, 'iamConfiguration');
  return (
    isTrue(child(configuration, 'uniformBucketLevelAccess'), 'enabled') ||
    isTrue(child(configuration, 'bucketPolicyOnly'), 'enabled')
  );
}
