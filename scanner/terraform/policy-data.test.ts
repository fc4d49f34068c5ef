import { describe, expect, it } from 'vitest';
import { planOf } from '../testing/plan.ts';
import { verdictsOf } from '../testing/plan-verdicts.ts';

/** A bucket, and a policy on it as the provider writes it: a JSON text. */
function bucketWith(policy: unknown) {
  return planOf(
    {
      address: 'google_storage_bucket.b',
      values: { name: 'shop', location: 'EU', uniform_bucket_level_access: true },
    },
    {
      address: 'google_storage_bucket_iam_policy.b',
      values: {
        bucket: 'shop',
        policy_data: typeof policy === 'string' ? policy : JSON.stringify(policy),
      },
    },
  );
}

const bindings = (count: number) =>
  Array.from({ length: count }, () => ({ role: 'roles/storage.admin', members: ['user:a@b.ch'] }));

/** Nested lists. */
const nested = (depth: number) => JSON.parse('['.repeat(depth) + ']'.repeat(depth));

describe('the policy of a Terraform resource', () => {
  it.each<[string, unknown]>([
    ['is not JSON', 'not json'],
    ['is nested a million levels deep', '['.repeat(1_000_000)],
    ['is nested deeper than a record may be', { bindings: [], extra: nested(80) }],
    ['has more values than a record may have', { bindings: bindings(200_000) }],
    ['is a list', [1]],
    ['is null', null],
    ['has bindings that are not a list', { bindings: 5 }],
    ['has a binding that is not an object', { bindings: [1] }],
    ['has a binding whose members are not a list', { bindings: [{ role: 'r', members: 'all' }] }],
  ])('the policy of a Terraform resource leaves verdicts open if it %s', async (_what, policy) => {
    const verdicts = await verdictsOf(bucketWith(policy));
    expect(verdicts.get('bucket-public shop')).toBe('unknown');
  });

  it('the policy of a Terraform resource decides verdicts if it can be read, and even without bindings', async () => {
    const isPublic = { bindings: [{ role: 'roles/storage.admin', members: ['allUsers'] }] };
    expect((await verdictsOf(bucketWith(isPublic))).get('bucket-public shop')).toBe('fail');
    expect((await verdictsOf(bucketWith({}))).get('bucket-public shop')).toBe('pass');
  });

  it('the policy of a Terraform resource is read if it has 200,000 bindings and no more values than a record may have', async () => {
    const empty = Array.from({ length: 200_000 }, () => ({}));
    expect((await verdictsOf(bucketWith({ bindings: empty }))).size).toBeGreaterThan(0);
  });

  it('the public grant in a policy of a Terraform resource fails although another binding cannot be read', async () => {
    const verdicts = await verdictsOf(
      bucketWith({ bindings: [{ role: 'roles/storage.admin', members: ['allUsers'] }, 1] }),
    );
    expect(verdicts.get('bucket-public shop')).toBe('fail');
  });
});
