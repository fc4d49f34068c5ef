import { expect, it } from 'vitest';
import { percentText } from './percent.ts';

it.each([
  [100, '100.0'],
  [99.999, '99.9'],
  [99.95, '99.9'],
  [99.94, '99.9'],
  [63.157, '63.2'],
  [0.04, '0.1'],
  [0, '0.0'],
])('a share of %d is shown as %s: neither everything nor nothing unless it is', (share, shown) => {
  expect(percentText(share)).toBe(shown);
});
