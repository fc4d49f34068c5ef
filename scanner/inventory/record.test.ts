import { describe, expect, it } from 'vitest';
import { InventoryError } from './inventory-error.ts';
import { parseRecord } from './record.ts';

function parse(input: string | Uint8Array) {
  return parseRecord({ line: 17, bytes: Buffer.from(input) });
}

function refusal(input: string | Uint8Array): string {
  try {
    parse(input);
  } catch (error) {
    if (!(error instanceof InventoryError)) throw error;
    expect(error).toMatchObject({ code: 'malformed', place: 'line 17' });
    return error.message;
  }
  throw new Error('The record was not refused.');
}

const rest = '"asset_type":"x/T"';

describe('a record', () => {
  it('a record may nest 64 levels, and one more is refused with its place', () => {
    const nested = (levels: number) =>
      `{"name":"n",${rest},"resource":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
    expect(parse(nested(64)).kinds).toEqual([]);
    expect(refusal(nested(65))).toMatch(/^At \/resource\/0\/.*more than 64 levels/);
    // Brackets in strings do not nest, and neither do adjacent ones.
    expect(parse(`{"name":"n",${rest},"a":"${'['.repeat(1_000)}"}`).name).toBe('n');
    expect(parse(`{"name":"n",${rest},"a":[${'[],'.repeat(1_000)}0]}`).name).toBe('n');
  });

  it('a record may hold 250,000 values, and a few more are refused with their place', () => {
    const holding = (values: number) => `{"name":"n",${rest},"a":[${'1,'.repeat(values)}1]}`;
    expect(parse(holding(249_000)).name).toBe('n');
    expect(refusal(holding(251_000))).toMatch(/^At \/a.*more than 250000 values/);
  });

  it('a message of a feed is refused with the way to its asset', () => {
    const message = `{"asset":{"name":"n",${rest}},"window":{"startTime":"2026-01-01T00:00:00Z"}}`;
    expect(refusal(message)).toMatch(/a feed.*jq -c \.asset/);
    expect(refusal(`{${rest},"asset":"n"}`)).toMatch(/has no name/);
  });

  it('a record omits a time or a project that is too long to be one', () => {
    const long = 'x'.repeat(1_000);
    const { updateTime, project } = parse(
      `{"name":"n",${rest},"update_time":"${long}","ancestors":["projects/${long}"]}`,
    );
    expect({ updateTime, project }).toEqual({ updateTime: null, project: null });
  });

  it.each([
    ['resource.location', '"location":"us-central1","data":{"location":"EU"}', 'us-central1'],
    ['resource.data.location', '"data":{"location":"EU"}', 'eu'],
    ['neither', '"data":{}', null],
    ['a text that Postgres cannot store', '"location":"\\u0000"', null],
    ['a text that is too long to be a location', `"location":"${'x'.repeat(65)}"`, null],
  ])('a record has the location of %s', (_where, members, location) => {
    expect(parse(`{"name":"n",${rest},"resource":{${members}}}`).location).toBe(location);
  });

  it.each([
    ['snake_case', '"asset_type":"x/T","update_time":"t","iam_policy":{},"org_policy":[]'],
    ['camelCase', '"assetType":"x/T","updateTime":"t","iamPolicy":{},"orgPolicy":[]'],
  ])('a record may be written in %s', (_style, members) => {
    expect(parse(`{"name":"//x/1",${members}}`)).toMatchObject({
      type: 'x/T',
      updateTime: 't',
      kinds: ['IAM_POLICY', 'ORG_POLICY'],
    });
  });

  it.each(['access_policy', 'accessLevel', 'service_perimeter', 'servicePerimeter'])(
    'a record with %s is of the kind ACCESS_POLICY',
    (member) => {
      expect(parse(`{"name":"n",${rest},"${member}":{}}`).kinds).toEqual(['ACCESS_POLICY']);
    },
  );

  it('a record may contain both a resource and a policy', () => {
    const { kinds } = parse(`{"name":"n",${rest},"resource":{"data":{}},"iam_policy":{}}`);
    expect(kinds).toEqual(['RESOURCE', 'IAM_POLICY']);
  });

  it('a record may have only a name and a type', () => {
    expect(parse(`{"name":"n",${rest}}`).kinds).toEqual([]);
  });

  it('a record omits content of the wrong type', () => {
    const odd = '"resource":"r","iam_policy":null,"org_policy":{},"access_policy":[]';
    expect(parse(`{"name":"n",${rest},${odd}}`).kinds).toEqual([]);
  });

  it.each([
    ['text that is not JSON', 'hello', 'expected a value at column 1'],
    ['an object that breaks off', '{"name":"n"', 'expected a comma or } at column 12'],
    ['an array', '[]', 'this is an array. For a JSON array of assets use application/json'],
    ['the first line of an array', '[', 'For a JSON array of assets use application/json'],
    ['a number', '7', 'must be a JSON object that describes an asset'],
    ['null', 'null', 'must be a JSON object that describes an asset'],
    ['a record without a name', `{${rest}}`, 'The record has no name'],
    ['a record whose name is not text', `{"name":7,${rest}}`, 'The record has no name'],
    ['a record with an empty name', `{"name":"",${rest}}`, 'The record has no name'],
    ['a record without an asset type', '{"name":"n"}', 'The record has no asset type'],
    ['an asset type that is not text', '{"name":"n","asset_type":[]}', 'has no asset type'],
    ['a NUL in the name', `{"name":"a\\u0000b",${rest}}`, 'The name contains a NUL'],
    ['half a surrogate pair in the name', `{"name":"a\\ud800",${rest}}`, 'lone surrogate'],
    ['a NUL in the type', '{"name":"n","asset_type":"\\u0000"}', 'The asset type contains a NUL'],
    ['an endless name', `{"name":"${'n'.repeat(2049)}",${rest}}`, 'longer than 2048 characters'],
    ['an endless type', `{"name":"n","assetType":"${'t'.repeat(257)}"}`, 'longer than 256'],
    [
      'a raw carriage return in a string',
      `{"name":"a\rb",${rest}}`,
      'an escape sequence instead of',
    ],
  ])('a record is refused if it is %s', (_what, input, words) => {
    expect(refusal(input)).toContain(words);
  });

  it.each([
    ['1e999', '"x":1e999', 'column 41'],
    ['a negative one', '"x":-1E+0400', 'column 41'],
    ['309 digits', `"x":${'9'.repeat(309)}`, 'column 41'],
    ['a fraction with an exponent', '"é\\"1e999":[1.5e308,1.8e308]', 'column 57'],
    ['one on its second line', '\n "x": 1e999', 'line 18, column 7'],
  ])(
    'a record with a number that is out of range is refused with its place: %s',
    (_what, member, place) => {
      const message = refusal(`{"name":"n",${rest},"a":{${member}}}`);
      expect(message).toMatch(new RegExp(`^The number at ${place} is out of range`));
    },
  );

  it('a record may have any number that is in range, and any text', () => {
    const numbers = `1e308,-1.79e308,1e-999,0e999,${'9'.repeat(308)},0.${'9'.repeat(400)},"1e999"`;
    expect(parse(`{"name":"n",${rest},"a":[${numbers}]}`).name).toBe('n');
  });

  it('a record is refused if it is not UTF-8', () => {
    expect(refusal(Buffer.from([0x7b, 0xff, 0x7d]))).toContain('not valid UTF-8');
  });

  it('a record may have a whole surrogate pair in its name', () => {
    expect(parse(`{"name":"\\ud83d\\ude00",${rest}}`).name).toBe('😀');
  });

  it('a record is refused without quoting its content', () => {
    expect(refusal('{"private_key":"hunter2" oops}')).not.toContain('hunter2');
  });
});
