import { afterAll, beforeAll, expect, it } from 'vitest';
import { cloneDatabase, type TestDatabase } from '../../../tests/kit/database.ts';
import { createPool } from './pool.ts';
import { PrimaryPosition } from './position.ts';

let database: TestDatabase;
let pool: ReturnType<typeof createPool>;

beforeAll(async () => {
  database = await cloneDatabase();
  pool = createPool({
    ...{ url: database.appUrl, name: 'cspm position test', maxConnections: 1 },
    ...{ statementTimeoutMs: 60_000, connectWithinMs: 60_000, onError: () => undefined },
  });
});

afterAll(async () => {
  await pool.end();
  await database.drop();
});

async function flushed(): Promise<string> {
  const { rows } = await database.owner.query('SELECT pg_current_wal_flush_lsn()::text AS lsn');
  return rows[0].lsn;
}

async function isAtLeast(lsn: string, other: string): Promise<boolean> {
  const { rows } = await database.owner.query('SELECT $1::pg_lsn >= $2::pg_lsn AS holds', [
    ...[lsn, other],
  ]);
  return rows[0].holds;
}

it('the replication position covers every write that was committed before it was requested', async () => {
  const position = new PrimaryPosition(pool);
  for (let count = 0; count < 20; count += 1) {
    const earlier = position.now();
    await database.owner.query('CREATE TABLE IF NOT EXISTS written AS SELECT 1 AS one');
    await database.owner.query('INSERT INTO written VALUES (1)');
    const committed = await flushed();
    const { lsn, timeline } = await position.now();
    expect(await isAtLeast(lsn, committed)).toBe(true);
    expect(timeline).toBe(1);
    await earlier;
  }
});

it('concurrent requests for the replication position share the next answer, never that of an earlier query', async () => {
  const position = new PrimaryPosition(pool);
  const sent = position.now();
  const next = position.now();
  expect(next).not.toBe(sent);
  expect(position.now()).toBe(next);
  await Promise.all([sent, next]);
  const later = position.now();
  expect(later).not.toBe(next);
  await later;
});
