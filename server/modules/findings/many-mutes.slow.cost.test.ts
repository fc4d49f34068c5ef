import { afterAll, beforeAll, expect, it } from 'vitest';
import { rowsOf } from '../../../tests/kit/owner-queries.ts';
import { plantFindings } from '../../../tests/kit/planted-findings.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';
import { EXPIRING, expiringValues } from './expiring-mutes.ts';
import { pageOfTenant } from './finding-page.ts';
import { likePattern } from './like-pattern.ts';
import { findingsStatement } from './queries.ts';
import { summaryQuery } from './summary.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

/** A pattern or a label of the mute with that number. */
type Selector = (number: number) => { readonly pattern?: string; readonly label?: string };
type Read = 'summary' | 'unmuted' | 'expiring';

it.each<[string, Read, Selector]>([
  ['a summary with patterns of different texts', 'summary', (n) => ({ pattern: `*absent-${n}-*` })],
  [
    'a summary with patterns of the same beginning',
    'summary',
    (n) => ({ pattern: `//storage.googleapis.com/*absent-${n}-` }),
  ],
  ['a summary with patterns of short texts', 'summary', (n) => ({ pattern: `*${n}q*` })],
  [
    'a summary with patterns of full names',
    'summary',
    (n) => ({ pattern: `//storage.googleapis.com/bucket-${n}` }),
  ],
  ['a summary with labels of one key', 'summary', (n) => ({ label: `app=absent-${n}` })],
  ['a summary with labels of many keys', 'summary', (n) => ({ label: `absent-${n}=x` })],
  [
    'a list of the few findings that no pattern matches',
    'unmuted',
    (n) => ({ pattern: n === 0 ? '//*' : `*absent-${n}-*` }),
  ],
  [
    'a list of the few findings that no label matches',
    'unmuted',
    (n) => ({ label: n === 0 ? 'app' : `app=absent-${n}` }),
  ],
  [
    'a search for expiring mutes with patterns of full names',
    'expiring',
    (n) => ({ pattern: `//storage.googleapis.com/bucket-${n}` }),
  ],
])('the time of %s hardly grows with the number of mutes', async (_, read, selector) => {
  const [few, many] = [await timeWith(20, read, selector), await timeWith(200, read, selector)];
  expect(many / few).toBeLessThan(4);
});

/** How long Postgres takes for a tenant with so many mutes: the shortest of several times. */
async function timeWith(count: number, read: Read, selector: Selector): Promise<number> {
  const { tenant, key } = await server.people.user();
  const call = { method: 'POST', headers: key, body: { name: 'shop-prod' } };
  const { json: project } = await server.call('/projects', call);
  const findings = Array.from({ length: 10_000 }, (_, n) => ({
    asset: `//storage.googleapis.com/projects/shop-prod/buckets/bucket-${n * 7919}`,
    labels: { app: `app-${n % 500}`, env: 'prod' },
  }));
  await plantFindings(server.database, tenant.id, project.id, findings);
  const selectors = Array.from({ length: count }, (_, n) => selector(n));
  await plantSelectors(tenant.id, selectors);
  await server.database.owner.query('ANALYZE');
  const { text, values } = statementOf(read, tenant.id, project.id);
  const explained = `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${text}`;
  const times: number[] = [];
  for (let run = 0; run < 15; run += 1) {
    const [row] = await rowsOf(server.database, tenant.id, explained, values);
    const plans = (row?.['QUERY PLAN'] ?? []) as { readonly 'Execution Time': number }[];
    times.push(plans[0]?.['Execution Time'] ?? Number.NaN);
  }
  return Math.min(...times);
}

/** Inserts mutes that end in five days. */
async function plantSelectors(
  tenantId: string,
  selectors: readonly ReturnType<Selector>[],
): Promise<void> {
  const rows = selectors.map(({ pattern = null, label }) => {
    const [key = null, value = null] = label?.split('=') ?? [];
    return { glob: pattern, pattern: pattern === null ? null : likePattern(pattern), key, value };
  });
  await rowsOf(
    server.database,
    tenantId,
    `INSERT INTO mutes (tenant_id, id, asset, asset_pattern, label_key, label_value, lookup, reason, expires_at, created_at)
     SELECT $1, gen_random_uuid(), glob, pattern, key, value, 'any', 'planted', $3::timestamptz + interval '5 days', $3
     FROM json_to_recordset($2) AS m(glob text, pattern text, key text, value text)`,
    [tenantId, JSON.stringify(rows), server.clock.now()],
  );
}

function statementOf(read: Read, tenantId: string, projectId: string) {
  const now = server.clock.now();
  if (read === 'expiring') {
    return { text: EXPIRING.text, values: expiringValues(tenantId, [projectId], now) };
  }
  if (read === 'summary') {
    const { statement, values } = summaryQuery(tenantId, {}, null, now);
    return { text: statement.text, values };
  }
  const page = { sort: 'newest', after: null, limit: 26, now } as const;
  const query = pageOfTenant(tenantId, { muted: false }, page);
  return { text: findingsStatement(query).text, values: [...query.values, 26] };
}
