import { afterAll, beforeAll, expect, it } from 'vitest';
import { Analyst } from '../../../tests/kit/analyst.ts';
import { bucket } from '../../../tests/kit/export-records.ts';
import { rowsOf } from '../../../tests/kit/owner-queries.ts';
import { plantFindings } from '../../../tests/kit/planted-findings.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';
import { until } from '../../../tests/kit/until.ts';

/** Enough for the findings to take more than 64 pages. */
const BUCKETS = 1_500;

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ worker: true });
  // Autovacuum would collect the statistics too, at a time of its own.
  await server.database.owner.query('ALTER TABLE findings SET (autovacuum_enabled = false)');
});

afterAll(() => server.close());

async function rowsInStatistics(): Promise<number> {
  const { rows } = await server.database.owner.query<{ count: number }>(
    "SELECT reltuples::int AS count FROM pg_class WHERE oid = 'public.findings'::regclass",
  );
  return rows[0]?.count ?? 0;
}

it('statistics of findings are collected after the first scan of a database, and again only when the table has grown', async () => {
  const analyst = await Analyst.at(server);
  const buckets = Array.from({ length: BUCKETS }, (_, n) =>
    bucket(`bucket-${n}`, { logged: false }),
  );
  const project = await analyst.project(buckets);
  expect(await rowsInStatistics()).toBeLessThanOrEqual(0);
  await analyst.scan(project);
  await until('the statistics of findings', async () => (await rowsInStatistics()) >= BUCKETS);
  const { rows } = await server.database.owner.query('SELECT jobs.analyze_grown()');
  expect(rows).toEqual([]);
});

it('statistics are collected again when they expect few of the many findings of a new tenant', async () => {
  const { owner } = server.database;
  const plant = async (count: number) => {
    const analyst = await Analyst.at(server);
    const { id } = await analyst.ask(200, `/projects/${await analyst.project()}`);
    const findings = Array.from({ length: count }, (_, n) => ({ asset: `//x/${n}` }));
    await plantFindings(server.database, analyst.tenantId, id, findings);
    return analyst.tenantId;
  };
  const expected = async (tenantId: string) => {
    const [row] = await rowsOf(
      server.database,
      tenantId,
      'EXPLAIN (FORMAT JSON) SELECT FROM findings WHERE tenant_id = $1',
      [tenantId],
    );
    const plans = (row?.['QUERY PLAN'] ?? []) as { readonly Plan: { 'Plan Rows': number } }[];
    return plans[0]?.Plan['Plan Rows'];
  };
  const analyze = (tenantId: string) =>
    rowsOf(server.database, tenantId, 'SELECT name FROM jobs.analyze_grown() AS name', []);
  await plant(4 * BUCKETS);
  await owner.query('VACUUM ANALYZE findings');
  const newcomer = await plant(BUCKETS);
  expect(await expected(newcomer)).toBeLessThan(10);
  await until('that the statistics are ten seconds old', async () => {
    return (await analyze(newcomer)).some(({ name }) => name === 'public.findings');
  });
  expect(await expected(newcomer)).toBeGreaterThan(BUCKETS / 2);
  expect(await analyze(newcomer)).toEqual([]);
});
