import { expect, it } from 'vitest';
import { compileGlob } from './glob.ts';

it.each([
  ['bucket-public', 'bucket-public'],
  ['bucket-public', 'bucket-*'],
  ['bucket-public', '*'],
  ['bucket-public', '**-p*c'],
  ['bucket-public', '*bucket-public*'],
  ['fw-ssh-world', 'fw-*-world'],
  ['a-b-a-c', '*a-c'],
  ['', '*'],
  ['a-a', 'a*a'],
  ['', ''],
])('the text %j matches the pattern %j', (text, pattern) => {
  expect(compileGlob(pattern)(text)).toBe(true);
});

it.each([
  ['bucket-public', 'bucket-'],
  ['bucket-public', 'ucket-*'],
  ['bucket-public', '*-publi'],
  ['bucket-public', 'bucket.public'],
  ['fw-world', 'fw-*-world'],
  ['bucket-public', ''],
  ['', 'a'],
  ['a', 'a*a'],
  ['ab-b', 'a*b-*b-b'],
])('the text %j does not match the pattern %j', (text, pattern) => {
  expect(compileGlob(pattern)(text)).toBe(false);
});

it('a pattern that is meant to take long is matched quickly', () => {
  expect(compileGlob(`${'*a'.repeat(50)}*b`)('a'.repeat(5_000))).toBe(false);
});
