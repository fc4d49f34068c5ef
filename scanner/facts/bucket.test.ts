import { expect, it } from 'vitest';
import { hasUniformAccess } from './bucket.ts';

it.each([
  [{ uniformBucketLevelAccess: { enabled: true } }, true],
  [{ bucketPolicyOnly: { enabled: true } }, true],
  [{ bucketPolicyOnly: { enabled: true }, uniformBucketLevelAccess: { enabled: false } }, true],
  [{ bucketPolicyOnly: { enabled: null } }, false],
  [{ uniformBucketLevelAccess: { enabled: 'true' } }, false],
  [{}, false],
])('a bucket configured as %j has uniform access: %s', (iamConfiguration, uniform) => {
  expect(hasUniformAccess({ iamConfiguration })).toBe(uniform);
});
