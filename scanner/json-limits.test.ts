import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkJsonText, JSON_LIMITS, JsonLimitError, type JsonLimits } from './json-limits.ts';

const LIMITS: JsonLimits = { depth: 4, values: 6 };

function faultOf(input: Uint8Array | string, limits = LIMITS): JsonLimitError | null {
  try {
    checkJsonText(input, limits);
    return null;
  } catch (error) {
    if (error instanceof JsonLimitError) return error;
    throw error;
  }
}

describe('checkJsonText', () => {
  test.each([
    ['four levels', '[[[[]]]]'],
    ['six values with the array that holds them', '[1,2,3,4,5]'],
    ['empty arrays, each one value', '[[],[ ],[\n],[],[]]'],
    ['brackets inside strings', '["[[[[[[[[", "{{{{{{{{"]'],
    ['a quote that is escaped', String.raw`{"a\"[[[[[[": 1}`],
    ['a backslash that is escaped', String.raw`["\\", [[[1]]]]`],
    ['commas inside strings', '[",,,,,,,,,,,,"]'],
  ])('checkJsonText accepts %s', (_, text) => {
    expect(faultOf(text)).toBeNull();
    expect(faultOf(Buffer.from(text))).toBeNull();
  });

  test.each([
    ['a fifth level', '[[[[[1]]]]]', 'depth', '/0/0/0/0', 4],
    ['a fifth level behind a member', '{"a":[0,{"b~/c":{"d":{}}}]}', 'depth', '/a/1/b~0~1c/d', 21],
    ['a seventh value', '[1,2,3,4,5,6]', 'values', '/5', 12],
    ['a seventh value in an object', '{"a":1,"b":2,"c":3,"d":[1,2]}', 'values', '/d', 28],
    ['a seventh value in a text that is cut off', '[1,2,3,4,5,6,7', 'values', '/5', 12],
  ])('checkJsonText refuses %s and names the place', (_, text, limit, pointer, offset) => {
    const expected = { limit, offset, pointer };
    expect(faultOf(text)).toMatchObject(expected);
    expect(faultOf(Buffer.from(text))).toMatchObject(expected);
  });

  test('checkJsonText refuses more object members than allowed, counted over all objects', () => {
    const limits = { depth: 4, values: 20, members: 2 };
    expect(faultOf('{"a":{"b":[":",1]}}', limits)).toBeNull();
    expect(faultOf('[{"a":1},{"b":1}]', limits)).toBeNull();
    const expected = { limit: 'members', pointer: '/a/c', offset: 15 };
    expect(faultOf('{"a":{"b":1,"c":2}}', limits)).toMatchObject(expected);
  });

  test('checkJsonText counts every value of any JSON exactly once', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), fc.boolean(), (value, spaced) => {
        const text = JSON.stringify(value, null, spaced ? 2 : 0);
        const values = countValues(value);
        expect(faultOf(text, { depth: 64, values })).toBeNull();
        if (values > 1)
          expect(faultOf(text, { depth: 64, values: values - 1 })?.limit).toBe('values');
      }),
    );
  });

  test('checkJsonText measures the depth of any JSON exactly', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        const text = JSON.stringify(value);
        const depth = depthOf(value);
        expect(faultOf(text, { depth, values: 1e6 })).toBeNull();
        if (depth > 0)
          expect(faultOf(text, { depth: depth - 1, values: 1e6 })?.limit).toBe('depth');
      }),
    );
  });

  test('checkJsonText throws only its own error for any text', () => {
    const token = fc.constantFrom('{', '}', '[', ']', ',', ':', '"', '\\', '1', 'é', '\ud800', ' ');
    fc.assert(
      fc.property(fc.array(token, { maxLength: 60 }), (tokens) => {
        faultOf(tokens.join(''));
      }),
    );
  });

  test('checkJsonText gives the offset of a string in UTF-16 code units and that of bytes in bytes', () => {
    const text = '["é😀",[[[[]]]]]';
    expect(text[faultOf(text)?.offset ?? -1]).toBe('[');
    expect(faultOf(text)?.offset).toBe(10);
    expect(faultOf(Buffer.from(text))?.offset).toBe(13);
  });

  test('checkJsonText shortens a pointer that long member names would make long', () => {
    const name = 'x'.repeat(100_000);
    const fault = faultOf(`{"${name}":{"${name}":{"${name}":{"${name}":{}}}}}`);
    expect(fault?.pointer.length).toBeLessThanOrEqual(256);
    expect(fault?.pointer).toMatch(/^\/x+…$/);
  });

  test('checkJsonText handles a million open brackets without recursion', () => {
    const text = '['.repeat(1_000_000);
    expect(faultOf(text, JSON_LIMITS.record)).toMatchObject({ limit: 'depth', offset: 64 });
  });
});

function countValues(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce<number>((sum, member) => sum + countValues(member), 1);
}

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return (
    Object.values(value).reduce<number>((most, member) => Math.max(most, depthOf(member)), 0) + 1
  );
}
