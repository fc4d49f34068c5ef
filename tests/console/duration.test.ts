import { expect, it } from 'vitest';
import { duration } from '../../console/src/screens/scans/duration.ts';

const START = '2026-11-26T12:00:00.000Z';

it.each([
  [0, '0.0 s'],
  [9.94, '9.9 s'],
  [9.96, '10 s'],
  [59.4, '59 s'],
  [59.7, '1 min 0 s'],
  [119.7, '2 min 0 s'],
  [200, '3 min 20 s'],
])('a duration of %d seconds is shown as %s', (seconds, text) => {
  const end = new Date(Date.parse(START) + seconds * 1000).toISOString();
  expect(duration(START, end)).toBe(text);
});
