import { expect, it } from 'vitest';
import { instantOf } from './inventory/instant.ts';
import { RuleTime } from './rule-time.ts';

const NOW = new Date('2026-11-20T12:00:00.500Z');
const instant = (time: string) => instantOf(time) ?? 0n;

it('the time of a rule compares with instants to the nanosecond', () => {
  const time = new RuleTime(NOW);
  expect(time.isAfter(instant('2026-11-20T12:00:00.499999999Z'))).toBe(true);
  expect(time.isAfter(instant('2026-11-20T12:00:00.5Z'))).toBe(false);
  expect(time.isAfter(instant('2026-11-20T12:00:00.500000001Z'))).toBe(false);
});

it('the results of a time comparison hold until the earliest instant that has not passed', () => {
  const time = new RuleTime(NOW);
  expect(time.takeSameUntil()).toBe(Number.POSITIVE_INFINITY);
  time.isAfter(instant('2026-12-01T00:00:00.000999999Z'));
  time.isAfter(instant('2026-12-02T00:00:00Z'));
  time.isAfter(instant('2020-01-01T00:00:00Z'));
  const until = time.takeSameUntil();
  expect(new Date(until)).toEqual(new Date('2026-12-01T00:00:00Z'));
  // At that millisecond the answer is the same, and at the next one it is not.
  const asked = instant('2026-12-01T00:00:00.000999999Z');
  expect(new RuleTime(new Date(until)).isAfter(asked)).toBe(false);
  expect(new RuleTime(new Date(until + 1)).isAfter(asked)).toBe(true);
  expect(time.takeSameUntil()).toBe(Number.POSITIVE_INFINITY);
});

it('results that a rule computes from the time of a scan are not valid at a later time', () => {
  const time = new RuleTime(NOW);
  expect(time.date).toEqual(NOW);
  expect(time.takeSameUntil()).toBe(Number.NEGATIVE_INFINITY);
});
