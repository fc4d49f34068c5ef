import type pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../tests/kit/test-server.ts';
import { until } from '../../tests/kit/until.ts';
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
