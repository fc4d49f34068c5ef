import { contract } from '@cspm/contract';
import { describe, expect, it } from 'vitest';
import { FACETS, isFacetValue } from './facets.ts';

describe('values of filters that are not listed', () => {
  const listed = FACETS.filter(({ key }) => key !== 'delta');

  it.each(listed)(
    'are offered for the filter $key if and only if the API accepts them',
    ({ key }) => {
      const texts = ['', 'shop-prod', 'shop prod', 'shop/', 'Shop', '-shop', 'shop.eu_1', 'é'];
      const lengths = [50, 51, 63, 64, 100, 101, 200, 201];
      const values = [...texts, ...lengths.map((length) => 'x'.repeat(length))];
      const filter = contract.findings.list.query.shape[key];
      const accepted = values.filter((value) => filter.safeParse([value]).success);
      expect(values.filter((value) => isFacetValue(key, value))).toEqual(accepted);
    },
  );
});
