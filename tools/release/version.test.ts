import { expect, test } from 'vitest';
import { compareVersions, isVersion, mayBreak } from './version.ts';

test.each(['1.2', 'v1.2.3', '1.2.3-rc.1', '01.2.3', '1.2.3 '])(
  'the text %j is not a version',
  (text) => {
    expect(isVersion(text)).toBe(false);
  },
);

test('versions are ordered by their numbers', () => {
  expect(['0.10.0', '1.0.0', '0.9.1', '0.9.0'].toSorted(compareVersions)).toEqual([
    '0.9.0',
    '0.9.1',
    '0.10.0',
    '1.0.0',
  ]);
});

test.each([
  ['0.1.1', '0.1.0', false],
  ['0.2.0', '0.1.0', true],
  ['1.3.0', '1.2.0', false],
  ['2.0.0', '1.2.0', true],
])('the version %s may break callers of %s: %s', (version, before, breaks) => {
  expect(mayBreak(version, before)).toBe(breaks);
});
