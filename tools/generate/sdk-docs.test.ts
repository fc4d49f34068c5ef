import { contract } from '@cspm/contract';
import { expect, test } from 'vitest';
import { methodDoc } from './sdk-docs.ts';
import { methodsOf } from './sdk-operations.ts';

const { get } = contract.scans;

function docOf(deprecated: typeof get.metadata.deprecated): string[] {
  const changed = { ...get, metadata: { ...get.metadata, deprecated } };
  return methodsOf({ scans: { get: changed } }).flatMap(methodDoc);
}

test.each([
  [{ since: '2026-11-01' }, '@deprecated Since 2026-11-01.'],
  [
    { since: '2026-11-01', sunset: '2027-05-01', successor: 'scans.list' },
    '@deprecated Since 2026-11-01, to be removed from 2027-05-01 on. Use `scans.list`.',
  ],
])('editors show the deprecation of a method: %o', (deprecated, tag) => {
  expect(docOf(deprecated)).toContain(tag);
});

test('editors show no deprecation for other methods', () => {
  const doc = docOf(null);
  expect(doc.length).toBeGreaterThan(3);
  expect(doc.join()).not.toContain('@deprecated');
});
