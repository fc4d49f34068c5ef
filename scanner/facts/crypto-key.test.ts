import { expect, it } from 'vitest';
import { rotationPeriodSeconds } from './crypto-key.ts';

it.each([
  ['7776000s', 7_776_000],
  ['7776000.5s', 7_776_000.5],
  ['90d', null],
  ['', null],
  [7_776_000, null],
  ['-1s', null],
  [null, null],
])('the rotation period %j is %j seconds', (rotationPeriod, seconds) => {
  expect(rotationPeriodSeconds({ rotationPeriod })).toBe(seconds);
});
