import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { Evaluator } from '../evaluate.ts';
import { snapshotOf } from '../testing/snapshot.ts';
import { Intake } from './intake.ts';
import { InventoryError } from './inventory-error.ts';
import { parseAsset } from './normalise.ts';
import { parseRecord } from './record.ts';

const SAMPLE = new URL('../../samples/shop-prod.ndjson', import.meta.url);
const NAMES = { name: '//storage.googleapis.com/a', asset_type: 'storage.googleapis.com/Bucket' };

const parse = (record: object) =>
  parseRecord({ line: 3, bytes: Buffer.from(JSON.stringify(record)) });

/** A record as an export to BigQuery has it. */
function inBigQuery(record: { resource?: { data?: object }; update_time?: string }): object {
  const { resource, update_time } = record;
  return {
    ...record,
    ...(resource && { resource: { ...resource, data: JSON.stringify(resource.data) } }),
    ...(update_time && { update_time: update_time.replace(/T(.*)Z$/, ' $1 UTC') }),
  };
}

describe('a record of an export to BigQuery', () => {
  it('a bucket that its own ACL makes public does not pass because BigQuery stores its resource as text', () => {
    const defaultObjectAcl = [{ entity: 'allUsers', role: 'READER' }];
    const record = { ...NAMES, iam_policy: {}, resource: { data: { id: 'a', defaultObjectAcl } } };
    const verdictOf = (given: object) => {
      const asset = parseAsset(parse(given).text);
      const rules = [{ id: 'bucket-public', version: 1, parameters: {} }];
      const context = { now: new Date(0), snapshot: snapshotOf([asset]) };
      return new Evaluator({ rules }, context).evaluate(asset)[0]?.verdict;
    };
    expect(verdictOf(record)).toBe('fail');
    expect(verdictOf(inBigQuery(record))).toBe('fail');
  });

  it('each record of the sample is the same from BigQuery as from Cloud Storage', async () => {
    const lines = (await readFile(SAMPLE, 'utf8')).split('\n').filter((line) => line[0] === '{');
    const records = lines.map((line) => JSON.parse(line));
    expect(records.filter(({ resource, update_time }) => resource && update_time)).not.toEqual([]);
    for (const record of records) {
      const { text, ...head } = parse(inBigQuery(record));
      const { text: expected, ...expectedHead } = parse(record);
      expect([JSON.parse(text), head]).toEqual([JSON.parse(expected), expectedHead]);
    }
  });

  it('the data of a resource is taken as it is written, beside other texts, lines and escapes', () => {
    const data = '{ "n": 12345678901234567890,\n "resource": "{\\"data\\":1}", "é": "\\u00e9:,}" }';
    const record = `{"x":{"resource":{"data":"{}"}}, "name":"n","asset_type":"x/T",\n "\\u0072esource": { "version": "v1:,", "d\\u0061ta" : ${JSON.stringify(data)}, "z": [1] } , "update_time":"2026-11-13 05:06:09 UTC"}`;
    const { text, updateTime } = parseRecord({ line: 1, bytes: Buffer.from(record) });
    expect(updateTime).toBe('2026-11-13T05:06:09Z');
    expect(JSON.parse(text)).toEqual({
      x: { resource: { data: '{}' } },
      name: 'n',
      asset_type: 'x/T',
      resource: { version: 'v1:,', data: JSON.parse(data), z: [1] },
      update_time: '2026-11-13T05:06:09Z',
    });
    expect(text).toContain('12345678901234567890');
    expect(text).not.toContain('\n');
  });

  it.each([
    ['a number that is out of range', '{"a":1e999}', 'is out of range'],
    ['too many levels', `${'['.repeat(70)}${']'.repeat(70)}`, 'more than 62 levels'],
    ['too many levels with those around', `{"a":${'['.repeat(62)}${']'.repeat(62)}}`, '62 levels'],
  ])('a record whose text of a resource has %s is refused with its line', (_what, data, words) => {
    const refused = () => parse({ ...NAMES, resource: { data } });
    expect(refused).toThrow(InventoryError);
    expect(refused).toThrow(words);
  });

  it.each([['text'], ['[]'], ['{"a":'], [[]], [7], [true]])(
    'a record whose resource has the data %j is accepted with a warning of its line',
    async (data) => {
      const intake = new Intake();
      await intake.add(parse({ ...NAMES, resource: { data } }));
      for await (const { text } of intake.assets()) expect(parseAsset(text).data).toBeNull();
      const message = expect.stringContaining('The data of the resource is not a JSON object');
      expect(intake.summary().warnings).toEqual([{ line: 3, message }]);
      await intake.close();
    },
  );

  it.each([[{}], [{ data: null }], [{ data: {} }]])(
    'a record whose resource is %j has no warning',
    (resource) => {
      expect(parse({ ...NAMES, resource }).hasUnreadableData).toBe(false);
    },
  );
});
