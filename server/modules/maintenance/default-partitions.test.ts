import { Writable } from 'node:stream';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { rowsOf } from '../../../tests/kit/owner-queries.ts';
import { retentionOf } from '../../../tests/kit/retention.ts';
import { testPool } from '../../../tests/kit/test-pool.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';
import { newId } from '../../platform/ids.ts';
import { createLogger } from '../../platform/logger.ts';

let server: TestServer;
let clearAway: () => Promise<void>;
let close: () => Promise<void>;
const log: Record<string, unknown>[] = [];

beforeAll(async () => {
  server = await startTestServer();
  const pool = testPool(server.database.workerUrl, { maxConnections: 2 });
  const lines = new Writable({
    write: (chunk, _encoding, done) => {
      log.push(JSON.parse(String(chunk)));
      done();
    },
  });
  // Keeps two months of the audit trail and one of scans.
  clearAway = retentionOf(server, pool, createLogger('info', lines));
  close = () => pool.end();
});

afterAll(async () => {
  await close();
  await server.close();
});

/** The start of the month that is so many months from now, moved by some days. */
function monthsFromNow(months: number, days = 0): Date {
  const now = server.clock.now();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, 1 + days));
}

function advanceTo(time: Date): void {
  server.clock.advance({ days: (time.getTime() - server.clock.now().getTime()) / 86_400_000 });
}

const TABLES = ['audit_events', 'scan_findings'];

async function addRows(tenant: string, times: readonly Date[]): Promise<void> {
  for (const at of times) {
    await rowsOf(
      server.database,
      tenant,
      `INSERT INTO audit_events (tenant_id, id, at, action, outcome, actor_kind, ip, correlation_id, detail)
       VALUES ($1, $2, $3, 'test', 'success', 'system', '', '', '{}')`,
      [tenant, newId(), at],
    );
    await rowsOf(
      server.database,
      tenant,
      `INSERT INTO scan_findings (tenant_id, scan_id, finding_id, delta, scan_at) VALUES ($1, $2, $2, 'new', $3)`,
      [tenant, newId(), at],
    );
  }
}

/** The times of the rows of a tenant that no month has, of each table. */
async function defaultRows(tenant: string): Promise<unknown[][]> {
  const read = async (table: string, column: string) =>
    (
      await rowsOf(
        server.database,
        tenant,
        `SELECT ${column} AS at FROM ${table} WHERE tableoid = 'partitions.${table}_default'::regclass ORDER BY 1`,
      )
    ).map(({ at }) => at);
  return [await read('audit_events', 'at'), await read('scan_findings', 'scan_at')];
}

const nameOf = (table: string, month: Date) =>
  `${table}_${month.toISOString().slice(0, 7).replace('-', '_')}`;

async function partitions(): Promise<string[]> {
  const { rows } = await server.database.owner.query(
    "SELECT relname FROM pg_class WHERE relnamespace = 'partitions'::regnamespace",
  );
  return rows.map(({ relname }) => relname);
}

it('rows of a month without a partition are deleted after the retention period, and those of other months when theirs has ended', async () => {
  const tenants = [(await server.people.user()).tenant.id, (await server.people.user()).tenant.id];
  const [early, late, last] = [monthsFromNow(5), monthsFromNow(5, 20), monthsFromNow(6, 3)];
  for (const tenant of tenants) await addRows(tenant, [early, late, last]);
  const all = Array(2).fill([
    [early, late, last],
    [early, late, last],
  ]);
  const rows = () => Promise.all([defaultRows(tenants[0] ?? ''), defaultRows(tenants[1] ?? '')]);
  expect(await rows()).toEqual(all);

  // The night after a time without workers: the months that have begun to fill stay where they are.
  advanceTo(late);
  log.length = 0;
  await clearAway();
  expect(await rows()).toEqual(all);
  const missing = TABLES.flatMap((table) => [nameOf(table, early), nameOf(table, last)]);
  expect(log.find(({ msg }) => String(msg).startsWith('Partitions are missing'))).toMatchObject({
    missing,
  });
  const next = TABLES.map((table) => nameOf(table, monthsFromNow(2)));
  expect(await partitions()).toEqual(expect.arrayContaining(next));

  advanceTo(new Date(last.getTime() + 31 * 86_400_000));
  await clearAway();
  // Scans are kept for one month, the audit trail for two.
  expect(await rows()).toEqual(Array(2).fill([[early, late, last], [last]]));
  advanceTo(monthsFromNow(1));
  await clearAway();
  expect(await rows()).toEqual(Array(2).fill([[last], []]));
  advanceTo(monthsFromNow(1));
  log.length = 0;
  await clearAway();
  expect(await rows()).toEqual(Array(2).fill([[], []]));
  expect(log.find(({ msg }) => String(msg).startsWith('Partitions are missing'))).toBeUndefined();
});

it('expired rows of a default partition are deleted in statements of a bounded size', async () => {
  const { id: tenant } = (await server.people.user()).tenant;
  const at = new Date(Date.UTC(2020, 0, 1));
  await rowsOf(
    server.database,
    tenant,
    `INSERT INTO scan_findings (tenant_id, scan_id, finding_id, delta, scan_at)
     SELECT $1, gen_random_uuid(), gen_random_uuid(), 'new', $2 FROM generate_series(1, 10001)`,
    [tenant, at],
  );
  const [row] = await rowsOf(
    server.database,
    tenant,
    "SELECT jobs.retire_default_rows('scan_findings', now(), 2000000000) AS removed",
  );
  expect(row).toEqual({ removed: 10_000 });
  await clearAway();
  expect(await defaultRows(tenant)).toEqual([[], []]);
});

it('a step for all tenants that fails does not keep the others from running, and the failure is reported at the end', async () => {
  const { id: tenant } = (await server.people.user()).tenant;
  await addRows(tenant, [new Date(Date.UTC(2020, 0, 1))]);
  const { owner } = server.database;
  await owner.query('ALTER FUNCTION jobs.forget_identity RENAME TO forget_nothing');
  await expect(clearAway()).rejects.toThrow(/^Failed to purge 0 of .* tenants and in 1 steps/);
  await owner.query('ALTER FUNCTION jobs.forget_nothing RENAME TO forget_identity');
  expect(await defaultRows(tenant)).toEqual([[], []]);
});
