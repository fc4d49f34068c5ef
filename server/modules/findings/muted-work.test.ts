import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rowsOf } from '../../../tests/kit/owner-queries.ts';
import type { TestUser } from '../../../tests/kit/people.ts';
import { plantFindings } from '../../../tests/kit/planted-findings.ts';
import { plantMutes } from '../../../tests/kit/planted-mutes.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';
import { newId } from '../../platform/ids.ts';
import { EXPIRING, expiringMutes, expiringValues } from './expiring-mutes.ts';
import type { FindingFilter } from './finding-filter.ts';
import { pageOfScan, pageOfTenant } from './finding-page.ts';
import { likePattern } from './like-pattern.ts';
import { findingsStatement } from './queries.ts';
import { summaryQuery } from './summary.ts';

const FINDINGS = 2_000;
/** The most that a tenant may have without a rule and a project. */
const PATTERNS = 200;
const MUTED = ['x-planted-7-x', 'planted-150-', 'a/planted-199-b'];

interface Plan {
  readonly 'CTE Name'?: string;
  readonly 'Relation Name'?: string;
  readonly 'Function Name'?: string;
  readonly Alias?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Join Filter'?: number;
  readonly Plans?: readonly Plan[];
}

let server: TestServer;
let user: TestUser;

beforeAll(async () => {
  server = await startTestServer();
  user = await server.people.user();
  const body = { name: 'shop-prod' };
  const { json } = await server.call('/projects', { method: 'POST', headers: user.key, body });
  const findings = Array.from({ length: FINDINGS }, (_, n) => ({
    asset: `//x/${MUTED[n] ?? `planted-${n}`}`,
    severity: n % 2 === 0 ? 'high' : 'low',
  }));
  await plantFindings(server.database, user.tenant.id, json.id, findings);
  await plantMutes(server.database, user.tenant.id, PATTERNS);
  await server.database.owner.query('ANALYZE findings, mutes');
});

afterAll(() => server.close());

/** The statement of the first page of a list, and its values. */
function pageOf(tenantId: string, filter: FindingFilter, sort: 'newest' | 'severity' = 'newest') {
  const page = { sort, after: null, limit: 26, now: server.clock.now() };
  const query = pageOfTenant(tenantId, filter, page);
  return { text: findingsStatement(query).text, values: [...query.values, 26] };
}

/** The parts of the plan of a statement, after it has been executed. */
async function partsOf(
  tenantId: string,
  { text, values }: { readonly text: string; readonly values: readonly unknown[] },
): Promise<Plan[]> {
  const explained = `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${text}`;
  const [row] = await rowsOf(server.database, tenantId, explained, [...values]);
  const all = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(all)];
  const plans = (row?.['QUERY PLAN'] ?? []) as { readonly Plan: Plan }[];
  return plans.flatMap(({ Plan: plan }) => all(plan));
}

/** The rows that all parts produce or drop. */
const rowsRead = (parts: readonly Plan[]) =>
  parts.reduce(
    (sum, part) =>
      sum + part['Actual Loops'] * (part['Actual Rows'] + (part['Rows Removed by Filter'] ?? 0)),
    0,
  );

/** How often the table of mutes is searched. */
const searchesOfMutes = (parts: readonly Plan[]) =>
  parts
    .filter((part) => part['Relation Name'] === 'mutes')
    .reduce((sum, part) => sum + part['Actual Loops'], 0);

describe('a list of muted findings', () => {
  it.each(['newest', 'severity'] as const)(
    'a list of muted findings sorted by %s reads each finding once, for any number of patterns',
    async (sort) => {
      const parts = await partsOf(user.tenant.id, pageOf(user.tenant.id, { muted: true }, sort));
      const read = parts.filter((part) => part['Relation Name'] === 'findings');
      expect(rowsRead(read)).toBeLessThan(FINDINGS * 1.1);
      // Each name has a few positions at which a text of a pattern is looked up.
      expect(rowsRead(parts)).toBeLessThan(FINDINGS * 40);
    },
  );

  it('a list of muted findings has exactly the findings that a pattern matches', async () => {
    const { json } = await server.call('/findings?muted=true', { headers: user.key });
    const names = json.items.map(({ asset }: { asset: { name: string } }) => asset.name);
    expect(names.toSorted()).toEqual(
      ['//x/planted-150-', '//x/x-planted-7-x', '//x/a/planted-199-b'].toSorted(),
    );
  });

  const TEXTS = ['a.b', '(', '[x]', 'a\\b', '$^', '{2}', '|', '***', 'ä?', '?+', 'ünder_score%'];

  it.each(TEXTS.flatMap((text) => [0, 8].map((others) => [text, others] as const)))(
    'a list of muted findings matches the characters of the pattern *%s* literally, beside %i other patterns',
    async (text, others) => {
      const other = await server.people.user();
      const body = { name: 'shop-prod' };
      const { json } = await server.call('/projects', {
        method: 'POST',
        headers: other.key,
        body,
      });
      await plantFindings(server.database, other.tenant.id, json.id, [
        { asset: `//x/before${text.replaceAll('*', '')}after` },
        { asset: '//x/aab' },
      ]);
      await plantMutes(server.database, other.tenant.id, others);
      const mute = { selector: { asset: `//x/before*${text}*` }, reason: 'literal' };
      const made = await server.call('/mutes', {
        method: 'POST',
        headers: other.key,
        body: mute,
      });
      expect(made.status, made.text).toBe(201);
      const muted = await server.call('/findings?muted=true', { headers: other.key });
      expect(muted.json.items).toHaveLength(1);
      const only = { selector: { asset: `*${text}*`, ruleId: 'bucket-public' }, reason: 'literal' };
      await server.call('/mutes', { method: 'POST', headers: other.key, body: only });
      const both = await server.call('/findings?muted=true', { headers: other.key });
      expect(both.json.items).toHaveLength(text === '***' ? 2 : 1);
    },
  );
});

/** How often findings are compared with the mutes that match any finding. */
const comparisons = (parts: readonly Plan[]) =>
  parts
    .filter((part) => part['CTE Name'] === 'any_scope')
    .reduce((sum, part) => sum + part['Actual Loops'], 0);

describe('mutes by pattern', () => {
  it.each(['severity', 'lastSeen'] as const)(
    'the unmuted findings of a scan sorted by %s are compared with patterns for a page only',
    async (sort) => {
      const scan = { id: newId(), at: new Date('2026-11-01T08:00:00.000Z') };
      await rowsOf(
        server.database,
        user.tenant.id,
        `INSERT INTO scan_findings (tenant_id, scan_id, finding_id, delta, scan_at)
         SELECT tenant_id, $2, id, 'new', $3 FROM findings WHERE tenant_id = $1`,
        [user.tenant.id, scan.id, scan.at],
      );
      const page = { sort, after: null, limit: 26, now: server.clock.now() };
      const query = pageOfScan(user.tenant.id, scan, { muted: false }, page);
      const { text } = findingsStatement(query);
      const parts = await partsOf(user.tenant.id, { text, values: [...query.values, 26] });
      expect(comparisons(parts)).toBeGreaterThan(0);
      expect(comparisons(parts)).toBeLessThan(26 * 4);
    },
  );

  it('the summary of a search compares only what the search finds with patterns', async () => {
    const compared = async (q: string) => {
      const { statement, values } = summaryQuery(user.tenant.id, { q }, null, server.clock.now());
      const parts = await partsOf(user.tenant.id, { text: statement.text, values });
      return parts
        .filter((part) => part['Function Name'] === 'unnest' && /^m(_\d+)?$/.test(part.Alias ?? ''))
        .reduce((sum, part) => sum + part['Actual Loops'], 0);
    };
    expect(await compared('planted-')).toBe(MUTED.length);
    expect(await compared('no finding has this text')).toBe(0);
  });
});

describe('mutes by label', () => {
  it('200 mutes by label are not compared with each finding', async () => {
    const owner = await server.people.user();
    const body = { name: 'shop-test' };
    const { json } = await server.call('/projects', { method: 'POST', headers: owner.key, body });
    const planted = Array.from({ length: FINDINGS }, (_, n) => ({
      asset: `//x/${n}`,
      labels: { app: `app-${n}` },
    }));
    const { id } = owner.tenant;
    await plantFindings(server.database, id, json.id, planted);
    await rowsOf(
      server.database,
      id,
      `INSERT INTO mutes (tenant_id, id, label_key, label_value, lookup, reason, expires_at, created_at)
       SELECT $1, gen_random_uuid(), 'app', 'app-' || 10 * n, 'any', 'planted', now() + interval '30 days', now()
       FROM generate_series(1, $2::int) n`,
      [id, PATTERNS],
    );
    await server.database.owner.query('ANALYZE findings, mutes');
    const { statement, values } = summaryQuery(id, {}, null, server.clock.now());
    for (const one of [{ text: statement.text, values }, pageOf(id, { muted: true })]) {
      expect(rowsRead(await partsOf(id, one))).toBeLessThan(FINDINGS * 20);
    }
    const { json: summary } = await server.call('/findings/summary', { headers: owner.key });
    expect(summary.total.muted).toBe(PATTERNS - 1);
  });
});

describe('a mute of a whole project', () => {
  it('a mute of a whole project makes the summary and lists search for no mute of each of its findings', async () => {
    const owner = await server.people.user();
    const post = (path: string, body: unknown) =>
      server.call(path, { method: 'POST', headers: owner.key, body });
    const { json: project } = await post('/projects', { name: 'shop-test' });
    const planted = Array.from({ length: FINDINGS }, (_, n) => ({ asset: `//x/${n}` }));
    await plantFindings(server.database, owner.tenant.id, project.id, planted);
    const mute = { selector: { project: 'shop-test' }, reason: 'test data' };
    expect((await post('/mutes', mute)).status).toBe(201);
    const { id } = owner.tenant;
    const { statement, values } = summaryQuery(id, {}, null, server.clock.now());
    const asked = [
      { text: statement.text, values },
      pageOf(id, { muted: true }),
      pageOf(id, { muted: false }),
      pageOf(id, { muted: false, project: ['shop-test'] }),
    ];
    for (const one of asked) {
      expect(searchesOfMutes(await partsOf(id, one))).toBeLessThan(FINDINGS / 10);
    }
    const { json } = await server.call('/findings/summary', { headers: owner.key });
    expect(json.total).toEqual({ open: FINDINGS, resolved: 0, muted: FINDINGS });
    const list = (query: string) => server.call(`/findings?${query}`, { headers: owner.key });
    expect((await list('muted=false')).json.items).toEqual([]);
    expect((await list('muted=true&limit=100')).json.items).toHaveLength(100);
  });
});

describe('expiring mutes', () => {
  const RULE = 'bucket-public';
  const now = new Date('2026-11-20T08:00:00.000Z');
  const later = new Date('2026-11-22T08:00:00.000Z');

  interface Selector {
    readonly rule?: string;
    readonly asset?: string;
    readonly label?: string;
  }

  /** A tenant with a project that has findings, and selectors that end soon. */
  async function tenantWith(selectors: readonly Selector[]) {
    const { tenant, key } = await server.people.user();
    const body = { name: 'shop-prod' };
    const { json } = await server.call('/projects', { method: 'POST', headers: key, body });
    const planted = Array.from({ length: FINDINGS }, (_, n) => ({
      asset: `//storage.googleapis.com/planted-${n}`,
      labels: { env: 'prod' },
    }));
    await plantFindings(server.database, tenant.id, json.id, planted);
    const mutes = selectors.map(({ rule = null, asset = null, label = null }) => ({
      ...{ rule, asset, label },
      pattern: asset === null ? null : likePattern(asset),
    }));
    await rowsOf(
      server.database,
      tenant.id,
      `INSERT INTO mutes (tenant_id, id, rule_id, asset, asset_pattern, label_key, label_value, lookup, reason, expires_at, created_at)
       SELECT $1, gen_random_uuid(), rule, asset, pattern, split_part(label, '=', 1), split_part(label, '=', 2),
              COALESCE('rule:' || rule, 'any'), 'planted', $3, now()
       FROM json_to_recordset($2) AS m(rule text, asset text, pattern text, label text)`,
      [tenant.id, JSON.stringify(mutes), later],
    );
    return { tenantId: tenant.id, projectId: json.id as string };
  }

  const twoHundred = (selector: (n: number) => Selector) =>
    Array.from({ length: PATTERNS }, (_, n) => selector(n));

  /** The rows that all parts produce, drop, or compare in vain. */
  const rowsCompared = (parts: readonly Plan[]) =>
    rowsRead(parts) +
    parts.reduce(
      (sum, part) => sum + part['Actual Loops'] * (part['Rows Removed by Join Filter'] ?? 0),
      0,
    );

  it.each([
    ['patterns', (n: number) => ({ asset: `*absent-${n}-*` })],
    ['labels', (n: number) => ({ label: `env=absent-${n}` })],
  ])(
    '400 expiring mutes by %s that match nothing are not compared with each finding',
    async (_, selector) => {
      const { tenantId, projectId } = await tenantWith([
        ...twoHundred(selector),
        ...twoHundred((n) => ({ ...selector(n), rule: RULE })),
      ]);
      const values = expiringValues(tenantId, [projectId], now);
      const parts = await partsOf(tenantId, { text: EXPIRING.text, values });
      expect(rowsCompared(parts)).toBeLessThan(FINDINGS * 100);
    },
  );

  it('expiring mutes of full asset names are compared only with findings of these names', async () => {
    const { tenantId, projectId } = await tenantWith(
      twoHundred((n) => ({ asset: `//storage.googleapis.com/planted-${n}` })),
    );
    const found = await server.services.tenants.read(tenantId, (db) =>
      expiringMutes(db, [projectId], now, 10_000),
    );
    expect(Object.fromEntries(found)).toEqual({ [projectId]: { count: PATTERNS, firstAt: later } });
  });

  it('expiring mutes by patterns that most findings may match are compared up to a limit, and the result says so', async () => {
    const { tenantId, projectId } = await tenantWith(
      // Texts of one character, which are not looked up.
      twoHundred((n) => ({ asset: `*${[...`${n}`].join('*')}*!` })),
    );
    const most = 100 * PATTERNS;
    const values = expiringValues(tenantId, [projectId], now, most);
    const parts = await partsOf(tenantId, { text: EXPIRING.text, values });
    expect(rowsCompared(parts)).toBeLessThan(FINDINGS * 100 + most * 3);
    const expiring = (limit?: number) =>
      server.services.tenants.read(tenantId, (db) => expiringMutes(db, [projectId], now, limit));
    const partial = { count: 0, firstAt: null, isPartial: true };
    expect(Object.fromEntries(await expiring(most))).toEqual({ [projectId]: partial });
    expect(Object.fromEntries(await expiring())).toEqual({});
  });
});
