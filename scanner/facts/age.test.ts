import { describe, expect, it } from 'vitest';
import { RuleTime } from '../rule-time.ts';
import { daysIn, isOlderThan } from './age.ts';

const NOW = new RuleTime(new Date('2026-11-20T12:00:00Z'));

describe('a time', () => {
  it.each([
    ['2026-08-22T12:00:00Z', false],
    ['2026-08-22T11:59:59.999999999Z', true],
    ['2026-08-22T12:00:00.000000001Z', false],
    ['2026-08-22T05:00:00-07:00', false],
    ['2026-08-22T04:59:59-07:00', true],
    ['2031-01-01T00:00:00Z', false],
    ['1970-01-01T00:00:00Z', true],
  ])('the time %s is more than 90 days ago: %j', (time, expected) => {
    expect(isOlderThan(time, 90, NOW)).toBe(expected);
  });

  it.each([null, '', 'yesterday', '2026-08-22', '2026-13-01T00:00:00Z', '1785672000'])(
    'the time %j is unreadable',
    (time) => {
      expect(isOlderThan(time, 90, NOW)).toBeNull();
    },
  );
});

it.each([
  [{ days: 30 }, 30],
  [{}, 90],
  [{ days: '30' }, 90],
  [{ days: 0.5 }, 90],
])('the parameters %j allow %i days', (parameters, days) => {
  expect(daysIn(parameters)).toBe(days);
});
