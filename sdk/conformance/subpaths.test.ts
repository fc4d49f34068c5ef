import { describe, expect, test } from 'vitest';
import { careless } from './subpaths/careless.ts';
import { failureIn, SUBPATHS } from './subpaths/case.ts';
import { ours } from './subpaths/ours.ts';
import { subpathTable } from './subpaths/table.ts';

const named = subpathTable.map((one) => [one.id, one.subpath, one.title, one] as const);

test.each(named)('[%s] the subpath %s %s', async (...[, , , one]) => {
  expect(await failureIn(one, ours)).toBeUndefined();
});

describe('the conformance table of the subpaths', () => {
  test.each(named)(
    'the conformance table of the subpaths detects by %s a careless %s',
    async (...[, , , one]) => {
      expect(await failureIn(one, careless)).toBeDefined();
    },
  );

  test('the conformance table of the subpaths has unique ids and cases for every subpath', () => {
    const ids = subpathTable.map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)]);
    expect(new Set(subpathTable.map(({ subpath }) => subpath))).toEqual(new Set(SUBPATHS));
  });
});
