import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BreakableDatabase, breakable } from '../../../tests/kit/breakable-database.ts';
import { inOwnTime } from '../../../tests/kit/cpu-time.ts';
import { cloneDatabase, databaseAt, type TestDatabase } from '../../../tests/kit/database.ts';
import { freePort } from '../../../tests/kit/free-port.ts';
import { newId } from '../ids.ts';
import { asProblem } from '../problem.ts';
import { createPool } from './pool.ts';
import { TenantDatabase } from './tenant-database.ts';
import { isDatabaseUnavailable, isOutage } from './unavailable.ts';

/** The latest time for an error. */
const SOON_MS = 2_500;

let real: TestDatabase;
let way: BreakableDatabase;
/** Short timeouts. */
let pool: pg.Pool;
let tenants: TenantDatabase;

beforeAll(async () => {
  real = await cloneDatabase();
  way = await breakable(real);
  pool = poolAt(way.database.appUrl);
  tenants = new TenantDatabase(pool);
});

afterAll(async () => {
  await pool.end();
  await way.close();
  await real.drop();
});

function poolAt(url: string, maxConnections = 5): pg.Pool {
  return createPool({
    url,
    name: 'test',
    maxConnections,
    statementTimeoutMs: 50,
    onError: () => undefined,
  });
}

async function errorOf(work: () => Promise<unknown>): Promise<unknown> {
  return work().then(
    () => {
      throw new Error('It went well, against expectation');
    },
    (error: unknown) => error,
  );
}

/** The error of an operation on a pool created for it. */
async function errorAt(url: string, work: (own: pg.Pool) => Promise<unknown>): Promise<unknown> {
  const own = poolAt(url, 1);
  return errorOf(() => work(own)).finally(() => own.end());
}

const change = (url: string, to: Partial<URL>) => Object.assign(new URL(url), to).href;
const one = (own: pg.Pool) => own.query('SELECT 1');
const SLEEP = { name: 'sleep', text: 'SELECT pg_sleep(5)' };
const DISK_FULL =
  "DO $$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = 'disk_full'; END $$";
const KILL_ME = { name: 'kill-me', text: 'SELECT pg_terminate_backend(pg_backend_pid())' };

describe('the database counts as out of reach', () => {
  it.each<[string, () => Promise<unknown>]>([
    [
      'when its port refuses',
      async () => errorAt(change(real.appUrl, { port: String(await freePort()) }), one),
    ],
    [
      'when its port refuses by both kinds of address',
      async () =>
        errorAt(
          change(real.appUrl, { hostname: 'localhost', port: String(await freePort()) }),
          one,
        ),
    ],
    [
      'when its name is not known',
      () => errorAt(change(real.appUrl, { hostname: 'nowhere.invalid' }), one),
    ],
    [
      'when there is no database of the name',
      () => errorAt(databaseAt(real, 'no_such_database').appUrl, one),
    ],
    ['when it ends the connection (pg)', () => errorOf(() => pool.query(KILL_ME))],
    [
      'when it ends the connection (a statement of ours)',
      () => errorOf(() => tenants.write(newId(), (db) => db.sql(KILL_ME))),
    ],
    [
      'when it ends the connection (Prisma)',
      () =>
        errorOf(() => tenants.write(newId(), ({ prisma }) => prisma.$queryRawUnsafe(KILL_ME.text))),
    ],
    ['when a statement takes too long (pg)', () => errorOf(() => pool.query(SLEEP))],
    [
      'when a statement takes too long (a statement of ours)',
      () => errorOf(() => tenants.read(newId(), (db) => db.sql(SLEEP))),
    ],
    [
      'when a statement takes too long (Prisma)',
      () =>
        errorOf(() => tenants.read(newId(), ({ prisma }) => prisma.$queryRawUnsafe(SLEEP.text))),
    ],
    [
      'when a transaction is left idle',
      () =>
        errorOf(() =>
          tenants.write(newId(), async (db) => {
            const [own] = await db.sql<{ pid: number }>({
              name: 'pid',
              text: 'SELECT pg_backend_pid() AS pid',
            });
            await db.sql({ name: 'idle', text: "SET idle_in_transaction_session_timeout = '1ms'" });
            await ended(own?.pid);
            await db.sql({ name: 'after', text: 'SELECT 1' });
          }),
        ),
    ],
    [
      'when its disk is full',
      // The error is the one of an INSERT; a really full disk would affect the whole machine.
      () =>
        errorOf(() =>
          tenants.write(newId(), (db) => db.sql({ name: 'disk-full', text: DISK_FULL })),
        ),
    ],
    [
      'when it refuses a connection for any other reason',
      // With SQLSTATE 42704; disk-full.slow.faults.test.ts has the XX000 of a full disk.
      () => errorAt(change(real.appUrl, { search: 'options=-c%20no_such_setting%3D1' }), one),
    ],
    [
      'when the pool has been closed',
      async () => {
        const closed = poolAt(real.appUrl);
        await closed.end();
        return errorOf(() => closed.query('SELECT 1'));
      },
    ],
    [
      'when no connection is free for too long',
      async () => {
        const own = new pg.Pool({
          connectionString: real.appUrl,
          max: 1,
          connectionTimeoutMillis: 500,
        });
        const held = await own.connect();
        const error = await errorOf(() => own.query('SELECT 1'));
        held.release();
        await own.end();
        return error;
      },
    ],
    [
      'when it has no connection left to give',
      async () => {
        const { owner } = real;
        const { rows } = await owner.query('SELECT current_database() AS name');
        await owner.query(`ALTER DATABASE ${rows[0].name} CONNECTION LIMIT 0`);
        const error = await errorAt(real.appUrl, one);
        await owner.query(`ALTER DATABASE ${rows[0].name} CONNECTION LIMIT -1`);
        return error;
      },
    ],
  ])('the database counts as unreachable %s', async (_when, produce) => {
    const error = await produce();
    expect(error).toBeInstanceOf(Error);
    expect(isDatabaseUnavailable(error)).toBe(true);
    expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  });

  it('a connection on which a statement finds the disk full stays open, for a pool and a transaction', async () => {
    const lone = poolAt(real.appUrl, 1);
    const alone = new TenantDatabase(lone);
    const pid = async () => (await lone.query('SELECT pg_backend_pid() AS pid')).rows[0].pid;
    const before = await pid();
    const errors = [
      await errorOf(() => lone.query(DISK_FULL)),
      await errorOf(() => alone.write(newId(), (db) => db.sql({ name: 'full', text: DISK_FULL }))),
      await errorOf(() =>
        alone.write(newId(), ({ prisma }) => prisma.$executeRawUnsafe(DISK_FULL)),
      ),
    ];
    for (const error of errors) expect(isDatabaseUnavailable(error)).toBe(true);
    expect(await pid()).toBe(before);
    await lone.end();
  });

  it('a connection cut in the middle counts as an unreachable database, for pg and Prisma', async () => {
    const asleep = [
      errorOf(() => pool.query('SELECT pg_sleep(5)')),
      errorOf(() => tenants.read(newId(), ({ prisma }) => prisma.$queryRaw`SELECT pg_sleep(5)`)),
    ];
    await until(() => pool.totalCount - pool.idleCount >= 2);
    await way.cut();
    for (const error of await Promise.all(asleep)) expect(isDatabaseUnavailable(error)).toBe(true);
    expect(isDatabaseUnavailable(await errorOf(() => pool.query('SELECT 1')))).toBe(true);
    await way.mend();
    expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  });

  it('a silent database counts as unreachable, and its open connections are not used again', async () => {
    await Promise.all([tenants.read(newId(), (db) => db.sql({ name: 'one', text: 'SELECT 1' }))]);
    way.stall();
    const asked = Promise.all([
      errorOf(() => tenants.read(newId(), (db) => db.sql({ name: 'one', text: 'SELECT 1' }))),
      errorOf(() => tenants.write(newId(), ({ prisma }) => prisma.project.findFirst())),
      errorOf(() => pool.query('SELECT 1')),
    ]);
    const { result: errors, tookMs } = await inOwnTime(asked);
    for (const error of errors) expect(isDatabaseUnavailable(error)).toBe(true);
    expect(tookMs).toBeLessThan(SOON_MS);
    await until(() => pool.totalCount === 0);
    await way.mend();
    expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  });

  it('the database counts as unreachable for any wrapper of the error', () => {
    const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
    expect(isDatabaseUnavailable(new Error('outer', { cause: refused }))).toBe(true);
    expect(isDatabaseUnavailable(new AggregateError([new Error('a'), refused]))).toBe(true);
  });
});

describe('the database does not count as out of reach', () => {
  const tenantId = newId();

  it.each<[string, () => Promise<unknown>]>([
    ['for a fault in a statement', () => errorOf(() => pool.query('SELEC 1'))],
    ['for a division by zero', () => errorOf(() => pool.query('SELECT 1/0'))],
    ['for a table that is not there', () => errorOf(() => pool.query('SELECT 1 FROM nothing'))],
    ['for a right that is missing', () => errorOf(() => pool.query('DELETE FROM audit_events'))],
    ['for text that it cannot store', () => errorOf(() => pool.query('SELECT $1::text', ['a\0b']))],
    [
      'for a row of another tenant',
      () =>
        errorOf(() =>
          tenants.write(tenantId, ({ prisma }) =>
            prisma.project.create({
              data: { tenantId: newId(), id: newId(), name: 'x', createdAt: new Date() },
            }),
          ),
        ),
    ],
    [
      'for a row that is there already',
      () =>
        errorOf(() =>
          tenants.write(tenantId, async ({ prisma }) => {
            const data = { tenantId, id: newId(), name: 'x', createdAt: new Date() };
            await prisma.project.create({ data });
            await prisma.project.create({ data: { ...data, id: newId() } });
          }),
        ),
    ],
  ])('the database does not count as unreachable %s', async (_what, produce) => {
    const error = await produce();
    expect(error).toBeInstanceOf(Error);
    expect(isDatabaseUnavailable(error)).toBe(false);
  });

  it.each([
    undefined,
    null,
    'ECONNREFUSED',
    { code: 'ECONNREFUSED' },
    new Error('no'),
    new TypeError('x'),
  ])('the database does not count as unreachable for an unrelated error: %o', (thrown) => {
    expect(isDatabaseUnavailable(thrown)).toBe(false);
  });

  it('the database does not count as unreachable for a slow statement while new connections are accepted', async () => {
    const patient = createPool({
      url: way.database.appUrl,
      name: 'test',
      maxConnections: 1,
      statementTimeoutMs: 10_000,
      onError: () => undefined,
    });
    const pids = () => patient.query('SELECT pg_backend_pid() AS pid, pg_sleep(2.2)');
    const [first, second] = [await pids(), await patient.query('SELECT pg_backend_pid() AS pid')];
    expect(second.rows[0].pid).toBe(first.rows[0].pid);
    await patient.end();
  });

  it('the database does not count as unreachable for an error that is its own cause', () => {
    const error = new Error('round');
    error.cause = error;
    expect(isDatabaseUnavailable(error)).toBe(false);
  });
});

describe('a statement that takes too long', () => {
  /** The error in each client. */
  const timeouts = () =>
    Promise.all([
      errorOf(() => pool.query(SLEEP)),
      errorOf(() => tenants.read(newId(), (db) => db.sql(SLEEP))),
      errorOf(() => tenants.read(newId(), ({ prisma }) => prisma.$queryRawUnsafe(SLEEP.text))),
    ]);

  it('a statement that takes too long does not count as an outage, for pg and Prisma', async () => {
    for (const error of await timeouts()) expect(isOutage(error)).toBe(false);
    expect(isOutage(await errorOf(() => pool.query(KILL_ME)))).toBe(true);
  });

  it('a request is refused with the reason that a statement took too long, for pg and Prisma', async () => {
    for (const refusal of (await timeouts()).map(asProblem)) {
      expect(refusal.code).toBe('SERVICE_UNAVAILABLE');
      expect(refusal.headers).toHaveProperty('Retry-After');
      expect(refusal.message).toMatch(/^A query in the database took too long and was canceled\./);
    }
    const ended = asProblem(await errorOf(() => pool.query(KILL_ME)));
    expect(ended.message).toBe('The database is unreachable.');
  });
});

/** Waits until a backend has ended. */
async function ended(pid: number | undefined): Promise<void> {
  const ask = 'SELECT 1 FROM pg_stat_activity WHERE pid = $1';
  while ((await real.owner.query(ask, [pid])).rows.length > 0);
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((turn) => setImmediate(turn));
}
