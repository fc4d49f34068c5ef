import { describe, expect, it } from 'vitest';
import { RULES } from '../rules/catalogue.ts';
import { ATTACHED_TYPES } from './attachments.ts';
import { IAM_BASES, OTHER_ACCESS_RESOURCES, PROVIDER_VERSIONS } from './iam-resources.gen.ts';
import { IAM_TARGETS, NOT_GRANTS } from './iam-targets.ts';
import { MAPPINGS, mappingOf } from './mappings.ts';

/** Asset types of rules without a resource of the provider, and why. */
const WITHOUT_RESOURCE: Readonly<Record<string, string>> = {
  'cloudresourcemanager.googleapis.com/Organization':
    'Terraform does not make organizations; grants on them are read',
};

describe('the list of resources that grant access', () => {
  it('the list of resources that grant access was read in the provider versions that plans use', () => {
    const majors = PROVIDER_VERSIONS.map((version) => /^v(\d+)/.exec(version)?.[1]);
    expect(new Set(majors)).toEqual(new Set(['4', '5', '6', '7']));
  });

  it('the list of resources that grant access has a target for every IAM resource of the provider, and for no other', () => {
    expect([...IAM_TARGETS.keys()].toSorted()).toEqual(Object.keys(IAM_BASES).toSorted());
  });

  it('the path of every grant target is filled with attributes of the resource, or its whole name', () => {
    const unnamed = [...IAM_TARGETS].filter(
      ([base, { path, attribute }]) =>
        path === '' || IAM_BASES[base]?.attributes.includes(attribute) !== true,
    );
    expect(unnamed.map(([base]) => base)).toEqual([]);
  });

  it('every other resource that may grant access is listed with how it is read, or why it is not', () => {
    const unexplained = OTHER_ACCESS_RESOURCES.filter(
      (type) =>
        mappingOf(type) === undefined &&
        !ATTACHED_TYPES.has(type) &&
        !NOT_GRANTS.some(([name]) => name.test(type)),
    );
    expect(unexplained).toEqual([]);
  });

  it('grants on a mapped resource have the path of the resource itself', () => {
    const shapeOf = (path: string) =>
      path.replace(/\{\w+\}/g, '{}').replace(/^\{\}\/cryptoKeys/, RING);
    const paths = new Map(
      Object.values(MAPPINGS).map(({ assetType, path }) => [`${assetType} ${shapeOf(path)}`, path]),
    );
    const mapped = new Set(Object.values(MAPPINGS).map(({ assetType }) => assetType));
    const different = [...IAM_TARGETS.values()].filter(
      ({ assetType, path }) => mapped.has(assetType) && !paths.has(`${assetType} ${shapeOf(path)}`),
    );
    expect(different).toEqual([]);
  });
});

const RING = 'projects/{}/locations/{}/keyRings/{}/cryptoKeys';

describe('the mapping of resources to assets', () => {
  it('every asset type of a rule is mapped to a resource, except those without one', () => {
    const made = new Set([
      ...Object.values(MAPPINGS).map(({ assetType }) => assetType),
      ...[...IAM_TARGETS.values()].map(({ assetType }) => assetType),
      ...Object.keys(WITHOUT_RESOURCE),
    ]);
    const evaluated = RULES.flatMap((rule) =>
      'looksAtEveryPolicy' in rule ? [] : rule.assetTypes.map((type) => type),
    );
    expect(
      [...new Set(evaluated)].filter((type) => !made.has(type)),
      'Map a Terraform resource to the asset type in scanner/terraform/, or give the reason in WITHOUT_RESOURCE in coverage.test.ts',
    ).toEqual([]);
  });
});
