import { describe, expect, it } from 'vitest';
import { parseExpression } from './expression.ts';

function faultOf(predicate: string): string {
  try {
    parseExpression(predicate);
  } catch (error) {
    if (error instanceof Error && error.name === 'PredicateError') return error.message;
    throw error;
  }
  return '';
}

describe('a predicate is refused, with the place,', () => {
  it.each([
    ['resource.data.x ==', 'line 1, column 17: unexpected "="'],
    ['true\n  && (false', 'line 2, column 3: unexpected "&"'],
    ['', 'line 1, column 1: unexpected end'],
    ['for == 1', 'line 1, column 1: not a CEL expression'],
    [
      'data.x == 1',
      'line 1, column 1: unknown variable data; available: resource, iam_policy, iamPolicy, asset, now',
    ],
    [
      'true ||\nresource.data.l.exists(x, y == 1)',
      'line 2, column 27: unknown variable y; available: resource, iam_policy, iamPolicy, asset, now',
    ],
    [
      '__proto__ == constructor',
      'line 1, column 1: unknown variable __proto__; available: resource, iam_policy, iamPolicy, asset, now',
    ],
    ['resource.data.x.foo()', 'line 1, column 16: unknown function foo'],
    [
      'cel.bind(x, 1, x == 1)',
      'line 1, column 1: unknown variable cel; available: resource, iam_policy, iamPolicy, asset, now',
    ],
    [
      'isPublic()',
      'line 1, column 1: isPublic is called with the wrong number or kind of arguments',
    ],
    [
      'resource.data.isPublic()',
      'line 1, column 14: isPublic is called with the wrong number or kind of arguments',
    ],
    [
      'size(resource.data.x, 2) == 1',
      'line 1, column 1: size is called with the wrong number or kind of arguments',
    ],
    [
      'asset.name.matches("(a")',
      'line 1, column 20: not a valid RE2 regular expression, or longer than 1,000 characters',
    ],
    [
      'google.protobuf.Timestamp{seconds: 1} < now',
      'line 1, column 1: message types such as google.protobuf.Timestamp are not supported',
    ],
    ['resource.data.x < 9223372036854775808', 'line 1, column 19: the integer is out of range'],
    ['resource.data.x < -9223372036854775809', 'line 1, column 19: the integer is out of range'],
    ['resource.data.x < 0x10000000000000000u', 'line 1, column 19: the integer is out of range'],
    [
      'resource.data.l.exists(resource, resource == 1)',
      'line 1, column 16: resource is already a variable; use another name',
    ],
  ])('the predicate %j is refused with the place of the fault', (predicate, fault) => {
    expect(faultOf(predicate)).toBe(fault);
  });

  it.each([
    ['"public"', 'string'],
    ['1 + 2', 'int'],
    ['now - now', 'google.protobuf.Duration'],
    ['[true]', 'list'],
    ['{"a": true}', 'map'],
    ['resource', 'map'],
    ['now', 'google.protobuf.Timestamp'],
    ['size(resource.data.x)', 'int'],
    ['resource.data.l.map(x, x == 1)', 'list'],
    ['has(resource.data.x) ? "yes" : "no"', 'string'],
    ['true && "yes"', 'string'],
    ['!resource.data.l.filter(x, true)', 'list'],
  ])('the predicate %j is refused because its value is not a boolean', (predicate, kind) => {
    expect(faultOf(predicate)).toMatch(`expected a boolean, not a value of type ${kind}`);
  });

  it('a predicate is refused when it calls a function with an argument of a type that it never accepts', () => {
    expect(faultOf('"a" + 1 == ""')).toBe('line 1, column 4: + does not accept (string, int)');
    expect(faultOf('now < resource.data.x')).toBe('');
    expect(faultOf('now < "2026"')).toMatch(
      '< does not accept (google.protobuf.Timestamp, string)',
    );
    expect(faultOf('[1].startsWith("a")')).toMatch('startsWith does not accept (list, string)');
  });

  it('a predicate that is nested too deeply or has too many parts is refused', () => {
    const deep = (open: string, close: string, times: number) =>
      `${open.repeat(times)}true${close.repeat(times)}`;
    expect(faultOf(deep('(', ')', 2400))).toMatch('nested too deeply');
    expect(faultOf(deep('[', ']', 2400))).toMatch('nested too deeply');
    expect(faultOf(deep('dyn(', ')', 900))).toMatch('nested too deeply');
    expect(faultOf(deep('dyn(', ')', 101))).toMatch('nested too deeply');
    expect(faultOf(`resource${'.a'.repeat(2000)}`)).toMatch('nested too deeply');
    expect(faultOf(Array(4000).fill('1').join('+'))).toMatch('nested too deeply');
    expect(faultOf(`size([${Array(6000).fill('1').join(',')}]) == 1`)).toMatch('too long');
  });
});

describe('a predicate is taken', () => {
  it.each([
    'true',
    'resource.data.flag',
    'resource.data.l.exists_one(x, x.name == "a" && x.size > 3)',
    'resource.data.l.all(x, resource.data.m.exists(y, x == y))',
    'has(resource.data.x) ? resource.data.x == 1 : false',
    'type(resource.data.x) == string || resource.data.x == null',
    'resource.data.x > -9223372036854775808 && resource.data.x < 9223372036854775807',
    'resource.data.x < 18446744073709551615u',
    'strings.quote(asset.name) != ""',
    '["a", "b"].exists(one, one in asset.ancestors)',
    'duration("1h") < (now - timestamp("2026-01-01T00:00:00Z"))',
  ])('the predicate %s is accepted', (predicate) => {
    expect(faultOf(predicate)).toBe('');
  });

  it.each([
    '// one\n// two\n\n  // three\ntrue',
    'true // one',
    'true // one\n// two\n',
    '// one\r\n// two\r\ntrue',
    '//\n//\nasset.name == "" // "unclosed\n|| // (\n// [\n true',
  ])('comments are accepted anywhere in a predicate: %j', (predicate) => {
    expect(faultOf(predicate)).toBe('');
  });

  it('two slashes in a string begin no comment, and a fault after comments has its place', () => {
    for (const literal of [
      '"//"',
      "'//'",
      '"\\"//"',
      'r"\\"',
      'b"//"',
      '"""\n"//"""',
      "r'''\\'//'''",
    ]) {
      expect(faultOf(`${literal} == ${literal} && nope // a\n// b`), literal).toMatch(
        /^line \d+, column \d+: unknown variable nope/,
      );
    }
    expect(faultOf('// one\n// two\n  nope')).toMatch('line 3, column 3: unknown variable nope');
    expect(faultOf('// one\n// two')).toMatch('unexpected end');
  });

  it('a predicate with hundreds of alternatives is accepted', () => {
    expect(faultOf(Array(400).fill('asset.name=="a"').join('||'))).toBe('');
  });
});

describe('the fields that a predicate reads', () => {
  it('the fields that a predicate reads are its variables and the longest paths that it names', () => {
    const { reads, leaves } = parseExpression(
      'has(resource.data.labels.owner) && resource.data["labels"]["team"] == iam_policy.etag && asset.name != ""',
    );
    expect([...reads].sort()).toEqual(['asset', 'iam_policy', 'resource']);
    expect(leaves.map((path) => path.join('.'))).toEqual([
      'resource.data.labels.owner',
      'resource.data.labels.team',
      'iam_policy.etag',
      'asset.name',
    ]);
  });
});
