import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cloneDatabase, type TestDatabase } from '../../../tests/kit/database.ts';
import { holdTurn } from '../../../tests/kit/held-turn.ts';
import { testPool } from '../../../tests/kit/test-pool.ts';
import { newId } from '../ids.ts';
import { ConnectionShares } from './connection-shares.ts';
import { type TenantConnection, TenantDatabase } from './tenant-database.ts';

const CONNECTIONS = 4;
const SMALL_READS = 50;

let database: TestDatabase;
let pool: pg.Pool;
let tenants: TenantDatabase;
const tenant = newId();

beforeAll(async () => {
  database = await cloneDatabase();
  pool = testPool(database.appUrl, { maxConnections: CONNECTIONS });
  tenants = sharing(pool);
  await tenants.write(tenant, (db) => db.sql(INSERT_PROJECTS, [tenant]));
});

afterAll(async () => {
  await pool.end();
  await database.drop();
});

/** A database that serves requests. */
function sharing(connections: pg.Pool): TenantDatabase {
  return new TenantDatabase(connections, {
    shares: new ConnectionShares({ connections: CONNECTIONS }),
  });
}

interface Line {
  text: string;
}
const LINES = 2_000;
const LARGE = {
  name: 'test-large',
  text: `SELECT repeat('x', 1000) AS text FROM generate_series(1, ${LINES})`,
};
const SMALL = { name: 'test-small', text: "SELECT 'x' AS text" };
const FAILING = {
  name: 'test-failing',
  text: `SELECT repeat('x', 1000) AS text, 1 / (${LINES} - n) AS fraction FROM generate_series(1, ${LINES}) AS n`,
};
const INSERT_PROJECTS = {
  name: 'test-insert-projects',
  text: `INSERT INTO projects (tenant_id, id, name, description, created_at)
         SELECT $1, gen_random_uuid(), 'p-' || n, repeat('x', 1000), now() FROM generate_series(1, 200) AS n`,
};

type Read = (db: TenantConnection) => Promise<readonly object[]>;

const large: Read = (db) => db.sql<Line>(LARGE);
const small: Read = (db) => db.sql<Line>(SMALL);
const projects: Read = (db) => db.prisma.project.findMany();

/** Holds the turn of another tenant until many small reads have ended. @returns whether the work had ended by then. */
async function endsWithoutTurn(work: Promise<unknown>): Promise<boolean> {
  let hasEnded = false;
  const noted = work.then(() => {
    hasEnded = true;
  });
  const endTurn = holdTurn();
  for (let count = 0; count < SMALL_READS; count += 1) await tenants.read(tenant, small);
  const ended = hasEnded;
  await endTurn();
  await noted;
  return ended;
}

describe('a large result', () => {
  it.each([
    ['a statement', large, LINES],
    ['Prisma', projects, 200],
  ])(
    'a large result of %s waits for the turn of its tenant, and small ones do not',
    async (_of, work, rows) => {
      // Prisma connects on the first use of a client.
      await tenants.read(tenant, work);
      const read = tenants.read(tenant, work);
      expect(await endsWithoutTurn(read)).toBe(false);
      expect(await read).toHaveLength(rows);
    },
  );

  it('a large result takes no turn on connections that serve no requests', async () => {
    const endTurn = holdTurn();
    expect(await new TenantDatabase(pool).read(tenant, large)).toHaveLength(LINES);
    await endTurn();
  });

  it('a large result is read in turns of the event loop, one piece in each for all connections', async () => {
    let loops = 0;
    let isCounting = true;
    const count = () => {
      loops += 1;
      if (isCounting) setImmediate(count);
    };
    count();
    await Promise.all(Array.from({ length: 3 }, () => tenants.read(tenant, large)));
    isCounting = false;
    const pieces = (3 * LINES * 1000) / (2 * 64 * 1024);
    expect(loops).toBeGreaterThan(pieces);
  });

  it('a large result is noted until its connection is given back', async () => {
    const own = testPool(database.appUrl);
    const one = sharing(own);
    const seen = await one.read(tenant, async (db) => {
      await small(db);
      const before = db.hasReadMuch;
      await large(db);
      await small(db);
      return [before, db.hasReadMuch];
    });
    expect(seen).toEqual([false, true]);
    expect(await one.read(tenant, async (db) => db.hasReadMuch)).toBe(false);
    await own.end();
  });

  it('a large result that fails at its end leaves the connection usable, also for another tenant', async () => {
    const own = testPool(database.appUrl);
    const one = sharing(own);
    await expect(one.read(tenant, (db) => db.sql(FAILING))).rejects.toThrow('division by zero');
    expect(await one.read(newId(), small)).toHaveLength(1);
    expect(await one.read(newId(), large)).toHaveLength(LINES);
    await own.end();
  });
});
