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
    ['', 'line 1, column 1: ends too early'],
    ['for == 1', 'line 1, column 1: not a CEL expression'],
    [
      'data.x == 1',
      'line 1, column 1: there is no variable data; there are resource, iam_policy, iamPolicy, asset, now',
    ],
    [
      'true ||\nresource.data.l.exists(x, y == 1)',
      'line 2, column 27: there is no variable y; there are resource, iam_policy, iamPolicy, asset, now',
    ],
    [
      '__proto__ == constructor',
      'line 1, column 1: there is no variable __proto__; there are resource, iam_policy, iamPolicy, asset, now',
    ],
    ['resource.data.x.foo()', 'line 1, column 16: there is no function foo'],
    [
      'cel.bind(x, 1, x == 1)',
      'line 1, column 1: there is no variable cel; there are resource, iam_policy, iamPolicy, asset, now',
    ],
    ['isPublic()', 'line 1, column 1: isPublic is not called like this'],
    ['resource.data.isPublic()', 'line 1, column 14: isPublic is not called like this'],
    ['size(resource.data.x, 2) == 1', 'line 1, column 1: size is not called like this'],
    [
      'asset.name.matches("(a")',
      'line 1, column 20: not a regular expression of RE2, or over 1,000 characters',
    ],
    [
      'google.protobuf.Timestamp{seconds: 1} < now',
      'line 1, column 1: there are no messages such as google.protobuf.Timestamp',
    ],
    [
      'resource.data.l.exists(resource, resource == 1)',
      'line 1, column 16: resource is a variable already; name it otherwise',
    ],
  ])('%s', (predicate, fault) => {
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
  ])('where its value is none of truth: %s', (predicate, kind) => {
    expect(faultOf(predicate)).toMatch(`a value of type ${kind} is neither true nor false`);
  });

  it('where a function never takes what it is given', () => {
    expect(faultOf('"a" + 1 == ""')).toBe('line 1, column 4: + does not take (string, int)');
    expect(faultOf('now < resource.data.x')).toBe('');
    expect(faultOf('now < "2026"')).toMatch('< does not take (google.protobuf.Timestamp, string)');
    expect(faultOf('[1].startsWith("a")')).toMatch('startsWith does not take (list, string)');
  });

  it('where it is nested too deeply, in whatever way, or has too many parts', () => {
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
    'strings.quote(asset.name) != ""',
    '["a", "b"].exists(one, one in asset.ancestors)',
    'duration("1h") < (now - timestamp("2026-01-01T00:00:00Z"))',
  ])('%s', (predicate) => {
    expect(faultOf(predicate)).toBe('');
  });

  it('with hundreds of alternatives', () => {
    expect(faultOf(Array(400).fill('asset.name=="a"').join('||'))).toBe('');
  });
});

describe('what a predicate reads', () => {
  it('is told by its variables, and by the longest paths that it names', () => {
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
