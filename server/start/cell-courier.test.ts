import type pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../tests/kit/test-server.ts';
import { until } from '../../tests/kit/until.ts';
import { CellDatabase } from '../platform/cells/cell-database.ts';
import { Directory } from '../platform/cells/directory.ts';
import { createPool } from '../platform/database/pool.ts';
import { TenantDatabase } from '../platform/database/tenant-database.ts';
import { createLogger } from '../platform/logger.ts';
import { startCourier } from './cell-courier.ts';

let server: TestServer;
let pool: pg.Pool;

beforeAll(async () => {
  server = await startTestServer();
  const url = server.database.workerUrl;
  pool = createPool({
    url,
    name: 'test',
    maxConnections: 2,
    statementTimeoutMs: 10_000,
    onError: () => undefined,
  });
});

afterAll(async () => {
  await pool.end();
  await server.close();
});

/** More than are read at a time. */
const MANY = 1_500;

const QUEUE = `
  INSERT INTO cells.outbox (tenant_id, kind, detail)
  SELECT $1, 'event', '{"type":"scan.completed","at":"2026-01-01T00:00:00Z","data":{}}'
  FROM generate_series(1, $2::int)`;

/** The databases of tenants. One is unavailable. */
class WithoutOne extends TenantDatabase {
  readonly #away: string;
  readonly tried: string[] = [];

  constructor(away: string) {
    super(pool);
    this.#away = away;
  }

  override write<T>(...args: Parameters<TenantDatabase['write']>): Promise<T> {
    this.tried.push(args[0]);
    if (args[0] === this.#away) return Promise.reject(new Error('Connection terminated'));
    return super.write(...args) as Promise<T>;
  }
}

it('changes for the cells of other tenants are applied while one cell is away, however many wait for that one', async () => {
  const [away, here] = [await server.people.tenant(), await server.people.tenant()];
  const { owner } = server.database;
  await owner.query(QUEUE, [away.id, MANY]);
  await owner.query(QUEUE, [here.id, 2]);
  const tenants = new WithoutOne(away.id);
  const courier = startCourier({
    databaseUrl: server.database.workerUrl,
    databaseTimeoutMs: 10_000,
    tenants,
    log: createLogger('silent'),
  });
  const left = async (id: string) => {
    const text = 'SELECT count(*)::int AS count FROM cells.outbox WHERE tenant_id = $1';
    return (await owner.query<{ count: number }>(text, [id])).rows[0]?.count;
  };
  await until('the other tenant has its events', async () => (await left(here.id)) === 0);
  await courier.stop();
  expect(await left(away.id)).toBe(MANY);
  expect(tenants.tried.filter((id) => id === here.id)).toHaveLength(2);
});

/** Counts how often it is asked where a tenant is. */
class CountingDirectory extends Directory {
  readonly asked: string[] = [];

  override cellOf(tenantId: string): Promise<string> {
    this.asked.push(tenantId);
    return super.cellOf(tenantId);
  }
}

it('a tenant that is being deleted does not delay the changes of others that are made later', async () => {
  const [gone, here] = [await server.people.tenant(), await server.people.tenant()];
  const { owner, appUrl, workerUrl } = server.database;
  const homePool = createPool({
    ...{ url: appUrl, name: 'test', maxConnections: 2 },
    ...{ statementTimeoutMs: 10_000, onError: () => undefined },
  });
  const directory = new CountingDirectory(homePool);
  const home = new TenantDatabase(homePool);
  await owner.query("INSERT INTO cells.standings (tenant_id, state) VALUES ($1, 'gone')", [
    gone.id,
  ]);
  await owner.query(QUEUE, [gone.id, 1]);
  const courier = startCourier({
    databaseUrl: workerUrl,
    databaseTimeoutMs: 10_000,
    tenants: new CellDatabase({ homePool, home, cells: new Map(), directory }),
    log: createLogger('silent'),
  });
  const asked = (id: string) => directory.asked.filter((each) => each === id).length;
  await until('an attempt for the first tenant', async () => asked(gone.id) > 0);
  await owner.query(QUEUE, [here.id, 1]);
  await until('an attempt for the other tenant', async () => asked(here.id) > 0);
  // One round before that of the other tenant, and that one. A request asks 28 times before it gives up.
  expect(asked(gone.id)).toBeLessThanOrEqual(6);
  await courier.stop();
  await homePool.end();
});
