import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Analyst, type Finding } from '../../../tests/kit/analyst.ts';
import { Belongings } from '../../../tests/kit/fixtures.ts';
import { rowsOf } from '../../../tests/kit/owner-queries.ts';
import { type Planted, plantFindings } from '../../../tests/kit/planted-findings.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';

let server: TestServer;
let analyst: Analyst;
let belongings: Belongings;
let project: { id: string; name: string };
let other: { id: string; name: string };
let all: Finding[];

/** Findings that differ in every member of a selector. Each has its own asset, which identifies it. */
const ASSETS: readonly Planted[] = [
  { asset: '//s/shop-a', labels: { env: 'test', team: '' } },
  { asset: '//s/shop-b', labels: { env: 'prod' } },
  { asset: '//s/Shop-a', ruleId: 'other' },
  { asset: '//s/100%', labels: { ENV: 'test' } },
  { asset: '//s/100x', labels: { 'env=': 'a' } },
  { asset: '//s/under_score' },
  { asset: '//s/underXscore' },
  { asset: '//s/back\\slash' },
  { asset: '//s/backslash', labels: { 'quo"te': "it's" } },
  { asset: '//s/ünïcode/日本', labels: { ünï: '日本' } },
  { asset: '//s/*', labels: { eq: 'a=b' } },
  { asset: '//s/(.+)[a]?{1}^$|' },
];

const SELECTORS: [selector: object, assets: string[]][] = [
  [{ asset: '//s/shop-*' }, ['//s/shop-a', '//s/shop-b']],
  [{ asset: '//s/shop-a' }, ['//s/shop-a']],
  [{ asset: '//s/shop-' }, []],
  [{ asset: '*-a' }, ['//s/shop-a', '//s/Shop-a']],
  [{ asset: '//s/shop-a*' }, ['//s/shop-a']],
  [{ asset: '**//s/s**p-b**' }, ['//s/shop-b']],
  [{ asset: '//s/100%' }, ['//s/100%']],
  [{ asset: '//s/1%' }, []],
  [{ asset: '//s/under_score' }, ['//s/under_score']],
  [{ asset: '//s/back\\slash' }, ['//s/back\\slash']],
  [{ asset: '//s/back\\*' }, ['//s/back\\slash']],
  [{ asset: '//s/\\*' }, []],
  [{ asset: '//s/*日本' }, ['//s/ünïcode/日本']],
  [{ asset: '//s/(.+)[a]?{1}^$|' }, ['//s/(.+)[a]?{1}^$|']],
  [{ asset: '//s/.+' }, []],
  [{ asset: `${'*a'.repeat(9)}*` }, []],
  [{ label: 'env' }, ['//s/shop-a', '//s/shop-b']],
  [{ label: 'env=test' }, ['//s/shop-a']],
  [{ label: 'env=' }, []],
  [{ label: 'team=' }, ['//s/shop-a']],
  [{ label: 'team' }, ['//s/shop-a']],
  [{ label: 'eq=a=b' }, ['//s/*']],
  [{ label: 'quo"te' }, ['//s/backslash']],
  [{ label: 'quo"te=it\'s' }, ['//s/backslash']],
  [{ label: 'ünï=日本' }, ['//s/ünïcode/日本']],
  [{ ruleId: 'other' }, ['//s/Shop-a']],
  [{ ruleId: 'oth%' }, []],
  [{ ruleId: 'oth*' }, []],
  [{ ruleId: 'other', asset: '//s/shop-a' }, []],
  [{ ruleId: 'bucket-public', asset: '//s/shop-*', label: 'env=prod' }, ['//s/shop-b']],
  [{ asset: '//s/shop-*', label: 'team' }, ['//s/shop-a']],
];

beforeAll(async () => {
  server = await startTestServer();
  const user = await server.people.user();
  analyst = new Analyst(server, user.key, user.tenant.id);
  belongings = new Belongings(server.services, server.database, user.tenant);
  project = await belongings.project();
  other = await belongings.project();
  await plant(ASSETS, project);
  await plant([{ asset: '//s/shop-a', ruleId: 'another' }, { asset: '//s/else' }], other);
  all = await analyst.findings();
});

afterAll(() => server.close());

function plant(planted: readonly Planted[], where: { id: string }): Promise<string[]> {
  return plantFindings(server.database, analyst.tenantId, where.id, planted);
}

/** The assets of the findings that match a filter, in the order of creation. */
async function assets(filter: string): Promise<string[]> {
  return (await analyst.findings(filter)).map(({ asset }) => asset.name).reverse();
}

/** Runs `work` while findings are muted, then deletes the mute. */
async function whileMuted(selector: object, work: () => Promise<void>): Promise<void> {
  const body = { selector, reason: 'Known' };
  const { id } = await analyst.ask(201, '/mutes', { method: 'POST', body });
  await work();
  await analyst.ask(204, `/mutes/${id}`, { method: 'DELETE' });
}

describe('a mute selector', () => {
  it.each(SELECTORS)(
    'a mute selector matches exactly the findings that fit all its members: %j',
    async (selector, expected) => {
      await whileMuted({ ...selector, project: project.name }, async () => {
        expect(await assets('muted=true')).toEqual(expected);
      });
      // A selector without a project could match findings of the other project too.
      await whileMuted(selector, async () => {
        expect(await assets(`muted=true&project=${project.name}`)).toEqual(expected);
        const muted = await analyst.findings('muted=true');
        const shown = (await analyst.findings()).filter((finding) => finding.muted !== null);
        expect(shown).toEqual(muted);
        const ids = new Set(muted.map(({ id }) => id));
        expect(await analyst.findings('muted=false', 5)).toEqual(
          all.filter(({ id }) => !ids.has(id)),
        );
      });
      expect(await assets('muted=true')).toEqual([]);
    },
  );

  it('a mute selector with only a project matches all findings of that project and no others', async () => {
    await whileMuted({ project: other.name }, async () => {
      expect(await assets('muted=true')).toEqual(['//s/shop-a', '//s/else']);
    });
  });

  it('the filter muted can be combined with a scan and the other filters', async () => {
    const ids = await plant(
      [
        { asset: 'a', severity: 'low' },
        { asset: 'b', severity: 'low' },
        { asset: 'c', severity: 'low' },
        { asset: 'c', status: 'resolved' },
      ],
      await belongings.project(),
    );
    const scan = await belongings.scan();
    await rowsOf(
      server.database,
      analyst.tenantId,
      `INSERT INTO scan_findings (tenant_id, scan_id, finding_id, delta, scan_at)
       SELECT tenant_id, id, unnest($2::uuid[]), 'reopened', created_at FROM scans WHERE id = $1`,
      [scan, ids.slice(1)],
    );
    await whileMuted({ asset: 'b' }, async () => {
      expect(await assets(`scan=${scan}&muted=true&severity=low`)).toEqual(['b']);
      expect(await assets(`scan=${scan}&muted=false&severity=low&status=open`)).toEqual(['c']);
      expect(await assets(`scan=${scan}&muted=false`)).toEqual(['c', 'c']);
      const [seen] = await analyst.findings(`scan=${scan}&muted=true`);
      expect(seen).toMatchObject({ delta: 'reopened' });
    });
  });
});
