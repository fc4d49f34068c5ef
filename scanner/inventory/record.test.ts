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
  it.each([
    ['snake_case', '"asset_type":"x/T","update_time":"t","iam_policy":{},"org_policy":[]'],
    ['camelCase', '"assetType":"x/T","updateTime":"t","iamPolicy":{},"orgPolicy":[]'],
  ])('is read in %s', (_style, members) => {
    expect(parse(`{"name":"//x/1",${members}}`)).toMatchObject({
      type: 'x/T',
      updateTime: 't',
      kinds: ['IAM_POLICY', 'ORG_POLICY'],
    });
  });

  it.each(['access_policy', 'accessLevel', 'service_perimeter', 'servicePerimeter'])(
    'with %s is of the kind ACCESS_POLICY',
    (member) => {
      expect(parse(`{"name":"n",${rest},"${member}":{}}`).kinds).toEqual(['ACCESS_POLICY']);
    },
  );

  it('may hold a resource and a policy at once', () => {
    const { kinds } = parse(`{"name":"n",${rest},"resource":{"data":{}},"iam_policy":{}}`);
    expect(kinds).toEqual(['RESOURCE', 'IAM_POLICY']);
  });

  it('may hold a name and a type alone', () => {
    expect(parse(`{"name":"n",${rest}}`).kinds).toEqual([]);
  });

  it('holds no content where that is of the wrong type', () => {
    const odd = '"resource":"r","iam_policy":null,"org_policy":{},"access_policy":[]';
    expect(parse(`{"name":"n",${rest},${odd}}`).kinds).toEqual([]);
  });

  it.each([
    ['text that is not JSON', 'hello', 'a value is expected at column 1'],
    ['an object that breaks off', '{"name":"n"', 'a comma or } is expected at column 12'],
    ['an array', '[]', 'this is an array. A JSON array of assets is application/json'],
    ['the first line of an array', '[', 'A JSON array of assets is application/json'],
    ['a number', '7', 'must be a JSON object that describes an asset'],
    ['null', 'null', 'must be a JSON object that describes an asset'],
    ['a record without a name', `{${rest}}`, 'The record has no name'],
    ['a record whose name is no text', `{"name":7,${rest}}`, 'The record has no name'],
    ['a record with an empty name', `{"name":"",${rest}}`, 'The record has no name'],
    ['a record without an asset type', '{"name":"n"}', 'The record has no asset type'],
    ['an asset type that is no text', '{"name":"n","asset_type":[]}', 'has no asset type'],
    ['a NUL in the name', `{"name":"a\\u0000b",${rest}}`, 'The name holds a NUL'],
    [
      'half a surrogate pair in the name',
      `{"name":"a\\ud800",${rest}}`,
      'half of a surrogate pair',
    ],
    ['a NUL in the type', '{"name":"n","asset_type":"\\u0000"}', 'The asset type holds a NUL'],
    ['an endless name', `{"name":"${'n'.repeat(2049)}",${rest}}`, 'longer than 2048 characters'],
    ['an endless type', `{"name":"n","assetType":"${'t'.repeat(257)}"}`, 'longer than 256'],
    ['a raw carriage return in a string', `{"name":"a\rb",${rest}}`, 'an escape instead of'],
  ])('is refused if it is %s', (_what, input, words) => {
    expect(refusal(input)).toContain(words);
  });

  it('is refused if it is not UTF-8', () => {
    expect(refusal(Buffer.from([0x7b, 0xff, 0x7d]))).toContain('not UTF-8');
  });

  it('may have a whole surrogate pair in its name', () => {
    expect(parse(`{"name":"\\ud83d\\ude00",${rest}}`).name).toBe('😀');
  });

  it('never repeats in its refusal what it holds', () => {
    expect(refusal('{"private_key":"hunter2" oops}')).not.toContain('hunter2');
  });
});
