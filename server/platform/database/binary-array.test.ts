import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { cloneDatabase, type TestDatabase } from '../../../tests/kit/database.ts';
import { newId } from '../ids.ts';
import { binaryArray } from './binary-array.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await cloneDatabase();
});

afterAll(() => database.drop());

async function read(type: string, array: Buffer): Promise<string[]> {
  const { rows } = await database.owner.query<{ value: string }>(
    `SELECT v.value::text FROM unnest($1::${type}[]) WITH ORDINALITY AS v(value, place) ORDER BY place`,
    [array],
  );
  return rows.map(({ value }) => value);
}

it('Postgres reads the texts of a binary array unchanged', async () => {
  const special = ['', '{}', 'NULL', '"\\', "it's", 'é € 😀', '\t\r\n', '{"a":[1,",}"]}'];
  expect(await read('text', binaryArray('text', special))).toEqual(special);
  const text = fc.string({ unit: 'grapheme' });
  await fc.assert(
    fc.asyncProperty(fc.array(text, { minLength: 1 }), async (texts) => {
      expect(await read('text', binaryArray('text', texts))).toEqual(texts);
    }),
    { numRuns: 50 },
  );
});

it('Postgres reads the ids and bytes of a binary array unchanged', async () => {
  const ids = [newId(), newId()];
  expect(await read('uuid', binaryArray('uuid', ids))).toEqual(ids);
  const bytes = ['00ff', '', 'c0de'.repeat(16)];
  expect(await read('bytea', binaryArray('bytea', bytes))).toEqual(bytes.map((hex) => `\\x${hex}`));
});
