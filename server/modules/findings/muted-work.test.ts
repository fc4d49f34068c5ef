import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rowsOf } from '../../../tests/kit/owner-queries.ts';
import type { TestUser } from '../../../tests/kit/people.ts';
import { plantFindings } from '../../../tests/kit/planted-findings.ts';
import { plantMutes } from '../../../tests/kit/planted-mutes.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';
import type { FindingFilter } from './finding-filter.ts';
import { pageOfTenant } from './finding-page.ts';
import { findingsStatement } from './queries.ts';

const FINDINGS = 2_000;
/** The most that a tenant may have without a rule and a project. */
const PATTERNS = 200;
const MUTED = ['x-planted-7-x', 'planted-150-', 'a/planted-199-b'];

interface Plan {
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
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
});

afterAll(() => server.close());

/** The rows that all parts of the plan of a page produce or drop. */
async function rowsRead(filter: FindingFilter, sort: 'newest' | 'severity'): Promise<number> {
  const page = { sort, after: null, limit: 26, now: server.clock.now() };
  const query = pageOfTenant(user.tenant.id, filter, page);
  const { text } = findingsStatement(query);
  const [row] = await rowsOf(
    server.database,
    user.tenant.id,
    `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${text}`,
    [...query.values, 26],
  );
  const sum = (plan: Plan): number =>
    plan['Actual Loops'] * (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) +
    (plan.Plans ?? []).reduce((total, part) => total + sum(part), 0);
  const plans = (row?.['QUERY PLAN'] ?? []) as { readonly Plan: Plan }[];
  return plans.reduce((total, { Plan: plan }) => total + sum(plan), 0);
}

describe('a list of muted findings', () => {
  it.each(['newest', 'severity'] as const)(
    'a list of muted findings sorted by %s reads each finding once, for any number of patterns',
    async (sort) => {
      expect(await rowsRead({ muted: true }, sort)).toBeLessThan(FINDINGS * 8);
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
