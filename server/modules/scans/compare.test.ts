import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Analyst, type Scan } from '../../../tests/kit/analyst.ts';
import { bareCluster, bucket, cluster } from '../../../tests/kit/export-records.ts';
import { rowsOf } from '../../../tests/kit/owner-queries.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';

let server: TestServer;
let analyst: Analyst;
let project: string;

beforeAll(async () => {
  server = await startTestServer({ worker: true });
});

afterAll(() => server.close());

beforeEach(async () => {
  analyst = await Analyst.at(server);
  project = await analyst.project();
});

const bad = (name: string) => cluster(name, { legacyAbac: true });
const good = (name: string) => cluster(name, {});

async function scanOf(records: readonly unknown[], profile = 'gke'): Promise<Scan> {
  await analyst.upload(project, records);
  return analyst.scan(project, profile);
}

function compare(later: Scan, earlier: Scan, query = '') {
  return analyst.ask(200, `/scans/${later.id}/compare?with=${earlier.id}${query}`);
}

interface Item {
  readonly change: string;
  readonly finding: { readonly asset: { readonly name: string }; readonly id: string };
}

/** The changes by the names of the assets. */
function changesIn({ items }: { items: readonly Item[] }) {
  return Object.fromEntries(
    items.map(({ change, finding }) => [finding.asset.name.split('/').at(-1), change]),
  );
}

describe('a comparison of two scans', () => {
  it('a comparison of two successive scans has the changes of the later one', async () => {
    const first = await scanOf([bad('stays'), bad('goes'), good('comes')]);
    const second = await scanOf([bad('stays'), good('goes'), bad('comes')]);
    const third = await scanOf([bad('stays'), bad('goes'), bad('comes')]);
    const before = await compare(second, first);
    expect(changesIn(before)).toEqual({ stays: 'unchanged', goes: 'resolved', comes: 'new' });
    expect(before).toMatchObject({
      scan: { id: second.id, profile: 'gke', createdAt: second.createdAt },
      with: { id: first.id, profile: 'gke', createdAt: first.createdAt },
      projects: [project],
      nextCursor: null,
    });
    const after = await compare(third, second);
    expect(changesIn(after)).toEqual({ stays: 'unchanged', goes: 'reopened', comes: 'unchanged' });
    const none = { critical: 0, high: 0, medium: 0, low: 0, info: 0 };
    expect(after.counts).toEqual({
      new: { total: 0, bySeverity: none },
      resolved: { total: 0, bySeverity: none },
      reopened: { total: 1, bySeverity: { ...none, high: 1 } },
      unchanged: { total: 2, bySeverity: { ...none, high: 2 } },
    });
  });

  it('a comparison says whether the scans evaluated different rules, also under one profile name', async () => {
    const name = 'custom:compared';
    const body = { name, include: ['gke-legacy-abac'] };
    await analyst.ask(201, '/profiles', { method: 'POST', body });
    const first = await scanOf([bad('a')], name);
    const second = await scanOf([bad('a')], name);
    await analyst.ask(200, `/profiles/${name}`, {
      ...{ method: 'PUT', body: { include: ['gke-legacy-abac', 'gke-logging'] } },
    });
    const third = await scanOf([bad('a')], name);
    expect(await compare(second, first)).toMatchObject({ ruleSetChanged: false });
    expect(await compare(third, second)).toMatchObject({ ruleSetChanged: true });
  });

  it('a comparison of two scans has the changes made by the scans between them', async () => {
    const names = ['stays', 'goes', 'comes', 'returns', 'flickers', 'passes'];
    const states = [
      ['bad', 'bad', 'good', 'good', 'bad', 'good'],
      ['bad', 'good', 'bad', 'bad', 'good', 'bad'],
      ['bad', 'good', 'bad', 'bad', 'bad', 'good'],
    ];
    // The finding has to exist before the first of the compared scans to return after it.
    await scanOf([bad('returns')]);
    const scans: Scan[] = [];
    for (const state of states) {
      scans.push(
        await scanOf(names.map((name, at) => (state[at] === 'bad' ? bad(name) : good(name)))),
      );
    }
    const [first, , last] = scans as [Scan, Scan, Scan];
    expect(changesIn(await compare(last, first))).toEqual({
      stays: 'unchanged',
      goes: 'resolved',
      comes: 'new',
      returns: 'reopened',
      flickers: 'unchanged',
    });
    const { counts } = await compare(last, first, '&change=new');
    expect(Object.values(counts).map((count) => (count as { total: number }).total)).toEqual([
      1, 1, 1, 2,
    ]);
  });

  it('a comparison of two scans counts findings that the later scan could not evaluate as unchanged', async () => {
    const first = await scanOf([bad('undecided'), bad('fixed')]);
    // No scan decides about the one cluster; the other is fixed between the two.
    await scanOf([bareCluster('undecided'), good('fixed')]);
    const other = await scanOf(
      [bareCluster('undecided'), good('fixed'), bucket('b', {})],
      'storage',
    );
    const compared = await compare(other, first, `&rule=gke-legacy-abac`);
    expect(changesIn(compared)).toEqual({ undecided: 'unchanged', fixed: 'resolved' });
  });

  it('a comparison of two scans is not changed by later scans', async () => {
    const first = await scanOf([bad('a'), bad('b'), bad('c')]);
    const second = await scanOf([bad('a'), good('b'), bareCluster('c')]);
    const told = { a: 'unchanged', b: 'resolved', c: 'unchanged' };
    expect(changesIn(await compare(second, first))).toEqual(told);
    await scanOf([good('a'), bad('b'), good('c')]);
    await scanOf([bad('a'), good('b'), bad('c')]);
    expect(changesIn(await compare(second, first))).toEqual(told);
  });

  it('a comparison of two scans compares only projects that both scans completed', async () => {
    await analyst.upload(project, [bad('a')]);
    const other = await analyst.project([bad('in-both')]);
    const first = await analyst.scan(other, 'gke');
    const second = await analyst.scan([project, other], 'gke');
    const compared = await compare(second, first);
    expect(changesIn(compared)).toEqual({ 'in-both': 'unchanged' });
    expect(compared.projects).toEqual([other]);
    expect(compared.counts.new.total).toBe(0);
    expect((await compare(second, first, `&project=${project}`)).items).toEqual([]);
  });

  it('a comparison of two scans returns every match once over all pages, for every filter', async () => {
    const names = Array.from({ length: 12 }, (_, at) => `cluster-${at}`);
    const first = await scanOf(names.map((name, at) => (at % 2 ? bad(name) : good(name))));
    const second = await scanOf(names.map((name, at) => (at % 3 ? bad(name) : good(name))));
    const whole = await compare(second, first);
    const ids = whole.items.map(({ finding }: Item) => finding.id);
    expect(ids).toEqual(ids.toSorted().reverse());
    for (const query of ['', '&change=new', '&change=new&change=resolved', '&severity=high']) {
      const all = (await compare(second, first, query)).items;
      expect(all.length).toBeGreaterThan(2);
      const paged: Item[] = [];
      let cursor = '';
      do {
        const page = await compare(second, first, `${query}&limit=2${cursor}`);
        expect(page.counts === null).toBe(cursor !== '');
        paged.push(...page.items);
        cursor = page.nextCursor === null ? '' : `&cursor=${page.nextCursor}`;
      } while (cursor !== '');
      expect(paged).toEqual(all);
    }
    expect((await compare(second, first, '&severity=low')).items).toEqual([]);
    expect((await compare(second, first, '&q=CLUSTER-1&change=resolved')).items).toHaveLength(0);
    expect(changesIn(await compare(second, first, '&q=CLUSTER-9'))).toEqual({
      'cluster-9': 'resolved',
    });
  });
});

describe('a comparison is refused', () => {
  const refused = (later: string, earlier: string) =>
    analyst.call(`/scans/${later}/compare?with=${earlier}`);

  it('a comparison of scans in the wrong order or of a scan with itself is refused', async () => {
    const [first, second] = [await scanOf([bad('a')]), await scanOf([bad('a')])];
    const swapped = await refused(first.id, second.id);
    expect(swapped.json).toMatchObject({ status: 422, code: 'SCANS_NOT_COMPARABLE' });
    expect(swapped.json.detail).toContain('Swap the two');
    expect((await refused(first.id, first.id)).json.code).toBe('SCANS_NOT_COMPARABLE');
  });

  it('a comparison of scans without a common project is refused', async () => {
    const first = await scanOf([bad('a')]);
    const other = await analyst.project([bad('a')]);
    const second = await analyst.scan(other, 'gke');
    const reply = await refused(second.id, first.id);
    expect(reply.json).toMatchObject({ status: 422, code: 'SCANS_NOT_COMPARABLE' });
    expect(reply.json.detail).toContain(other);
  });

  it.each([
    ['running', 'Wait until it has completed'],
    ['failed', 'Choose another scan'],
  ])('a comparison is answered 409 while one of the scans is %s', async (status, remedy) => {
    const [first, second] = [await scanOf([bad('a')]), await scanOf([bad('a')])];
    await rowsOf(server.database, analyst.tenantId, 'UPDATE scans SET status = $1 WHERE id = $2', [
      status,
      first.id,
    ]);
    const reply = await refused(second.id, first.id);
    expect(reply.json).toMatchObject({ status: 409, code: 'SCAN_NOT_COMPLETED' });
    expect(reply.json.detail).toContain(remedy);
  });

  it('a comparison is answered 404 if one of the scans belongs to another tenant', async () => {
    const [first, second] = [await scanOf([bad('a')]), await scanOf([bad('a')])];
    const own = analyst;
    analyst = await Analyst.at(server);
    project = await analyst.project();
    const foreign = await scanOf([bad('a')]);
    analyst = own;
    for (const [later, earlier] of [
      [foreign.id, first.id],
      [second.id, foreign.id],
    ] as const) {
      expect((await refused(later, earlier)).json).toMatchObject({ status: 404 });
    }
  });
});
