import type { Asset } from '../inventory/normalise.ts';
import type { JsonValue } from '../json.ts';
import { assetOf } from '../testing/asset.ts';
import { type RuleCase, type RuleCases, resourceCases } from '../testing/rule-cases.ts';

const instances = resourceCases('compute.googleapis.com/Instance');
const projects = resourceCases('compute.googleapis.com/Project');

function items(key: string, value: JsonValue) {
  return {
    items: [
      { key: 'other', value: 'TRUE' },
      { key, value },
    ],
  };
}

function project(id: string, metadata: JsonValue, ...ancestors: readonly string[]): Asset {
  return assetOf({
    type: 'compute.googleapis.com/Project',
    name: `//compute.googleapis.com/projects/${id}`,
    ancestors,
    data: { name: id, commonInstanceMetadata: metadata },
  });
}

function instance(id: string, metadata: JsonValue, ...ancestors: readonly string[]): Asset {
  return assetOf({
    type: 'compute.googleapis.com/Instance',
    name: `//compute.googleapis.com/projects/${id}/zones/z/instances/web`,
    ancestors,
    data: { name: 'web', metadata },
  });
}

const TWO_FACTORS = 'enable-oslogin-2fa';
const [on, off] = [items(TWO_FACTORS, 'TRUE'), items(TWO_FACTORS, 'FALSE')];

const named = (name: string, asset: Asset, ...others: readonly Asset[]): RuleCase => ({
  name,
  asset,
  others,
});

export const OS_LOGIN_CASES: readonly RuleCases[] = [
  {
    rule: 'project-oslogin',
    pass: [
      projects.case('a project with OS Login', {
        commonInstanceMetadata: items('enable-oslogin', 'TRUE'),
      }),
      projects.case('the same in other words', {
        commonInstanceMetadata: items('enable-oslogin', 'yes'),
      }),
      instances.case('an instance that leaves it to the project', { name: 'web' }),
      instances.case('an instance that switches it on for itself', {
        metadata: items('enable-oslogin', 'true'),
      }),
    ],
    fail: [
      projects.case('a project without', { commonInstanceMetadata: { items: [] } }),
      projects.case('a project that switches it off', {
        commonInstanceMetadata: items('enable-oslogin', 'FALSE'),
      }),
      projects.case('a project that says nothing', { name: 'shop' }),
      projects.case('a project with the second factor only', {
        commonInstanceMetadata: items(TWO_FACTORS, 'TRUE'),
      }),
      instances.case('an instance that switches it off for itself', {
        metadata: items('enable-oslogin', 'FALSE'),
      }),
      instances.case('the same in the singular', {
        metadata: { item: [{ key: 'enable-oslogin', value: 'no' }] },
      }),
    ],
    na: 'never',
    unknown: [...instances.unknown, ...projects.unknown],
  },
  {
    rule: 'vm-oslogin-2fa',
    pass: [
      named('an instance that asks for it', instance('p', on), project('p', off)),
      named('an instance whose project asks for it', instance('p', null), project('p', on)),
      named('an instance that asks for it, of an unknown project', instance('p', on)),
      named(
        'an instance of one of two projects',
        instance('a', null, 'projects/1'),
        project('a', on, 'projects/1'),
        project('b', off, 'projects/2'),
      ),
      named(
        'an instance that tells its project by id, of a project that tells its number too',
        instance('a', null),
        project('a', on, 'projects/1'),
        project('b', off, 'projects/2'),
      ),
    ],
    fail: [
      named(
        'an instance that does not, in a project that does',
        instance('p', off),
        project('p', on),
      ),
      named('neither', instance('p', null), project('p', null)),
      named('a project that does not', instance('p', { items: [] }), project('p', off)),
      named(
        'an instance of the other of two projects',
        instance('b', null, 'projects/2'),
        project('a', on, 'projects/1'),
        project('b', null, 'projects/2'),
      ),
    ],
    na: 'never',
    unknown: [
      ...instances.unknown,
      named('an instance whose project was not exported', instance('p', null)),
      named(
        'an instance of a project whose export has only its policy',
        instance('p', null),
        assetOf({
          type: 'compute.googleapis.com/Project',
          name: '//compute.googleapis.com/projects/p',
        }),
      ),
      named(
        'an instance of a third project',
        instance('c', null),
        project('a', on),
        project('b', on),
      ),
    ],
  },
];
