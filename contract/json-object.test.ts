import { expect, test } from 'vitest';
import { contract } from './index.ts';
import { describeIssue, inputFaults } from './input-faults.ts';
import { jsonObject, jsonValue } from './json-object.ts';

const schemaOf = (depth: number) => jsonObject({ depth, values: 6, characters: 60 });
const schema = schemaOf(3);

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

test('an untyped JSON object of many faulty values has one fault', () => {
  const numbers = JSON.parse(`{"a":[${Array(9_900).fill('1e999').join()}]}`);
  const many = jsonObject({ depth: 3, values: 10_000, characters: 100_000 });
  expect(many.safeParse(numbers).error?.issues).toEqual([
    {
      code: 'custom',
      path: [],
      message: 'must not contain a number that is out of range, such as 1e999',
    },
  ]);
});

test.each([
  ['a text', 'a'],
  ['a number that JSON writes as null', Number.POSITIVE_INFINITY],
  ['nested lists and objects', [[{ a: [null, true, 1, 'b', {}] }]]],
])('a JSON value of a response may be %s', (_, value) => {
  expect(jsonValue.safeParse(value)).toEqual({ success: true, data: value });
});

test.each([
  ['undefined', undefined],
  ['a function', () => 1],
  ['a date', [new Date(0)]],
  ['a bigint', { a: { b: 1n } }],
])('a JSON value of a response is refused with one issue if it is %s', (_, value) => {
  const { error } = jsonValue.safeParse(value);
  expect(error?.issues).toMatchObject([{ code: 'custom', path: [] }]);
});

const infinite = (levels: number, values: number) =>
  '['.repeat(levels) + Array(values).fill('1e999').join() + ']'.repeat(levels);

/** 9,900 values in a body, which may have 10,000. */
test.each([
  [
    'names of rules that are too long',
    contract.profiles.create.body,
    () => {
      const names = Array.from({ length: 9_900 }, (_, i) => `"${'k'.repeat(96)}${i}":1`);
      return `{"name":"custom:x","include":["*"],"parameters":{${names.join()}}}`;
    },
    'body.parameters must name at most 200 rules',
  ],
  [
    'parameters that are out of range',
    contract.profiles.create.body,
    () => `{"name":"custom:x","include":["*"],"parameters":{"a":{"b":${infinite(50, 9_900)}}}}`,
    'body.parameters.a must be nested at most 8 levels deep',
  ],
  [
    'values of a test that are out of range',
    contract.customRules.create.body,
    () =>
      `{"title":"t","severity":"low","assetTypes":["x"],"predicate":"true","tests":[{"verdict":"pass","asset":{"a":${infinite(50, 4_900)}}}]}`,
    'body.tests.0.asset must not contain a number that is out of range, such as 1e999',
  ],
  [
    'values of a key file that are out of range',
    contract.sources.set.body,
    () =>
      `{"kind":"google-cloud","parent":"projects/p","credential":{"type":"service_account_key","key":{"a":${infinite(1, 9_900)}}}}`,
    'body.credential.key must hold at most 200 values at all levels',
  ],
])('a body with thousands of %s is refused at the first fault', (_, schema, body, expected) => {
  const { error } = schema.safeParse(JSON.parse(body()), { error: describeIssue });
  const faults = inputFaults('body', error?.issues ?? []);
  expect(faults.map(({ path, message }) => `${path} ${message}`)).toEqual([expected]);
  expect(error?.issues[0]?.code).toBe('custom');
});

test('an untyped JSON object keeps a member named __proto__ at every level below it, which refuses one', () => {
  const text = '{"a":{"__proto__":{"__proto__":[{"__proto__":1}]}}}';
  expect(JSON.stringify(schemaOf(6).parse(JSON.parse(text)))).toBe(text);
  expect(messageFor(JSON.parse('{"__proto__":1}'))).toBe(
    'has an unknown member: "__proto__"; remove it',
  );
});
