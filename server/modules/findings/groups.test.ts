import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Analyst, type Finding } from '../../../tests/kit/analyst.ts';
import { Belongings } from '../../../tests/kit/fixtures.ts';
import { type Planted, plantFindings } from '../../../tests/kit/planted-findings.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';

let server: TestServer;
let analyst: Analyst;
let one: string;
let all: Finding[];

const RANKS = ['critical', 'high', 'medium', 'low', 'info'];
const hour = (n: number) => new Date(Date.UTC(2026, 10, 1, n)).toISOString();

beforeAll(async () => {
  server = await startTestServer();
  const user = await server.people.user();
  analyst = new Analyst(server, user.key, user.tenant.id);
  const has = new Belongings(server.services, server.database, user.tenant);
  const projects = [await has.project(), await has.project()];
  [one] = projects.map(({ name }) => name) as [string];
  const rules = ['bucket-public', 'fw-ssh-world', 'a-retired-rule'];
  const rows = Array.from(
    { length: 90 },
    (_, n): Planted => ({
      ruleId: `${rules[n % 3]}`,
      severity: `${RANKS[1 + (Math.trunc(n / 2) % 4)]}`,
      title: 'The title of the finding',
      asset: `//s/${'ä'.repeat(n % 2 ? 1 : 1900)}/asset-${n % 11}`,
      status: n % 4 === 0 ? 'resolved' : 'open',
      lastSeenAt: hour(n % 17),
    }),
  );
  await plantFindings(server.database, analyst.tenantId, projects[0]?.id ?? '', rows.slice(0, 40));
  await plantFindings(server.database, analyst.tenantId, projects[1]?.id ?? '', rows.slice(40));
  const selector = { ruleId: 'bucket-public', asset: '*-1*' };
  await analyst.ask(201, '/mutes', { method: 'POST', body: { selector, reason: 'Known' } });
  const stranger = await server.people.user();
  const theirs = new Belongings(server.services, server.database, stranger.tenant);
  await plantFindings(server.database, stranger.tenant.id, (await theirs.project()).id, rows);
  all = await analyst.findings();
});

afterAll(() => server.close());

const KEYS: Record<string, (finding: Finding) => string> = {
  rule: ({ ruleId }) => ruleId,
  asset: ({ asset }) => asset.name,
  project: ({ project }) => project,
};

const TITLES: Record<string, (key: string) => string> = {
  rule: (key) =>
    ({ 'bucket-public': 'Bucket is public', 'a-retired-rule': 'The title of the finding' })[key] ??
    expect.any(String),
  asset: (key) => key.split('/').at(-1) ?? '',
  project: (key) => key,
};

/** The groups, counted from the list. */
function groupsOf(findings: readonly Finding[], by: string) {
  const keyOf = (finding: Finding) => KEYS[by]?.(finding) ?? '';
  const groups = [...new Set(findings.map(keyOf))].map(
    (key) => [key, findings.filter((finding) => keyOf(finding) === key)] as const,
  );
  return groups
    .map(([key, of]) => {
      const open = of.filter(({ status }) => status === 'open');
      return {
        key,
        title: TITLES[by]?.(key),
        severity: RANKS.find((rank) => of.some(({ severity }) => severity === rank)) ?? '',
        open: open.length,
        resolved: of.length - open.length,
        muted: open.filter(({ muted }) => muted !== null).length,
        lastSeenAt: of
          .map(({ lastSeenAt }) => lastSeenAt)
          .toSorted()
          .at(-1),
        projects: new Set(of.map(({ project }) => project)).size,
      };
    })
    .toSorted(
      (a, b) =>
        RANKS.indexOf(a.severity) - RANKS.indexOf(b.severity) ||
        b.open - a.open ||
        (a.key < b.key ? -1 : 1),
    );
}

async function listed(query: string, limit: number) {
  const items = [];
  let cursor = '';
  do {
    const page = await analyst.ask(200, `/findings/groups?limit=${limit}&${query}${cursor}`);
    items.push(...page.items);
    cursor = page.nextCursor === null ? '' : `&cursor=${page.nextCursor}`;
  } while (cursor !== '');
  return items;
}

const FILTERS: [query: string, matches: (finding: Finding) => boolean][] = [
  ['', () => true],
  ['status=open', ({ status }) => status === 'open'],
  ['muted=true', ({ muted }) => muted !== null],
  ['muted=false', ({ muted }) => muted === null],
  ['muted=false&project=ONE', ({ muted, project }) => muted === null && project === one],
  ['severity=low&q=ASSET-1', ({ severity, asset }) => severity === 'low' && /-1/.test(asset.name)],
  ['category=storage', ({ ruleId }) => ruleId === 'bucket-public'],
  ['rule=none', () => false],
];

describe('GET /findings/groups', () => {
  it.each(FILTERS)(
    'GET /findings/groups groups the findings that match "%s", for every page size',
    async (filter, matches) => {
      for (const by of Object.keys(KEYS)) {
        const query = `by=${by}&${filter.replace('ONE', one)}`;
        const expected = groupsOf(all.filter(matches), by);
        expect(await listed(query, 2), by).toEqual(expected);
        expect(await listed(query, 100), by).toEqual(expected);
      }
    },
  );

  it('GET /findings/groups refuses a cursor of another key or filter, and requires a key', async () => {
    const { nextCursor } = await analyst.ask(200, '/findings/groups?by=asset&limit=1');
    for (const query of ['by=rule', 'by=asset&status=open', 'by=asset&cursor=nonsense', '']) {
      const reply = await analyst.call(`/findings/groups?${query}&cursor=${nextCursor}`);
      expect([query, reply.status]).toEqual([query, 400]);
    }
    expect((await analyst.call('/findings/groups?by=severity')).status).toBe(400);
  });
});
