import { describe, expect, it } from 'vitest';
import { parseAsset } from './normalise.ts';

describe('an asset', () => {
  it('an asset is the same in snake_case and camelCase', () => {
    const snake = parseAsset(
      '{"name":"n","asset_type":"t","update_time":"u","ancestors":["projects/1"],"resource":{"data":{"a":1}},"iam_policy":{"version":1},"org_policy":[{}],"access_policy":{"title":"x"}}',
    );
    const camel = parseAsset(
      '{"name":"n","assetType":"t","updateTime":"u","ancestors":["projects/1"],"resource":{"data":{"a":1}},"iamPolicy":{"version":1},"orgPolicy":[{}],"accessPolicy":{"title":"x"}}',
    );
    expect(camel).toEqual(snake);
    expect(snake).toEqual({
      name: 'n',
      type: 't',
      updateTime: 'u',
      ancestors: ['projects/1'],
      data: { a: 1 },
      iamPolicy: { version: 1 },
      orgPolicies: [{}],
      accessPolicy: { title: 'x' },
      planned: null,
      possible: null,
    });
  });

  it('an asset distinguishes an absent policy from an empty one', () => {
    expect(parseAsset('{"name":"n","asset_type":"t"}').iamPolicy).toBeNull();
    expect(parseAsset('{"name":"n","asset_type":"t","iam_policy":{}}').iamPolicy).toEqual({});
  });

  it.each(['null', '7', '[]', '"x"', '{"name":7,"asset_type":{},"ancestors":7,"resource":[]}'])(
    'an asset made of %s has only unknown members',
    (json) => {
      expect(parseAsset(json)).toEqual({
        name: '',
        type: '',
        updateTime: null,
        ancestors: [],
        data: null,
        iamPolicy: null,
        orgPolicies: null,
        accessPolicy: null,
        planned: null,
        possible: null,
      });
    },
  );

  it('an asset has no data if the description of its resource is not an object', () => {
    const json = '{"name":"n","asset_type":"t","resource":{"data":"{}"}}';
    expect(parseAsset(json).data).toBeNull();
  });

  it('an ancestor that is too long, or that cannot be stored, counts as absent', () => {
    const ancestors = [
      'projects/a\u0000b',
      'projects/\ud800',
      `projects/${'x'.repeat(200)}`,
      'projects/7',
      'folders/8',
    ];
    const asset = parseAsset(JSON.stringify({ name: '//x', asset_type: 'x/Y', ancestors }));
    expect(asset.ancestors).toEqual(['projects/7', 'folders/8']);
  });
});
