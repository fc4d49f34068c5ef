import { describe, expect, it } from 'vitest';
import { likePattern } from './like-pattern.ts';

describe('likePattern', () => {
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
  ])('likePattern converts the glob %s to %s', (glob, pattern) => {
    expect(likePattern(glob)).toBe(pattern);
  });
});
