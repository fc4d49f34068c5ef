import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { cloneDatabase, type TestDatabase } from '../../../tests/kit/database.ts';
import { ID_BYTES, newId, writeNewId } from '../ids.ts';
import { BinaryArrayWriter } from './binary-array.ts';

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

const textsOf = (texts: readonly string[]) => new BinaryArrayWriter().texts(texts, (text) => text);

it('Postgres reads the texts of a binary array unchanged', async () => {
  const special = ['', '{}', 'NULL', '"\\', "it's", 'é € 😀', '\t\r\n', '{"a":[1,",}"]}'];
  expect(await read('text', textsOf(special))).toEqual(special);
  const text = fc.string({ unit: 'grapheme' });
  await fc.assert(
    fc.asyncProperty(fc.array(text, { minLength: 1 }), async (texts) => {
      expect(await read('text', textsOf(texts))).toEqual(texts);
    }),
    { numRuns: 50 },
  );
});

it('Postgres reads the ids and bytes of a binary array unchanged', async () => {
  const arrays = new BinaryArrayWriter();
  const before = newId();
  const ids = await read(
    'uuid',
    arrays.fixed('uuid', ID_BYTES, [1, 2, 3], (_, bytes, at) => writeNewId(bytes, at)),
  );
  const inOrder = [before, ...ids, newId()];
  expect(inOrder.toSorted()).toEqual(inOrder);
  expect(new Set(inOrder).size).toBe(5);
  const write = (hex: string, bytes: Buffer, at: number) => bytes.write(hex, at, 'hex');
  const hex = ['00ff', 'c0de', '0000'];
  expect(await read('bytea', arrays.fixed('bytea', 2, hex, write))).toEqual(
    hex.map((digits) => `\\x${digits}`),
  );
});

/** The format without any optimization. */
function plainArray(texts: readonly string[]): Buffer {
  const number = (value: number) => {
    const bytes = Buffer.alloc(4);
    bytes.writeInt32BE(value);
    return bytes;
  };
  const elements = texts.flatMap((text) => {
    const bytes = Buffer.from(text, 'utf8');
    return [number(bytes.length), bytes];
  });
  return Buffer.concat([...[1, 0, 25, texts.length, 1].map(number), ...elements]);
}

it('arrays keep their bytes while others are written, for any text and repeated texts', () => {
  const arrays = new BinaryArrayWriter();
  const text = fc.oneof(
    fc.constantFrom('', 'same', 'é', '\u{1F600}', 'large'.repeat(100_000)),
    fc.string({ unit: 'binary' }),
    // Lone surrogates become U+FFFD.
    fc.string({ unit: fc.constantFrom('a', '\ud83d', '\ude00') }),
  );
  fc.assert(
    fc.property(fc.array(fc.array(text)), (columns) => {
      arrays.reset();
      const written = columns.map((texts) => arrays.texts(texts, (one) => one));
      for (const [at, texts] of columns.entries()) {
        expect(written[at]?.equals(plainArray(texts))).toBe(true);
      }
    }),
  );
});
