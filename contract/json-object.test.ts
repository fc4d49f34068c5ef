import { expect, test } from 'vitest';
import { jsonObject } from './json-object.ts';

const schema = jsonObject({ depth: 3, values: 6, characters: 60 });

function messageFor(value: unknown): string | undefined {
  return schema.safeParse(value).error?.issues[0]?.message;
}

test('an untyped JSON object is accepted at each of its limits', () => {
  expect(messageFor({ a: { b: { c: 1 } } })).toBeUndefined();
  expect(messageFor({ a: [1, 2, 3, 4] })).toBeUndefined();
  expect(messageFor({ a: 'x'.repeat(52) })).toBeUndefined();
  expect(messageFor({ back: '\\u0000 is written out' })).toBeUndefined();
});

test.each([
  ['a fourth level', { a: { b: { c: {} } } }, 'must be nested at most 3 levels deep'],
  ['a fourth level of arrays', { a: [[[]]] }, 'must be nested at most 3 levels deep'],
  ['a seventh value', { a: [1, 2, 3, 4, 5] }, 'must hold at most 6 values at all levels'],
  ['one character more', { a: 'x'.repeat(53) }, 'must have at most 60 characters as JSON'],
  ['NUL in a text', { a: 'b\0' }, 'must be well-formed Unicode without the NUL character'],
  ['NUL in a name', { 'a\0': 1 }, 'must be well-formed Unicode without the NUL character'],
  [
    'half of a surrogate pair',
    { a: ['\ud800'] },
    'must be well-formed Unicode without the NUL character',
  ],
])('an untyped JSON object is refused for %s', (_, value, message) => {
  expect(messageFor(value)).toBe(message);
});
