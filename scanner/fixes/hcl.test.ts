import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../json.ts';
import { hcl } from './hcl.ts';

describe('a value in HCL', () => {
  it.each<[JsonValue, string]>([
    [true, 'true'],
    [0, '0'],
    [null, 'null'],
    ['on', '"on"'],
    [['a', 'b'], '["a", "b"]'],
    [{ log_type: 'DATA_READ', 'a b': 1 }, '{ log_type = "DATA_READ", "a b" = 1 }'],
    [{}, '{}'],
  ])('the value %j in HCL is %s', (value, expected) => {
    expect(hcl(value)).toBe(expected);
  });

  it.each([
    ['a quote', '" } evil = "', '"\\" } evil = \\""'],
    ['a backslash at the end', 'a\\', '"a\\\\"'],
    ['an interpolation', '\u0024{file("/etc/passwd")}', '"\\u0024{file(\\"/etc/passwd\\")}"'],
    ['an escaped interpolation', '$\u0024{x}', '"$\\u0024{x}"'],
    ['a directive', '\u0025{if true}', '"\\u0025{if true}"'],
    ['a line feed', 'a\nb', '"a\\u000ab"'],
    ['a mark that reverses the text', '\u202e', '"\\u202e"'],
  ])('a string in HCL keeps %s inside its quotes', (_, value, expected) => {
    expect(hcl(value)).toBe(expected);
  });
});
