import type pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { cloneDatabase, type TestDatabase } from '../../tests/kit/database.ts';
import { createPool } from './database/pool.ts';
import { TenantDatabase } from './database/tenant-database.ts';
import { newId } from './ids.ts';
import { asProblem } from './problem.ts';

let database: TestDatabase;
let pool: pg.Pool;
let tenants: TenantDatabase;

beforeAll(async () => {
  database = await cloneDatabase();
  pool = createPool({
    url: database.appUrl,
    name: 'test',
    maxConnections: 1,
    statementTimeoutMs: 10_000,
    onError: () => undefined,
  });
  tenants = new TenantDatabase(pool);
});

afterAll(async () => {
  await pool.end();
  await database.drop();
});

it.each([
  ['a deadlock', '40P01'],
  ['a serialization failure', '40001'],
])('a request that ended with %s may be repeated, for pg and Prisma', async (_, state) => {
  const text = `DO $$ BEGIN RAISE 'test' USING ERRCODE = '${state}'; END $$`;
  const errorOf = (work: Promise<unknown>) =>
    work.then(
      () => null,
      (error: unknown) => error,
    );
  const errors = [
    await errorOf(tenants.write(newId(), (db) => db.sql({ name: '', text }))),
    await errorOf(tenants.write(newId(), ({ prisma }) => prisma.$executeRawUnsafe(text))),
  ];
  for (const problem of errors.map(asProblem)) {
    expect(problem.code).toBe('SERVICE_UNAVAILABLE');
    expect(problem.headers).toEqual({ 'Retry-After': '1' });
    expect(problem.message).toMatch(/^The request conflicted with another one/);
  }
});
