import { describe, expect, it } from 'vitest';
import { likePattern } from './like-pattern.ts';

describe('a glob as a pattern of LIKE', () => {
  it.each([
    ['plain', 'plain'],
    ['a*b', 'a%b'],
    ['*', '%'],
    ['a***b**', 'a%b%'],
    ['50%', '50\\%'],
    ['under_score', 'under\\_score'],
    ['back\\slash*', 'back\\\\slash%'],
    ['\\*', '\\\\%'],
    ['%_\\', '\\%\\_\\\\'],
  ])('%s is %s', (glob, pattern) => {
    expect(likePattern(glob)).toBe(pattern);
  });
});
