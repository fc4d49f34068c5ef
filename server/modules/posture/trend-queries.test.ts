import { afterAll, beforeAll, expect, it } from 'vitest';
import { Analyst } from '../../../tests/kit/analyst.ts';
import { rowsOf } from '../../../tests/kit/owner-queries.ts';
import { PLANT_POSTURE, PLANT_TOTALS } from '../../../tests/kit/planted-posture.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';
import { ROWS_OF_PROJECT, ROWS_OF_TENANT } from './trend-queries.ts';

let server: TestServer;
let analyst: Analyst;
let projectId: string;

const PROJECTS = 20;
const DAYS = 738;
const [FROM, TO] = ['2024-01-01', '2026-01-07'];

beforeAll(async () => {
  server = await startTestServer();
  // Another tenant with as much beside it.
  for (let count = 0; count < 2; count += 1) {
    analyst = await Analyst.at(server);
    const values = [analyst.tenantId, PROJECTS, FROM, DAYS];
    await rowsOf(server.database, analyst.tenantId, PLANT_POSTURE, values);
    await rowsOf(server.database, analyst.tenantId, PLANT_TOTALS, [analyst.tenantId]);
  }
  await server.database.owner.query('ANALYZE posture_days, posture_totals');
  projectId = (await analyst.ask(200, '/projects/planted-1')).id;
});

afterAll(() => server.close());

interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Plan[];
}

function nodesOf(plan: Plan): Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
}

it.each([
  ['a tenant', ROWS_OF_TENANT, 'posture_totals_pkey', () => []],
  ['a project', ROWS_OF_PROJECT, 'posture_days_pkey', () => [projectId]],
] as const)(
  'the posture trend of %s over two years reads one row per day, by the primary key',
  async (_, statement, index, more) => {
    for (const [from, to, rows] of [
      [FROM, TO, DAYS],
      ['2025-06-01', '2025-06-30', 30],
    ] as const) {
      const plans = await server.services.tenants.write(analyst.tenantId, async (db) => {
        // These tables are so small that to read all of one would be as fast.
        await db.sql({ name: 'no-seqscan', text: 'SET LOCAL enable_seqscan = off' });
        return db.sql<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
          {
            name: `explain-${statement.name}`,
            text: `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${statement.text}`,
          },
          [analyst.tenantId, from, to, ...more()],
        );
      });
      const nodes = plans.flatMap((row) => nodesOf(row['QUERY PLAN'][0].Plan));
      const scans = nodes.filter((node) => node['Index Name'] !== undefined);
      expect(scans.length).toBeGreaterThan(0);
      expect(new Set(scans.map((node) => node['Index Name']))).toEqual(new Set([index]));
      expect(nodes.filter((node) => node['Node Type'] === 'Seq Scan')).toEqual([]);
      const read = scans.reduce(
        (sum, node) => sum + node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0),
        0,
      );
      // The days of the range, and the one whose values hold at its beginning.
      expect(read).toBeLessThanOrEqual(rows + 2);
    }
  },
);

it('the posture trend of a tenant has one point for each of 738 days', async () => {
  const { points } = await analyst.ask(200, `/posture/trend?from=${FROM}&to=${TO}`);
  expect(points).toHaveLength(DAYS);
  expect(points[0]).toMatchObject({ date: FROM, open: { high: PROJECTS * 2 }, opened: PROJECTS });
});
