import { RULES } from '@cspm/scanner';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Analyst, type Finding } from '../../../tests/kit/analyst.ts';
import { Belongings } from '../../../tests/kit/fixtures.ts';
import { type Planted, plantFindings } from '../../../tests/kit/planted-findings.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';

let server: TestServer;
let analyst: Analyst;
let one: string;
let two: string;
let custom: string;
let all: Finding[];

const RANKS = ['critical', 'high', 'medium', 'low', 'info'];
const TYPES = ['storage.googleapis.com/Bucket', 'compute.googleapis.com/Firewall'];
const DELTAS = ['new', 'unchanged', 'reopened'];
const hour = (n: number) => new Date(Date.UTC(2026, 10, 1, n)).toISOString();

/** 180 findings whose properties repeat with different periods, so that every pair of values occurs. */
function planted(): Planted[] {
  const rules = ['bucket-public', 'fw-ssh-world', 'bucket-logging', custom, 'a-retired-rule'];
  return Array.from({ length: 180 }, (_, n) => ({
    ruleId: `${rules[n % 5]}`,
    severity: `${RANKS[Math.trunc(n / 3) % 5]}`,
    title: n % 9 === 0 ? '100% of_it\\ is public' : `Title ${n % 4}`,
    asset: `//s/${n % 6 === 0 ? 'Shop' : 'blog'}-Uploads-${n % 13}`,
    assetType: `${TYPES[n % 2]}`,
    message: n % 7 === 0 ? 'ÄRGER with allUsers' : 'Anybody can read it.',
    status: n % 8 === 0 ? 'resolved' : 'open',
    delta: n % 8 === 0 ? 'resolved' : `${DELTAS[n % 3]}`,
    firstSeenAt: hour(n % 24),
    lastSeenAt: hour(24 + (n % 17)),
  }));
}

beforeAll(async () => {
  server = await startTestServer();
  const user = await server.people.user({ tenant: await server.people.tenant(['custom_rules']) });
  analyst = new Analyst(server, user.key, user.tenant.id);
  const has = new Belongings(server.services, server.database, user.tenant);
  custom = await has.customRule();
  const projects = [await has.project(), await has.project()];
  [one, two] = projects.map(({ name }) => name) as [string, string];
  const rows = planted();
  await plantFindings(server.database, analyst.tenantId, projects[0]?.id ?? '', rows.slice(0, 110));
  await plantFindings(server.database, analyst.tenantId, projects[1]?.id ?? '', rows.slice(110));
  for (const selector of [
    { ruleId: 'bucket-public', asset: '*-1*' },
    { project: two, asset: '*-2' },
  ]) {
    const body = { selector, reason: 'Known' };
    await analyst.ask(201, '/mutes', { method: 'POST', body });
  }
  all = await analyst.findings();
});

afterAll(() => server.close());

const RULE = new Map(RULES.map((rule) => [rule.id, rule]));
const categoryOf = ({ ruleId }: Finding) =>
  ruleId === custom ? 'custom' : RULE.get(ruleId)?.category;
const frameworksOf = ({ ruleId }: Finding) => [
  ...new Set((RULE.get(ruleId)?.compliance ?? []).map(({ framework }) => framework)),
];

/** What each filter compares a finding with. */
const MEMBERS: Record<string, (finding: Finding) => readonly (string | undefined)[]> = {
  severity: ({ severity }) => [severity],
  status: ({ status }) => [status],
  project: ({ project }) => [project],
  rule: ({ ruleId }) => [ruleId],
  category: (finding) => [categoryOf(finding)],
  assetType: ({ asset }) => [asset.type],
  framework: frameworksOf,
  delta: ({ delta }) => [delta],
  muted: ({ muted }) => [String(muted !== null)],
};

const ALIASES: Readonly<Record<string, string>> = { 'cis-gcp': 'cis-gcp-4.0' };

function matches(finding: Finding, query: string, ignored = ''): boolean {
  const search = new URLSearchParams(query);
  const text = search.get('q')?.toLowerCase();
  const { asset, fingerprint, title, message, ruleId, firstSeenAt } = finding;
  const texts = [asset.name, title, message, ruleId].map((one) => one.toLowerCase());
  return (
    (text === undefined || texts.some((one) => one.includes(text))) &&
    (search.get('asset') ?? asset.name) === asset.name &&
    (search.get('fingerprint') ?? fingerprint) === fingerprint &&
    firstSeenAt >= (search.get('since') ?? '') &&
    Object.entries(MEMBERS).every(([name, of]) => {
      const asked = search.getAll(name).map((value) => ALIASES[value] ?? value);
      return (
        name === ignored ||
        asked.length === 0 ||
        of(finding).some((value) => asked.includes(`${value}`))
      );
    })
  );
}

const byId = (a: Finding, b: Finding) => (a.id > b.id ? -1 : 1);
const rankOf = ({ severity }: Finding) => RANKS.indexOf(severity);
const SORTS: Record<string, (a: Finding, b: Finding) => number> = {
  newest: byId,
  severity: (a, b) => rankOf(a) - rankOf(b) || byId(a, b),
  lastSeen: (a, b) => b.lastSeenAt.localeCompare(a.lastSeenAt) || byId(a, b),
};

/** ONE, TWO, CUSTOM, MUTED and UNTOUCHED stand for names that are known only later. */
const FILTERS = [
  '',
  'q=shop-uploads',
  'q=FW-SSH&status=open',
  'q=100%25 of_it\\',
  'q=ä',
  'q=%25',
  'q=_',
  'q=no such text',
  'category=storage',
  'category=custom&severity=high',
  'category=storage&category=network&rule=fw-ssh-world&rule=a-retired-rule',
  'category=storage&rule=fw-ssh-world',
  'framework=cis-gcp-4.0',
  'framework=cis-gcp-4.0&category=storage&project=ONE',
  'framework=cis-gcp',
  'framework=none',
  'assetType=compute.googleapis.com/Firewall',
  'delta=new',
  'delta=resolved&delta=reopened&severity=low',
  `since=${hour(20)}`,
  'asset=//s/blog-Uploads-4',
  'asset=//s/blog-uploads-4',
  'fingerprint=MUTED',
  'fingerprint=MUTED&muted=true',
  'fingerprint=MUTED&muted=false',
  'fingerprint=UNTOUCHED&muted=false&status=open',
  'fingerprint=UNTOUCHED&muted=true',
  `fingerprint=${'00'.repeat(32)}`,
  'muted=true',
  'muted=true&q=shop&delta=new&assetType=storage.googleapis.com/Bucket',
  'muted=false&category=storage',
  'muted=false&asset=//s/blog-Uploads-1',
  'muted=false&status=open',
  'project=TWO&severity=critical&severity=info&rule=bucket-public',
  `project=ONE&project=TWO&muted=false&q=public&since=${hour(3)}`,
  'rule=CUSTOM&status=resolved',
].map((query) => [query] as const);

/** The fingerprint of the first open finding that is muted, or is not. */
const fingerprintOf = (isMuted: boolean) =>
  `${all.find(({ muted, status }) => status === 'open' && (muted !== null) === isMuted)?.fingerprint}`;

const encoded = (query: string) =>
  new URLSearchParams(
    query
      .replaceAll('ONE', one)
      .replaceAll('TWO', two)
      .replaceAll('CUSTOM', custom)
      .replace('MUTED', fingerprintOf(true))
      .replace('UNTOUCHED', fingerprintOf(false)),
  ).toString();

describe('GET /findings', () => {
  it.each(FILTERS)(
    'GET /findings lists all findings that match "%s" and no other, in every order',
    async (query) => {
      const filter = encoded(query);
      for (const [sort, compare] of Object.entries(SORTS)) {
        const expected = all.filter((finding) => matches(finding, filter)).toSorted(compare);
        expect(await analyst.findings(`${filter}&sort=${sort}`, 7), sort).toEqual(expected);
        expect(await analyst.findings(`${filter}&sort=${sort}`, 500), sort).toEqual(expected);
      }
    },
  );

  it('GET /findings refuses a cursor of another order, and a cursor of another filter in the orders other than newest', async () => {
    const cursorOf = async (query: string): Promise<string> =>
      (await analyst.ask(200, `/findings?limit=2&${query}`)).nextCursor;
    const cursors = {
      '': await cursorOf(''),
      'sort=severity': await cursorOf('sort=severity'),
      'sort=severity&status=open': await cursorOf('sort=severity&status=open'),
      'sort=lastSeen': await cursorOf('sort=lastSeen'),
    };
    for (const [made, cursor] of Object.entries(cursors)) {
      for (const used of Object.keys(cursors)) {
        const reply = await analyst.call(`/findings?limit=2&${used}&cursor=${cursor}`);
        expect([made, used, reply.status]).toEqual([made, used, made === used ? 200 : 400]);
      }
    }
    const same = `sort=severity&severity=low&severity=high&cursor=${await cursorOf('sort=severity&severity=high&severity=low')}`;
    expect((await analyst.call(`/findings?limit=50&${same}`)).status).toBe(200);
  });

  it.each([
    '0000-01-01T00:00:00.000Z',
    '0001-01-01T00:00:00.000Z',
    '2026-02-30T00:00:00.000Z',
    '2026-11-20T24:00:00.000Z',
    '9999-12-31T23:59:59.999Z',
  ])(
    'GET /findings reads a forged cursor with the time %s only if it is a time that Postgres has',
    async (time) => {
      const page = await analyst.ask(200, '/findings?limit=2&sort=lastSeen');
      const [digest, , id] = JSON.parse(Buffer.from(page.nextCursor, 'base64url').toString());
      const forged = Buffer.from(JSON.stringify([digest, time, id])).toString('base64url');
      const reply = await analyst.call(`/findings?limit=2&sort=lastSeen&cursor=${forged}`);
      expect(reply.status).toBe(/^(0001|9999)/.test(time) ? 200 : 400);
    },
  );
});

describe('GET /findings/summary', () => {
  it.each(FILTERS)(
    'GET /findings/summary counts the findings that match "%s", and each facet ignores its own filter',
    async (query) => {
      const filter = encoded(query);
      const summary = await analyst.ask(200, `/findings/summary?${filter}`);
      const matching = all.filter((finding) => matches(finding, filter));
      const open = matching.filter(({ status }) => status === 'open');
      expect(summary.total).toEqual({
        open: open.length,
        resolved: matching.length - open.length,
        muted: open.filter(({ muted }) => muted !== null).length,
      });
      for (const [name, valuesOf] of Object.entries(MEMBERS)) {
        const counts = new Map<string, number>();
        for (const finding of all.filter((one) => matches(one, filter, name))) {
          for (const value of valuesOf(finding)) {
            if (value !== undefined) counts.set(value, (counts.get(value) ?? 0) + 1);
          }
        }
        const expected = [...counts].map(([value, count]) => ({ value, count }));
        const facet: { value: string; count: number }[] = summary.facets[name];
        expect(facet, name).toEqual(expect.arrayContaining(expected));
        expect(facet, name).toHaveLength(expected.length);
        expect(facet.map(({ count }) => count)).toEqual(
          facet.map(({ count }) => count).toSorted((a, b) => b - a),
        );
      }
    },
  );
});

describe('GET /findings/export', () => {
  it('GET /findings/export exports exactly the findings that the same filter lists', async () => {
    const filter = encoded('category=storage&q=public&delta=new&framework=cis-gcp-4.0');
    const { text } = await analyst.call(`/findings/export?format=ndjson&${filter}`);
    const exported = text.split('\n').filter((line) => line !== '');
    expect(exported.map((line) => JSON.parse(line))).toEqual(
      all.filter((finding) => matches(finding, filter)),
    );
    expect(exported.length).toBeGreaterThan(0);
  });
});
