import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../json.ts';
import { mergeRecords } from './merge.ts';
import { parseAsset } from './normalise.ts';
import { type InventoryRecord, parseRecord } from './record.ts';

function record(line: number, members: JsonObject): InventoryRecord {
  const value = { name: '//x/1', asset_type: 'x/T', ...members };
  return parseRecord({ line, bytes: Buffer.from(JSON.stringify(value)) });
}

const resource = (line: number, size: number, time?: string) =>
  record(line, {
    resource: { data: { size } },
    ...(time === undefined ? {} : { update_time: time }),
  });

const sizeOf = (...records: InventoryRecord[]) => parseAsset(mergeRecords(records).text).data?.size;

const ancestorsOf = (...records: InventoryRecord[]) =>
  parseAsset(mergeRecords(records).text).ancestors;

const EARLY = '2026-01-01T00:00:00Z';
const LATE = '2026-01-01T00:00:00.5Z';

describe('the records of one asset', () => {
  it('the records of one asset are merged into one asset with all members', () => {
    const { text, warnings } = mergeRecords([
      record(1, { resource: { data: { a: 1 } }, ancestors: ['projects/1'] }),
      record(2, { iam_policy: { bindings: [] } }),
      record(3, { org_policy: [{ constraint: 'c' }] }),
      record(4, { access_level: { title: 't' } }),
    ]);
    expect(warnings).toEqual([]);
    expect(parseAsset(text)).toEqual({
      name: '//x/1',
      type: 'x/T',
      ancestors: ['projects/1'],
      updateTime: null,
      data: { a: 1 },
      iamPolicy: { bindings: [] },
      orgPolicies: [{ constraint: 'c' }],
      accessPolicy: { title: 't' },
      planned: null,
      possible: null,
    });
  });

  it.each([
    ['an empty list', []],
    ['null', null],
  ])('the ancestors of one record stay if a later record of the asset has %s', (_, none) => {
    const filled = (line: number) => record(line, { resource: {}, ancestors: ['projects/1'] });
    const empty = (line: number) => record(line, { iam_policy: {}, ancestors: none });
    expect(ancestorsOf(filled(1), empty(2))).toEqual(['projects/1']);
    expect(ancestorsOf(empty(1), filled(2))).toEqual(['projects/1']);
    expect(ancestorsOf(empty(1), empty(2))).toEqual([]);
  });

  it('the records of one asset may mix snake_case and camelCase', () => {
    const camel = parseRecord({
      line: 2,
      bytes: Buffer.from('{"name":"//x/1","assetType":"x/T","iamPolicy":{"version":3}}'),
    });
    const { text, warnings } = mergeRecords([record(1, { iam_policy: { version: 1 } }), camel]);
    expect(parseAsset(text).iamPolicy).toEqual({ version: 3 });
    expect(warnings.map(({ line }) => line)).toEqual([1]);
  });

  it('a single record of an asset is left unchanged', () => {
    const only = record(1, { resource: {} });
    expect(mergeRecords([only])).toEqual({ text: only.text, warnings: [] });
    expect(() => mergeRecords([])).toThrow(RangeError);
  });

  it('the newer of two records of one asset and kind is used, with a warning for the other', () => {
    expect(sizeOf(resource(1, 10, LATE), resource(2, 20, EARLY))).toBe(10);
    const { warnings } = mergeRecords([resource(1, 10, LATE), resource(2, 20, EARLY)]);
    expect(warnings).toEqual([{ line: 2, message: expect.stringContaining('line 1') }]);
    expect(warnings[0]?.message).toContain('RESOURCE');
  });

  it('an asset that was moved has the ancestors and the time of its newest record, wherever that is', () => {
    const moved = (line: number, folder: number, time: string) =>
      record(line, {
        resource: {},
        ancestors: ['projects/1', `folders/${folder}`],
        update_time: time,
      });
    const camel = parseRecord({
      line: 3,
      bytes: Buffer.from(
        `{"name":"//x/1","assetType":"x/T","iamPolicy":{},"ancestors":["projects/1","folders/4"],"updateTime":"2027-01-01T00:00:00Z"}`,
      ),
    });
    const [older, newer] = [moved(2, 2, EARLY), moved(1, 3, LATE)];
    expect(ancestorsOf(newer, older)).toEqual(['projects/1', 'folders/3']);
    expect(parseAsset(mergeRecords([newer, older]).text).updateTime).toBe(LATE);
    const { ancestors, updateTime } = parseAsset(mergeRecords([newer, camel, older]).text);
    expect(ancestors).toEqual(['projects/1', 'folders/4']);
    expect(updateTime).toBe('2027-01-01T00:00:00Z');
  });

  it('the later line of two records of one asset, kind and time is used', () => {
    expect(sizeOf(resource(1, 10, EARLY), resource(2, 20, EARLY))).toBe(20);
  });

  it('the later line of two records of one asset and kind is used when one has no time', () => {
    expect(sizeOf(resource(1, 10), resource(2, 20))).toBe(20);
    expect(sizeOf(resource(1, 10, LATE), resource(2, 20))).toBe(20);
    expect(sizeOf(resource(1, 10, LATE), resource(2, 20, 'soon'))).toBe(20);
  });

  it('the record to use is chosen for each content type separately', () => {
    const older = record(1, { update_time: EARLY, resource: { data: { v: 1 } }, iam_policy: {} });
    const newer = record(2, { update_time: LATE, resource: { data: { v: 2 } } });
    const { text, warnings } = mergeRecords([older, newer]);
    expect(parseAsset(text)).toMatchObject({ data: { v: 2 }, iamPolicy: {} });
    expect(warnings.map(({ line }) => line)).toEqual([1]);
  });

  it('the records of one asset give the same asset in any order', () => {
    const one = fc.record({
      time: fc.constantFrom(EARLY, LATE, 'soon', null),
      resource: fc.option(fc.record({ data: fc.dictionary(fc.string(), fc.jsonValue()) })),
      iam_policy: fc.option(fc.record({ version: fc.nat() })),
      extra: fc.jsonValue(),
    });
    const several = fc.array(one, { minLength: 1, maxLength: 6 }).chain((all) => {
      const records = all.map(({ time, ...members }, at) =>
        record(at + 1, {
          ...(JSON.parse(JSON.stringify(members)) as JsonObject),
          update_time: time,
        }),
      );
      const orders = fc.shuffledSubarray(records, { minLength: records.length });
      return fc.tuple(fc.constant(records), orders);
    });
    fc.assert(
      fc.property(several, ([inOrder, shuffled]) => {
        expect(mergeRecords(shuffled)).toEqual(mergeRecords(inOrder));
      }),
    );
  });

  it('members with names of JavaScript object properties are kept', () => {
    const odd = parseRecord({
      line: 1,
      bytes: Buffer.from('{"name":"n","asset_type":"t","__proto__":{"x":1},"resource":{}}'),
    });
    const { text } = mergeRecords([odd, record(2, { iam_policy: {} })]);
    expect(text).toContain('"__proto__":{"x":1}');
  });
});
