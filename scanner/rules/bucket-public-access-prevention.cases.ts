import type { JsonValue } from '../json.ts';
import { assetOf } from '../testing/asset.ts';
import { type RuleCase, type RuleCases, resourceCases } from '../testing/rule-cases.ts';

const TYPE = 'storage.googleapis.com/Bucket';
const bucket = resourceCases(TYPE);
const prevention = (publicAccessPrevention: JsonValue) => ({
  iamConfiguration: { publicAccessPrevention },
});

const ANCESTORS = ['projects/1', 'folders/2', 'folders/3', 'organizations/9'];
const SHOP = {
  projects: 'cloudresourcemanager.googleapis.com/Project',
  folders: 'cloudresourcemanager.googleapis.com/Folder',
  organizations: 'cloudresourcemanager.googleapis.com/Organization',
} as const;

/** An organization policy from an ORG_POLICY export, on a container. */
function set(container: string, policy: JsonValue, constraint = 'storage.publicAccessPrevention') {
  const kind = container.slice(0, container.indexOf('/'));
  const at = ANCESTORS.indexOf(container);
  return assetOf({
    type: SHOP[kind as keyof typeof SHOP],
    name: `//cloudresourcemanager.googleapis.com/${container}`,
    orgPolicy: [
      { constraint: 'constraints/compute.requireOsLogin', boolean_policy: { enforced: true } },
      { constraint: `constraints/${constraint}`, ...(policy as object) },
    ],
    ancestors: at === -1 ? [container, 'organizations/9'] : ANCESTORS.slice(at),
  });
}

/** An organization policy as a separate resource. */
function resource(container: string, spec: JsonValue) {
  const name = `${container}/policies/storage.publicAccessPrevention`;
  return assetOf({
    type: 'orgpolicy.googleapis.com/Policy',
    name: `//orgpolicy.googleapis.com/${name}`,
    data: { name, spec },
    ancestors: ANCESTORS.slice(ANCESTORS.indexOf(container)),
  });
}

const ON = { boolean_policy: { enforced: true } };
const OFF = { boolean_policy: { enforced: false } };

function beside(name: string, others: RuleCase['others'] & object, data: JsonValue = {}): RuleCase {
  const asset = assetOf({
    type: TYPE,
    name: '//storage.googleapis.com/b',
    data,
    ancestors: ANCESTORS,
  });
  return { name, asset, others };
}

export const PREVENTION_CASES: readonly RuleCases[] = [
  {
    rule: 'bucket-public-access-prevention',
    pass: [
      bucket.case('prevention by the bucket itself', prevention('enforced')),
      bucket.case('prevention in capitals', prevention('ENFORCED')),
      beside('a policy of the project', [set('projects/1', ON)], prevention('inherited')),
      beside('a policy in camel case', [set('projects/1', { booleanPolicy: { enforced: true } })]),
      beside('a policy of a folder', [set('folders/3', ON)]),
      beside('a policy of the organization', [set('organizations/9', ON)]),
      beside('a nearer policy that prevails', [
        set('organizations/9', OFF),
        set('folders/3', OFF),
        set('folders/2', ON),
      ]),
      beside('a policy that is a resource', [
        resource('folders/2', { rules: [{ enforce: true }] }),
      ]),
      beside('a policy of the project below a folder that goes back to the default', [
        resource('folders/2', { reset: true }),
        resource('projects/1', { rules: [{ enforce: true }], reset: false }),
      ]),
      {
        name: 'a policy of the project whose number is in the record of the bucket',
        asset: assetOf({
          type: TYPE,
          name: '//storage.googleapis.com/b',
          data: { projectNumber: 1 },
        }),
        others: [set('projects/1', ON), set('projects/7', OFF)],
      },
    ],
    fail: [
      bucket.case('a bucket that leaves it to policies, without any', prevention('inherited')),
      bucket.case('an older word for that', prevention('unspecified')),
      bucket.case('a setting of null', prevention(null)),
      bucket.case('prevention never mentioned', {}),
      beside('a policy that does not enforce', [set('projects/1', OFF)]),
      beside('an empty policy', [set('projects/1', { boolean_policy: {} })]),
      beside('a nearer policy that does not enforce', [
        set('organizations/9', ON),
        set('folders/3', ON),
        set('folders/2', OFF),
      ]),
      beside('a project that goes back to the default of Google', [
        set('organizations/9', ON),
        set('projects/1', { restore_default: {} }),
      ]),
      beside('a resource of the project that goes back to the default of Google', [
        set('organizations/9', ON),
        resource('projects/1', { reset: true }),
      ]),
      beside('a resource of a folder that goes back to the default of Google', [
        resource('organizations/9', { rules: [{ enforce: true }] }),
        resource('folders/3', { reset: true }),
      ]),
      beside('another constraint', [set('projects/1', ON, 'storage.uniformBucketLevelAccess')]),
      beside('a policy of another project', [set('projects/1', OFF), set('projects/7', ON)]),
      beside('a policy of another folder', [set('projects/1', {}, 'x'), set('folders/8', ON)]),
      beside('a resource that does not enforce', [
        resource('projects/1', { rules: [{ enforce: false }] }),
        set('organizations/9', ON),
      ]),
      beside('a resource that enforces for some tag only', [
        resource('projects/1', {
          rules: [
            { enforce: true, condition: { expression: 'resource.matchTag("9/env", "prod")' } },
          ],
        }),
      ]),
    ],
    na: 'never',
    unknown: bucket.unknown,
  },
];
