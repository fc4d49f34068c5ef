import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { cloneDatabase, type TestDatabase } from '../../../tests/kit/database.ts';
import { newId } from '../ids.ts';
import { TenantDatabase } from './tenant-database.ts';

let database: TestDatabase;
let pool: pg.Pool;
let tenants: TenantDatabase;
let answers = 0;
const tenant = newId();

beforeAll(async () => {
  database = await cloneDatabase();
  pool = poolOf();
  tenants = new TenantDatabase(pool, { writeTimeoutMs: 9_000 });
  // Postgres prepares the commands of a transaction on the first use of a connection.
  await tenants.write(tenant, (db) => db.sql(NAMES));
});

afterAll(async () => {
  await pool.end();
  await database.drop();
});

beforeEach(async () => {
  await tenants.write(tenant, (db) => db.sql(CLEAR));
  answers = 0;
});

/** One connection, whose answers of Postgres are counted: each ends a round trip. */
function poolOf(): pg.Pool {
  const made = new pg.Pool({ connectionString: database.appUrl, max: 1 });
  made.on('connect', (client) => {
    (client as unknown as { connection: pg.Connection }).connection.on('readyForQuery', () => {
      answers += 1;
    });
  });
  return made;
}

const INSERT = {
  name: 'test-insert-project',
  text: 'INSERT INTO projects (tenant_id, id, name, created_at) VALUES ($1, $2, $3, now())',
};
const NAMES = { name: 'test-names', text: 'SELECT name FROM projects ORDER BY name' };
const CLEAR = { name: 'test-clear', text: 'DELETE FROM projects' };
const TIMEOUT = {
  name: 'test-timeout',
  text: "SELECT current_setting('statement_timeout') AS now",
};
const FAILS = { name: 'test-fails', text: 'SELECT 1 / $1::int' };

const project = (name: string) => [tenant, newId(), name];
const names = async () =>
  (await tenants.read(tenant, (db) => db.sql<{ name: string }>(NAMES))).map(({ name }) => name);

describe('a transaction', () => {
  it('a transaction takes two round trips for a statement and one that is sent with the commit', async () => {
    await tenants.write(tenant, async (db) => {
      await db.sql(INSERT, project('a'));
      await db.sqlWithCommit(INSERT, project('b'));
    });
    expect(answers).toBe(2);
    expect(await names()).toEqual(['a', 'b']);
  });

  it('a transaction returns the rows of a statement that is sent with BEGIN, under the timeout of a transaction', async () => {
    const rows = await tenants.write(tenant, (db) => db.sql<{ now: string }>(TIMEOUT));
    expect(rows).toEqual([{ now: '9s' }]);
    expect(await tenants.read(tenant, (db) => db.sql<{ now: string }>(TIMEOUT))).toEqual([
      { now: '0' },
    ]);
  });

  it('a transaction sends all statements that were added for the commit, in their order', async () => {
    await tenants.write(tenant, async (db) => {
      await db.sqlWithCommit(INSERT, project('a'));
      await db.sqlWithCommit(INSERT, project('b'));
      await db.sqlWithCommit(INSERT, project('c'));
    });
    expect(await names()).toEqual(['a', 'b', 'c']);
  });

  it('a transaction sends nothing to Postgres for work without statements', async () => {
    await tenants.write(tenant, async () => undefined);
    expect(answers).toBe(0);
  });

  it.each([1, 2])(
    'a transaction leaves nothing behind when the statement sent with the commit fails: run %i',
    async () => {
      const failing = tenants.write(tenant, async (db) => {
        await db.sql(INSERT, project('a'));
        await db.sqlWithCommit(FAILS, [0]);
      });
      await expect(failing).rejects.toThrow('division by zero');
      expect(await names()).toEqual([]);
    },
  );

  it('a transaction sends no further statement after its first one has failed', async () => {
    const failing = tenants.write(tenant, async (db) => {
      await db.sql(FAILS, [0]).catch(() => undefined);
      await db.sql(INSERT, project('a'));
    });
    await expect(failing).rejects.toThrow('division by zero');
    expect(await names()).toEqual([]);
  });

  it('a transaction waits for BEGIN before statements of Prisma and those sent at the same time', async () => {
    const seen = await tenants.write(tenant, async (db) => {
      const [first, count] = await Promise.all([
        db.sql<{ now: string }>(TIMEOUT),
        db.prisma.project.count(),
      ]);
      return [first, count, await db.sql<{ now: string }>(TIMEOUT)];
    });
    expect(seen).toEqual([[{ now: '9s' }], 0, [{ now: '9s' }]]);
  });

  it('a transaction sends no statement when its BEGIN fails', async () => {
    const refused = new TenantDatabase(pool, { writeTimeoutMs: -5 });
    for (let time = 0; time < 2; time += 1) {
      const failing = refused.write(tenant, (db) => db.sql(INSERT, project('a')));
      await expect(failing).rejects.toThrow('statement_timeout');
    }
    expect(await names()).toEqual([]);
  });

  it('a read refuses a statement for the commit, because it has no commit', async () => {
    const refused = tenants.read(tenant, (db) => db.sqlWithCommit(INSERT, project('a')));
    await expect(refused).rejects.toThrow('test-insert-project was added to a read');
  });
});
