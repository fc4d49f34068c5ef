import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Analyst, type Finding } from '../../../tests/kit/analyst.ts';
import { Belongings } from '../../../tests/kit/fixtures.ts';
import { plantFindings } from '../../../tests/kit/planted-findings.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

const NONE = { open: 0, resolved: 0, muted: 0 };

function countOf(findings: readonly Finding[]) {
  const open = findings.filter(({ status }) => status === 'open');
  const muted = open.filter((finding) => finding.muted !== null).length;
  return { open: open.length, resolved: findings.length - open.length, muted };
}

const RANKS = ['critical', 'high', 'medium', 'low', 'info'] as const;

/** The summary computed from the list. */
function summaryOf(findings: readonly Finding[]) {
  const group = (key: (finding: Finding) => string) =>
    [...new Set(findings.map(key))]
      .toSorted()
      .map((value) => ({ value, of: findings.filter((finding) => key(finding) === value) }));
  return {
    total: countOf(findings),
    bySeverity: Object.fromEntries(
      RANKS.map((rank) => [rank, countOf(findings.filter(({ severity }) => severity === rank))]),
    ),
    byProject: group(({ project }) => project).map(({ value, of }) => ({
      project: value,
      ...countOf(of),
    })),
    byRule: group(({ ruleId }) => ruleId).map(({ value, of }) => ({
      ruleId: value,
      severity: RANKS.find((rank) => of.some(({ severity }) => severity === rank)),
      ...countOf(of),
    })),
  };
}

describe('the summary of findings', () => {
  it('the summary of findings equals counts over the list, for all and for some projects, without findings of another tenant', async () => {
    const user = await server.people.user();
    const analyst = new Analyst(server, user.key, user.tenant.id);
    const belongings = new Belongings(server.services, server.database, user.tenant);
    const [one, two] = [await belongings.project(), await belongings.project()];
    const empty = await belongings.project();
    const planted = Array.from({ length: 120 }, (_, n) => ({
      ruleId: `rule-${n % 7}`,
      severity: RANKS[n % 4] ?? 'low',
      asset: `//s/asset-${n % 11}`,
      labels: { env: n % 3 === 0 ? 'test' : 'prod' },
      status: n % 5 === 0 ? ('resolved' as const) : ('open' as const),
    }));
    await plantFindings(server.database, analyst.tenantId, one.id, planted.slice(0, 70));
    await plantFindings(server.database, analyst.tenantId, two.id, planted.slice(70));
    const stranger = await server.people.user();
    const theirs = await new Belongings(
      server.services,
      server.database,
      stranger.tenant,
    ).project();
    await plantFindings(server.database, stranger.tenant.id, theirs.id, planted);
    const [first] = await analyst.findings();
    for (const about of [
      { fingerprint: first?.fingerprint },
      { selector: { ruleId: 'rule-3', label: 'env=test' } },
      { selector: { ruleId: 'rule-3', asset: '//s/asset-1*' } },
      { selector: { project: two.name, asset: '*-7' } },
      { selector: { label: 'env=test', asset: '//s/asset-1*' } },
    ]) {
      const body = { ...about, reason: 'Known' };
      await analyst.ask(201, '/mutes', { method: 'POST', body });
    }
    for (const filter of ['', `project=${one.name}`, `project=${one.name}&project=${two.name}`]) {
      const summary = await analyst.ask(200, `/findings/summary?${filter}`);
      const { byRule, facets: _, ...sums } = summary;
      const expected = summaryOf(await analyst.findings(filter));
      expect(sums).toEqual({ ...expected, byRule: undefined });
      const byId = (a: { ruleId: string }, b: { ruleId: string }) => (a.ruleId < b.ruleId ? -1 : 1);
      expect(byRule.toSorted(byId)).toEqual(expected.byRule);
      expect(sums.total.muted).toBeGreaterThan(3);
    }
    for (const filter of [`project=${empty.name}`, `project=${theirs.name}`]) {
      expect(await analyst.ask(200, `/findings/summary?${filter}`)).toMatchObject(summaryOf([]));
    }
  });

  it('the summary of findings lists every severity with zero when there are no findings', async () => {
    const analyst = await Analyst.at(server);
    expect(await analyst.ask(200, '/findings/summary')).toEqual({
      total: NONE,
      bySeverity: { critical: NONE, high: NONE, medium: NONE, low: NONE, info: NONE },
      byProject: [],
      byRule: [],
      facets: {
        severity: [],
        status: [],
        project: [],
        rule: [],
        category: [],
        assetType: [],
        framework: [],
        delta: [],
        muted: [],
      },
    });
  });

  it('the summary of findings orders rules by severity, then by number of open findings', async () => {
    const user = await server.people.user();
    const analyst = new Analyst(server, user.key, user.tenant.id);
    const { id } = await new Belongings(server.services, server.database, user.tenant).project();
    await plantFindings(server.database, analyst.tenantId, id, [
      { ruleId: 'a', severity: 'low' },
      { ruleId: 'b', severity: 'high' },
      { ruleId: 'c', severity: 'high' },
      { ruleId: 'c', severity: 'high' },
      { ruleId: 'd', severity: 'low' },
      { ruleId: 'd', severity: 'critical' },
    ]);
    const { byRule } = await analyst.ask(200, '/findings/summary');
    expect(byRule.map(({ ruleId }: { ruleId: string }) => ruleId)).toEqual(['d', 'c', 'b', 'a']);
  });
});
