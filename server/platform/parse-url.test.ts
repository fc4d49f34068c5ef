import { expect, it } from 'vitest';
import { parseUrl } from './parse-url.ts';

/** More calls than it takes until V8 optimizes a function. */
const MANY = 300_000;

it('parseUrl accepts letters of Latin-1 also after many calls, and refuses what is no URL', () => {
  for (let n = 0; n < MANY; n += 1) parseUrl('https://hooks.example/');
  expect(parseUrl('https://bücher.example/')?.hostname).toBe('xn--bcher-kva.example');
  expect(parseUrl('https://')).toBeNull();
  expect(parseUrl('bücher')).toBeNull();
});
