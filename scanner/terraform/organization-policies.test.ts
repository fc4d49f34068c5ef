import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../json.ts';
import { constant, type PlannedResource, planOf } from '../testing/plan.ts';
import { verdictsOf } from '../testing/plan-verdicts.ts';
import { assetsOf } from './assets.ts';

const BUCKET = {
  address: 'google_storage_bucket.b',
  values: { name: 'shop-data', location: 'EU', project: 'shop' },
  expressions: { name: constant('shop-data'), project: constant('shop') },
};
const OTHER = {
  address: 'google_storage_bucket.other',
  values: { name: 'other', location: 'EU', project: 'lab' },
  expressions: { name: constant('other'), project: constant('lab') },
};
const CONSTRAINT = 'storage.publicAccessPrevention';

function policy(parent: string, rule: JsonObject, unknown: JsonObject = {}): PlannedResource {
  return {
    address: 'google_org_policy_policy.p',
    values: {
      name: `${parent}/policies/${CONSTRAINT}`,
      parent,
      spec: [{ inherit_from_parent: null, reset: null, rules: [rule] }],
    },
    unknown: { etag: true, ...unknown },
  };
}

function former(type: string, values: JsonObject): PlannedResource {
  return { address: `${type}.p`, values, unknown: { etag: true, version: true } };
}

async function verdictsWith(...resources: readonly PlannedResource[]) {
  const verdicts = await verdictsOf(planOf(BUCKET, OTHER, ...resources));
  const rule = 'bucket-public-access-prevention';
  return [verdicts.get(`${rule} shop-data`), verdicts.get(`${rule} other`)];
}

const ENFORCED = { boolean_policy: [{ enforced: true }], restore_policy: [] };

describe('an organization policy in a Terraform plan', () => {
  it.each<[string, PlannedResource]>([
    ['google_org_policy_policy', policy('projects/shop', { enforce: 'TRUE', condition: [] })],
    [
      'google_project_organization_policy',
      former('google_project_organization_policy', {
        ...{ project: 'shop', constraint: `constraints/${CONSTRAINT}`, ...ENFORCED },
      }),
    ],
  ])('%s of a project applies to the buckets of the project', async (_, resource) => {
    expect(await verdictsWith(resource)).toEqual(['pass', 'fail']);
  });

  it('a policy that does not enforce, resets, has a condition or another constraint prevents nothing', async () => {
    const project = { project: 'shop', constraint: CONSTRAINT };
    for (const resource of [
      policy('projects/shop', { enforce: 'FALSE' }),
      policy('projects/shop', {
        enforce: 'TRUE',
        condition: [{ expression: "resource.matchTag('1/env', 'prod')" }],
      }),
      former('google_project_organization_policy', {
        ...project,
        boolean_policy: [{ enforced: false }],
      }),
      former('google_project_organization_policy', {
        ...{ ...project, boolean_policy: [], restore_policy: [{ default: true }] },
      }),
      former('google_project_organization_policy', {
        ...{ ...project, ...ENFORCED, constraint: 'storage.uniformBucketLevelAccess' },
      }),
    ]) {
      expect(await verdictsWith(resource)).toEqual(['fail', 'fail']);
    }
  });

  it('a policy whose setting is known after apply leaves the buckets of its project undecided', async () => {
    const unknown = { spec: [{ rules: [{ enforce: true }] }] };
    const resource = policy('projects/shop', {}, unknown);
    expect(await verdictsWith(resource)).toEqual(['unknown', 'fail']);
  });

  it('a policy of a folder does not count as one of the project of the provider', async () => {
    for (const folder of ['12', 'folders/12']) {
      const values = { folder, constraint: CONSTRAINT, ...ENFORCED };
      const plan = planOf(former('google_folder_organization_policy', values));
      expect(assetsOf(plan).records).toMatchObject([
        { name: `//orgpolicy.googleapis.com/folders/12/policies/${CONSTRAINT}`, ancestors: [] },
      ]);
    }
  });

  it('a policy has the name that an inventory has', async () => {
    const plan = planOf(policy('projects/shop', { enforce: 'TRUE' }));
    expect(assetsOf(plan).records).toMatchObject([
      { name: `//orgpolicy.googleapis.com/projects/shop/policies/${CONSTRAINT}` },
    ]);
  });

  it('a policy of the organization applies to all projects', async () => {
    for (const resource of [
      policy('organizations/9', { enforce: 'TRUE' }),
      former('google_organization_policy', { org_id: '9', constraint: CONSTRAINT, ...ENFORCED }),
    ]) {
      expect(await verdictsWith(resource)).toEqual(['pass', 'pass']);
    }
  });
});
