import { describe, expect, it } from 'vitest';
import { type Asset, parseAsset } from './inventory/normalise.ts';
import { text } from './json.ts';
import { canonicalReference, References, someKnown } from './references.ts';
import type { Snapshot } from './snapshot.ts';
import { UnknownValue } from './terraform/unknown-value.ts';
import { assetOf } from './testing/asset.ts';
import { snapshotOf } from './testing/snapshot.ts';

const PROXY = 'compute.googleapis.com/TargetHttpProxy';

function proxy(urlMap: string, ...ancestors: readonly string[]): Asset {
  const name = '//compute.googleapis.com/projects/shop/global/targetHttpProxies/x';
  return assetOf({ type: PROXY, name, ancestors, data: { urlMap } });
}

/** In a plan: the referenced name is known only after apply. */
const planned = parseAsset(
  JSON.stringify({
    name: '//compute.googleapis.com/projects/shop/global/targetHttpProxies/y',
    asset_type: PROXY,
    resource: { data: { name: 'y' } },
    unknown_after_apply: [['data', 'urlMap']],
  }),
);

function referencesIn(snapshot: Snapshot): References {
  return new References(snapshot, [PROXY], ({ data }) => [text(data, 'urlMap') ?? '']);
}

describe('a reference', () => {
  const snapshot = snapshotOf([proxy('', 'projects/1'), proxy('', 'projects/2')]);
  const other = proxy('', 'projects/2');
  const inShop = (reference: string) =>
    canonicalReference(reference, proxy('', 'projects/1'), snapshotOf([proxy('', 'projects/1')]));

  it.each([
    'https://www.googleapis.com/compute/v1/projects/shop/global/urlMaps/web',
    'https://compute.googleapis.com/compute/beta/projects/shop/global/urlMaps/web',
    '//compute.googleapis.com/projects/shop/global/urlMaps/web',
    'projects/shop/global/urlMaps/web',
    'projects/1/global/urlMaps/web',
    'global/urlMaps/web',
    '/global/urlMaps/web',
  ])('the reference %s identifies the same resource', (reference) => {
    expect(inShop(reference)).toBe(inShop('projects/shop/global/urlMaps/web'));
  });

  it('a reference differs by project, place and name', () => {
    const all = [
      'projects/shop/global/urlMaps/web',
      'projects/other/global/urlMaps/web',
      'projects/shop/regions/r/urlMaps/web',
      'projects/shop/global/urlMaps/web-2',
    ].map(inShop);
    expect(new Set(all).size).toBe(all.length);
    expect(canonicalReference('global/urlMaps/web', other, snapshot)).not.toBe(
      canonicalReference('projects/3/global/urlMaps/web', other, snapshot),
    );
  });
});

describe('the reference assets that refer to an asset', () => {
  const web = 'projects/shop/global/urlMaps/web';

  it('an asset finds the reference assets that refer to it in any form', () => {
    const snapshot = snapshotOf([proxy(`https://www.googleapis.com/compute/v1/${web}`)]);
    const key = (reference: string) => canonicalReference(reference, planned, snapshot);
    const references = referencesIn(snapshot);
    expect(references.some(key(web))).toBe(true);
    expect(references.some(key(web), ({ type }) => type === PROXY)).toBe(true);
    expect(references.some(key(web), () => false)).toBe(false);
    expect(references.some(key(`${web}-2`))).toBe(false);
  });

  it('an asset may have reference assets if some references are unknown and none is known to match', () => {
    const snapshot = snapshotOf([planned, proxy(web)]);
    const key = (reference: string) => canonicalReference(reference, planned, snapshot);
    const references = referencesIn(snapshot);
    expect(references.some(key(web))).toBe(true);
    expect(() => references.some(key(`${web}-2`))).toThrow(UnknownValue);
  });
});

describe('a search in a list', () => {
  const isThree = (value: number) => {
    if (value === 0) throw new UnknownValue('value');
    return value === 3;
  };

  it('a search in a list finds a known value at any position', () => {
    expect(someKnown([0, 1, 3], isThree)).toBe(true);
    expect(someKnown([3, 0], isThree)).toBe(true);
    expect(someKnown([1, 2], isThree)).toBe(false);
    expect(someKnown([], isThree)).toBe(false);
  });

  it('a search in a list throws UnknownValue if an unknown value could match, and passes other errors on', () => {
    expect(() => someKnown([1, 0, 2], isThree)).toThrow(UnknownValue);
    const broken = () => {
      throw new RangeError('broken');
    };
    expect(() => someKnown([1], broken)).toThrow(RangeError);
  });
});
