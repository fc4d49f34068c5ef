import { expect, it } from 'vitest';
import { setRecent } from './set-recent.ts';

it('a map of recent values holds no more than its maximum, and forgets the value that was set longest ago', () => {
  const map = new Map<string, number>();
  for (const [index, key] of ['a', 'b', 'c', 'a', 'd'].entries()) setRecent(map, key, index, 3);
  expect([...map]).toEqual([
    ['c', 2],
    ['a', 3],
    ['d', 4],
  ]);
});
