import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cloneDatabase, type TestDatabase } from '../../../tests/kit/database.ts';
import { testPool } from '../../../tests/kit/test-pool.ts';
import { parseTimestamp } from './timestamp-parser.ts';

let database: TestDatabase;
let pool: pg.Pool;

beforeAll(async () => {
  database = await cloneDatabase();
  pool = testPool(database.appUrl);
});

afterAll(async () => {
  await pool.end();
  await database.drop();
});

const read = async (expression: string) =>
  (await pool.query<{ at: unknown }>(`SELECT ${expression} AS at`)).rows[0]?.at;

describe('times read from Postgres', () => {
  it.each([
    ['2026-11-24T14:10:03Z', '2026-11-24T14:10:03.000Z'],
    ['2026-11-24T14:10:03.5Z', '2026-11-24T14:10:03.500Z'],
    ['2026-11-24T14:10:03.07Z', '2026-11-24T14:10:03.070Z'],
    ['2026-02-28T23:59:59.999999Z', '2026-02-28T23:59:59.999Z'],
    ['2024-02-29T00:00:00.000001Z', '2024-02-29T00:00:00.000Z'],
    ['2026-11-24T14:10:03+05:30', '2026-11-24T08:40:03.000Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
    ['1899-12-31T12:00:00Z', '1899-12-31T12:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
    ['12026-01-01T00:00:00Z', '+012026-01-01T00:00:00.000Z'],
  ])('a time in Postgres is read as the same millisecond: %s', async (written, expected) => {
    expect(await read(`timestamptz '${written}'`)).toEqual(new Date(expected));
  });

  it('every millisecond of a second is read exactly', async () => {
    const { rows } = await pool.query<{ at: Date }>(
      `SELECT timestamptz '2026-11-24T14:10:03Z' + n * interval '1 ms' AS at FROM generate_series(0, 999) n`,
    );
    const first = Date.UTC(2026, 10, 24, 14, 10, 3);
    expect(rows.map(({ at }) => at.getTime() - first)).toEqual([...rows.keys()]);
  });

  it('infinity, and years before Christ, are read as node-postgres reads them', async () => {
    expect(await read("timestamptz 'infinity'")).toBe(Number.POSITIVE_INFINITY);
    expect(await read("timestamptz '-infinity'")).toBe(Number.NEGATIVE_INFINITY);
    expect(await read("timestamptz '0045-03-15 12:00:00+00 BC'")).toEqual(
      new Date('-000044-03-15T12:00:00.000Z'),
    );
  });

  it('a time in a session with another time zone is read as the same instant', () => {
    expect(parseTimestamp('2026-11-24 09:10:03.25-05')).toEqual(
      new Date('2026-11-24T14:10:03.250Z'),
    );
  });
});
