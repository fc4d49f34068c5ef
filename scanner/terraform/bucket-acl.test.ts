import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../json.ts';
import { constant, type PlannedResource, planOf, reference } from '../testing/plan.ts';
import { verdictsOf } from '../testing/plan-verdicts.ts';

const BUCKET = {
  address: 'google_storage_bucket.b',
  values: { name: 'shop', location: 'EU', uniform_bucket_level_access: false },
  expressions: { name: constant('shop'), location: constant('EU') },
};

const grantTo = (member: string) => ({
  address: 'google_storage_bucket_iam_member.m',
  values: { bucket: 'shop', role: 'roles/storage.objectViewer', member },
  expressions: { bucket: reference('google_storage_bucket.b.name'), member: constant(member) },
});

/** An access list as a plan shows it: `role_entity` is known after apply if it is not set. */
function acl(values: JsonObject, type = 'google_storage_bucket_acl') {
  return {
    address: `${type}.a`,
    values: { bucket: 'shop', ...values },
    unknown: values['role_entity'] === undefined ? { role_entity: true } : {},
    expressions: {
      bucket: reference('google_storage_bucket.b.name'),
      ...Object.fromEntries(Object.entries(values).map(([name, one]) => [name, constant(one)])),
    },
  };
}

async function verdictOf(...resources: readonly PlannedResource[]) {
  return (await verdictsOf(planOf(BUCKET, ...resources))).get('bucket-public shop');
}

/** The documented predefined ACLs of buckets and of objects, and the verdict of a bucket with each. */
const PREDEFINED = {
  authenticatedRead: 'fail',
  bucketOwnerFullControl: 'pass',
  bucketOwnerRead: 'pass',
  private: 'pass',
  projectPrivate: 'pass',
  publicRead: 'fail',
  publicReadWrite: 'fail',
  'a later one': 'unknown',
};

describe('the access list of a bucket in a Terraform plan', () => {
  it.each(Object.entries(PREDEFINED))(
    'the predefined access list %s decides the verdict of a bucket: %s',
    async (name, expected) => {
      const grant = grantTo('user:ada@example.com');
      expect(await verdictOf(grant, acl({ predefined_acl: name }))).toBe(expected);
      expect(await verdictOf(grant, acl({ default_acl: name }))).toBe(expected);
      const listed = { role_entity: ['OWNER:user-ada@example.com'], default_acl: name };
      expect(await verdictOf(grant, acl(listed))).toBe(expected);
    },
  );

  it('the predefined access list of a bucket decides without the configuration of the resource', async () => {
    const { expressions: _, ...resource } = acl({ predefined_acl: 'private' });
    expect(await verdictOf(grantTo('user:ada@example.com'), resource)).toBe('pass');
  });

  it('the predefined default access list of a bucket is read in a state', async () => {
    const managed = ({ address, values }: { address: string; values: JsonObject }) => ({
      address,
      mode: 'managed',
      type: address.slice(0, address.indexOf('.')),
      name: address.slice(address.indexOf('.') + 1),
      values,
    });
    const verdicts = await verdictsOf({
      format_version: '1.0',
      values: {
        root_module: {
          resources: [
            managed(BUCKET),
            managed(grantTo('user:ada@example.com')),
            managed(acl({ predefined_acl: 'private', default_acl: 'publicRead' })),
          ],
        },
      },
    });
    expect(verdicts.get('bucket-public shop')).toBe('fail');
  });

  it('an omitted list of default entries means none', async () => {
    const list = acl({}, 'google_storage_default_object_acl');
    expect(await verdictOf(grantTo('user:ada@example.com'), list)).toBe('pass');
  });

  it('a public grant fails although the access list of the bucket is unknown', async () => {
    const unknown = { ...acl({}), expressions: { role_entity: { references: ['local.acl'] } } };
    expect(await verdictOf(grantTo('allUsers'), unknown)).toBe('fail');
    expect(await verdictOf(grantTo('user:ada@example.com'), unknown)).toBe('unknown');
  });
});
