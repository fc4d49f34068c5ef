import { describe, expect, test } from 'vitest';
import { parseList } from './structured-fields.ts';

describe('a list in structured fields (RFC 9651)', () => {
  test('a list in structured fields (RFC 9651) keeps the order of its items and their numeric parameters', () => {
    expect(parseList('"default"; r=57; t=42, "scans"; r=8; t=12')).toEqual([
      { name: 'default', params: { r: 57, t: 42 } },
      { name: 'scans', params: { r: 8, t: 12 } },
    ]);
  });

  test('a list in structured fields (RFC 9651) ignores white space around commas, including tabs', () => {
    expect(parseList('"a";r=1 \t,\t "b";r=2').map(({ name }) => name)).toEqual(['a', 'b']);
  });

  test('a list in structured fields (RFC 9651) skips parameters that are not numbers', () => {
    const field =
      '"default";q=60;w=60;pk=:c2VjcmV0LCI7cj0w:;flag;note="a, b;r=0 \\" c";unit=?1;c=tok/en';
    expect(parseList(field)).toEqual([{ name: 'default', params: { q: 60, w: 60 } }]);
  });

  test('a list in structured fields (RFC 9651) uses the last of several parameters with the same name', () => {
    expect(parseList('"a";r=1;r=2')).toEqual([{ name: 'a', params: { r: 2 } }]);
  });

  test('a list in structured fields (RFC 9651) leaves escapes in names unchanged', () => {
    expect(parseList('"a\\"b\\\\c;r=2";r=1')).toEqual([
      { name: 'a\\"b\\\\c;r=2', params: { r: 1 } },
    ]);
  });

  test('a list in structured fields (RFC 9651) accepts a token as a name', () => {
    expect(parseList('default;r=1')).toEqual([{ name: 'default', params: { r: 1 } }]);
  });

  test.each([
    ['', 'nothing'],
    ['"a";r=1,', 'a trailing comma'],
    ['"a";r=1 "b"', 'a missing comma'],
    ['"a', 'an open string'],
    ['"ä";r=1', 'a character outside ASCII'],
    ['"a";R=1', 'a key in capitals'],
    ['"a";r=', 'a missing value'],
    ['"a";r=1;', 'an empty parameter'],
    [',"a";r=1', 'a leading comma'],
    ['(1 2);r=1', 'an inner list'],
  ])('a list in structured fields (RFC 9651) is ignored completely when it is %j: %s', (field) => {
    expect(parseList(field)).toEqual([]);
  });
});
