import { afterAll, beforeAll, expect, it } from 'vitest';
import { rowsOf } from '../../../tests/kit/owner-queries.ts';
import { plantFindings } from '../../../tests/kit/planted-findings.ts';
import { plantMutes } from '../../../tests/kit/planted-mutes.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';
import { summaryQuery } from './summary.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

it.each([
  ['different texts', (number: number) => `*absent-${number}-*`],
  ['the same beginning', (number: number) => `//storage.googleapis.com/*absent-${number}-`],
  ['short texts', (number: number) => `*${number}q*`],
  ['full names', (number: number) => `//storage.googleapis.com/bucket-${number}`],
])(
  'the time of a summary hardly grows with the number of mutes by pattern with %s',
  async (_, pattern) => {
    const [few, many] = [await timeWith(20, pattern), await timeWith(200, pattern)];
    expect(many / few).toBeLessThan(4);
  },
);

/** How long Postgres takes for the summary of a tenant with so many mutes by pattern: the shortest of several times. */
async function timeWith(count: number, pattern: (number: number) => string): Promise<number> {
  const { tenant, key } = await server.people.user();
  const call = { method: 'POST', headers: key, body: { name: 'shop-prod' } };
  const { json: project } = await server.call('/projects', call);
  const findings = Array.from({ length: 10_000 }, (_, n) => ({
    asset: `//storage.googleapis.com/projects/shop-prod/buckets/bucket-${n * 7919}`,
  }));
  await plantFindings(server.database, tenant.id, project.id, findings);
  await plantMutes(server.database, tenant.id, count, null, pattern);
  await server.database.owner.query('ANALYZE');
  const { statement, values } = summaryQuery(tenant.id, {}, null, server.clock.now());
  const explained = `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${statement.text}`;
  const times: number[] = [];
  for (let run = 0; run < 5; run += 1) {
    const [row] = await rowsOf(server.database, tenant.id, explained, values);
    const plans = (row?.['QUERY PLAN'] ?? []) as { readonly 'Execution Time': number }[];
    times.push(plans[0]?.['Execution Time'] ?? Number.NaN);
  }
  return Math.min(...times);
}
