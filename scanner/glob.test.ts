import { expect, it } from 'vitest';
import { matchesGlob } from './glob.ts';

it.each([
  ['bucket-public', 'bucket-public'],
  ['bucket-public', 'bucket-*'],
  ['bucket-public', '*'],
  ['bucket-public', '**-p*c'],
  ['bucket-public', '*bucket-public*'],
  ['fw-ssh-world', 'fw-*-world'],
  ['a-b-a-c', '*a-c'],
  ['', '*'],
])('the text %j matches the pattern %j', (text, pattern) => {
  expect(matchesGlob(text, pattern)).toBe(true);
});

it.each([
  ['bucket-public', 'bucket-'],
  ['bucket-public', 'ucket-*'],
  ['bucket-public', '*-publi'],
  ['bucket-public', 'bucket.public'],
  ['fw-world', 'fw-*-world'],
  ['bucket-public', ''],
  ['', 'a'],
])('the text %j does not match the pattern %j', (text, pattern) => {
  expect(matchesGlob(text, pattern)).toBe(false);
});

it('a pattern that is meant to take long is matched quickly', () => {
  expect(matchesGlob('a'.repeat(5_000), `${'*a'.repeat(50)}*b`)).toBe(false);
});
