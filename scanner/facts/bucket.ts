import { child, isTrue, type JsonObject } from '../json.ts';

/*
 * Fields: storage v1, discovery revision 20261009.
 */

/** Whether only IAM controls access, so ACLs have no effect. Exports may contain the setting under its old name. */
export function hasUniformAccess(bucket: JsonObject): boolean {
  const configuration = child(bucket, 'iamConfiguration');
  return (
    isTrue(child(configuration, 'uniformBucketLevelAccess'), 'enabled') ||
    isTrue(child(configuration, 'bucketPolicyOnly'), 'enabled')
  );
}
