import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findJsonFault } from './json-fault.ts';

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe('the first fault of a text that is not JSON', () => {
  it.each([
    ['', 0, 'a value'],
    ['{"a":1,}', 7, 'a member name in double quotes'],
    ["{'a':1}", 1, 'a member name in double quotes'],
    ['{"a" 1}', 5, 'a colon'],
    ['{"a":}', 5, 'a value'],
    ['{"a":1 "b":2}', 7, 'a comma or }'],
    ['[1,2', 4, 'a comma or ]'],
    ['[1,]', 3, 'a value'],
    ['{"a":1}}', 7, 'the end of the record'],
    ['[01]', 1, 'a value'],
    ['[.5]', 1, 'a value'],
    ['[NaN]', 1, 'a value'],
    ['["a\tb"]', 3, 'an escape sequence instead of a control character'],
    ['["a\\x"]', 3, 'a JSON escape sequence'],
    ['["a', 3, 'the closing quote of a string'],
    ['[{]', 2, 'a member name in double quotes'],
  ])('the first JSON fault of %j is at offset %i', (text, offset, expected) => {
    expect(findJsonFault(text)).toEqual({ offset, expected });
  });

  it('a JSON fault is found exactly when JSON.parse refuses the text', () => {
    const pieces = fc.constantFrom(
      ...['{', '}', '[', ']', ':', ',', '"', '"a"', '\\', '\\u00e', '1', '-', '0', '.5', 'e3'],
      ...['true', 'null', ' ', '\n', '\t', '\u0001', 'x', '"b":'],
    );
    const broken = fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join(''));
    const cut = fc.tuple(fc.json(), fc.nat()).map(([text, at]) => text.slice(0, at % text.length));
    fc.assert(
      fc.property(fc.oneof(broken, cut, fc.json()), (text) => {
        expect(findJsonFault(text) === null).toBe(isJson(text));
      }),
      { numRuns: 2000 },
    );
  });

  it('a JSON fault is found below a million brackets', () => {
    expect(findJsonFault('['.repeat(1_000_000))).toEqual({
      offset: 1_000_000,
      expected: 'a value',
    });
  });
});
