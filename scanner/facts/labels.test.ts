import { describe, expect, it } from 'vitest';
import { parseAsset } from '../inventory/normalise.ts';
import type { JsonValue } from '../json.ts';
import { assetOf } from '../testing/asset.ts';
import { labelsOf } from './labels.ts';

const labels = (data?: JsonValue) =>
  labelsOf(assetOf({ type: 'storage.googleapis.com/Bucket', ...(data !== undefined && { data }) }));

describe('the labels of an asset', () => {
  it.each<[string, JsonValue]>([
    ['as nearly every service has them', { labels: { env: 'test', team: '' } }],
    ['as GKE has them', { resourceLabels: { env: 'test', team: '' } }],
    ['as Cloud SQL has them', { settings: { userLabels: { env: 'test', team: '' } } }],
  ])('the labels of an asset are read %s', (_where, data) => {
    expect(labels(data)).toEqual({ env: 'test', team: '' });
  });

  it.each<[string, JsonValue | undefined]>([
    ['there is no content', undefined],
    ['there are none', {}],
    ['they are a list', { labels: ['env'] }],
    ['a value is not a string', { labels: { env: 1, team: null, on: { a: 'b' } } }],
    ['a key is empty', { labels: { '': 'x' } }],
    ['one is longer than a label can be', { labels: { ['k'.repeat(64)]: 'v', k: 'v'.repeat(64) } }],
    ['no database stores them', { labels: { 'a\0': 'v', b: '\0', c: '\ud800', '\udfff': 'v' } }],
  ])('an asset has no labels where %s', (_why, data) => {
    expect(labels(data)).toEqual({});
  });

  it.each([[['data', 'labels']], [['data', 'labels', 'env']]])(
    'the labels of an asset are unknown while the plan does not know them, as at %j',
    (...unknown_after_apply) => {
      const asset = parseAsset(
        JSON.stringify({
          name: '//storage.googleapis.com/b',
          asset_type: 'storage.googleapis.com/Bucket',
          resource: { data: { labels: { env: 'x' } } },
          unknown_after_apply,
        }),
      );
      expect(labelsOf(asset)).toEqual({});
    },
  );

  it('an asset has at most 64 labels, with any names', () => {
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`k${n}`, 'v']));
    expect(Object.keys(labels({ labels: many }))).toHaveLength(64);
    const odd = labels(JSON.parse('{"labels":{"__proto__":"x","constructor":"y"}}'));
    expect(JSON.stringify(odd)).toBe('{"__proto__":"x","constructor":"y"}');
  });
});
