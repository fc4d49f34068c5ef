import { describe, expect, test } from 'vitest';
import { assemble } from '../src/client.ts';
import { type Case, examine, GOALS, RULES } from './case.ts';
import { cspm } from './subjects/cspm.ts';
import { table } from './table.ts';

/** A client that hangs does so for ever; this is enough for a case on a busy machine. */
const LIMIT_MS = 120_000;

const subject = cspm(assemble);

async function holds(one: Case) {
  const { verdict, why } = await examine(subject, one, { real: false, limitMs: LIMIT_MS });
  expect(why).toBeUndefined();
  expect(verdict).toBe('pass');
}

describe('with an injected clock, the client', () => {
  test.each(named(({ time }) => time !== 'real'))('[%s, line %s] the client %s', (...[, , , one]) =>
    holds(one),
  );
});

// These cases mostly wait, so they run in parallel.
describe('in real time, the client', () => {
  test.concurrent.each(named(({ time }) => time === 'real'))(
    '[%s, line %s] the client %s',
    (...[, , , one]) => holds(one),
  );
});

describe('the conformance table', () => {
  test('the conformance table has unique ids', () => {
    const ids = table.map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)]);
  });

  test('the conformance table has cases for every rule and every goal', () => {
    const lines = new Set<unknown>(table.flatMap(({ line, goal }) => [line, goal]));
    expect([...RULES, ...GOALS].filter((name) => !lines.has(name))).toEqual([]);
  });
});

function named(which: (one: Case) => boolean) {
  return table.filter(which).map((one) => [one.id, one.line, one.title, one] as const);
}
