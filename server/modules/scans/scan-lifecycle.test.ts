import { resolveProfile } from '@cspm/scanner';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Analyst, type Scan } from '../../../tests/kit/analyst.ts';
import {
  bareCluster,
  bucket,
  CLUSTER_VERDICTS,
  cluster,
  firewall,
  manyClusters,
} from '../../../tests/kit/export-records.ts';
import { rowsOf } from '../../../tests/kit/owner-queries.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';
import { until } from '../../../tests/kit/until.ts';

let server: TestServer;
let analyst: Analyst;

beforeAll(async () => {
  server = await startTestServer({ worker: true });
});

afterAll(() => server.close());

beforeEach(async () => {
  analyst = await Analyst.at(server);
});

const MIXED = [
  cluster('good'),
  cluster('bad', { legacyAbac: true }),
  bareCluster('unknown'),
  bucket('leaky', { uniform: false, logged: false, ownKey: false }),
  firewall('open', { ports: ['22'], sourceRanges: ['0.0.0.0/0'] }),
];

describe('a scan', () => {
  it('a scan is queued, runs and completes with consistent totals', async () => {
    const project = await analyst.project(MIXED);
    const reply = await analyst.call('/scans', {
      method: 'POST',
      body: { projects: [project], profile: 'gke' },
    });
    expect(reply.status).toBe(202);
    expect(reply.headers.get('location')).toBe(`/scans/${reply.json.id}`);
    expect(reply.json).toMatchObject({
      status: 'queued',
      profile: 'gke',
      profileDigest: resolveProfile('gke')?.digest,
      projects: [
        {
          name: project,
          status: 'queued',
          assets: 0,
          evaluations: 0,
          findings: 0,
          error: null,
          inventoryId: null,
        },
      ],
      totals: { assets: 0, evaluations: 0, pass: 0, fail: 0, unknown: 0 },
      coverage: null,
      startedAt: null,
      finishedAt: null,
      createdBy: { kind: 'api_key' },
    });
    const scan = await analyst.finished(reply.json.id);
    expect(scan.status).toBe('completed');
    expect(scan.projects).toEqual([
      {
        name: project,
        status: 'completed',
        assets: 5,
        evaluations: scan.totals.evaluations,
        findings: 1,
        error: null,
        inventoryId: (await analyst.call(`/projects/${project}`)).json.inventory.id,
      },
    ]);
    // Each rule evaluates the three clusters. The cluster that is only referenced gives UNKNOWN.
    const { evaluations, pass } = CLUSTER_VERDICTS;
    expect(scan.totals).toEqual({
      assets: 5,
      evaluations: 3 * evaluations,
      pass: 2 * pass - 1,
      fail: 1,
      unknown: evaluations,
      bySeverity: { critical: 0, high: 1, medium: 0, low: 0, info: 0 },
    });
    expect(scan.delta).toEqual({ new: 1, resolved: 0, reopened: 0, unchanged: 0 });
    // The rules for node pools found none, and one cluster has unknown content.
    expect(scan.coverage).toEqual({
      rules: evaluations,
      decided: pass,
      undecided: CLUSTER_VERDICTS.na,
      unmet: 0,
    });
    expectInOrder(scan.createdAt, scan.startedAt, scan.finishedAt);
    expect(await analyst.seen(scan.id)).toEqual(scan);
  });

  it('a scan counts verdicts by rule, with zeros for rules without assets', async () => {
    const project = await analyst.project(MIXED);
    const scan = await analyst.scan(project, 'critical');
    const counts = await analyst.ruleCounts(scan.id);
    expect(counts.map(({ ruleId }) => ruleId)).toEqual(
      resolveProfile('critical')?.rules.map(({ id }) => id),
    );
    const of = (ruleId: string) => counts.find((count) => count.ruleId === ruleId);
    expect(of('gke-legacy-abac')).toEqual({
      ruleId: 'gke-legacy-abac',
      pass: 1,
      fail: 1,
      na: 0,
      unknown: 1,
      missing: ['RESOURCE'],
    });
    const none = { pass: 0, fail: 0, na: 0, unknown: 0, missing: [] };
    expect(of('fw-ssh-world')).toEqual({ ...none, ruleId: 'fw-ssh-world', fail: 1 });
    expect(of('sql-ssl')).toEqual({ ...none, ruleId: 'sql-ssl' });
    expect(scan.coverage).toEqual({
      rules: counts.length,
      decided: counts.filter(({ pass, fail }) => pass + fail > 0).length,
      undecided: counts.filter(({ pass, fail, unknown }) => pass + fail === 0 && unknown > 0)
        .length,
      unmet: counts.filter(({ pass, fail, unknown }) => pass + fail + unknown === 0).length,
    });
    const sum = (verdict: 'pass' | 'fail' | 'unknown') =>
      counts.reduce((total, count) => total + count[verdict], 0);
    expect({ pass: sum('pass'), fail: sum('fail'), unknown: sum('unknown') }).toEqual({
      pass: scan.totals.pass,
      fail: scan.totals.fail,
      unknown: scan.totals.unknown,
    });
  });

  it('a scan has the same totals over many chunks, however the assets are distributed', async () => {
    const project = await analyst.project(manyClusters(300, 20_000));
    const [row] = await rowsOf(
      server.database,
      analyst.tenantId,
      'SELECT count(*)::int AS chunks FROM inventory_chunks',
    );
    expect(Number(row?.['chunks'])).toBeGreaterThan(4);
    const scan = await analyst.scan(project, 'gke');
    expect(scan.totals).toMatchObject({
      assets: 300,
      evaluations: 300 * CLUSTER_VERDICTS.evaluations,
      pass: 300 * CLUSTER_VERDICTS.pass - 100,
      fail: 100,
    });
    expect(scan.delta.new).toBe(100);
    expect(await analyst.ruleCount(scan.id, 'gke-legacy-abac')).toMatchObject({
      pass: 200,
      fail: 100,
    });
    const found = await analyst.findings(`scan=${scan.id}`);
    expect(new Set(found.map(({ asset }) => asset.name)).size).toBe(100);
  });

  it('a scan reads the inventory that is active when it starts, not one uploaded meanwhile', async () => {
    const project = await analyst.project(manyClusters(300, 20_000));
    const first = await analyst.launch(project, 'gke');
    await until(
      'the first scan to be under way',
      async () => (await analyst.seen(first)).status !== 'queued',
    );
    await analyst.upload(project, [cluster('only')]);
    const second = await analyst.scan(project, 'gke');
    expect(await analyst.finished(first)).toMatchObject({ totals: { assets: 300, fail: 100 } });
    expect(second).toMatchObject({ totals: { assets: 1 }, delta: { new: 0, resolved: 100 } });
  });

  it('a scan of several projects counts each separately and in total', async () => {
    const one = await analyst.project([cluster('a', { legacyAbac: true }), cluster('b')]);
    const two = await analyst.project([cluster('a', { legacyAbac: true })]);
    const scan = await analyst.scan([two, one, two], 'gke');
    expect(scan.projects).toMatchObject([
      { name: two, status: 'completed', assets: 1, findings: 1 },
      { name: one, status: 'completed', assets: 2, findings: 1 },
    ]);
    expect(scan.totals).toMatchObject({ assets: 3, fail: 2 });
    // The same asset in two projects gives two findings.
    expect(await analyst.findings(`scan=${scan.id}`)).toHaveLength(2);
    expect(await analyst.findings(`scan=${scan.id}&project=${one}`)).toHaveLength(1);
  });
});

describe('scans of one project', () => {
  it('scans of one project run one at a time, in the order of their launch', async () => {
    const project = await analyst.project(manyClusters(120, 20_000));
    const ids: string[] = [];
    for (let count = 0; count < 4; count += 1) ids.push(await analyst.launch(project, 'gke'));
    const running: number[] = [];
    const scans = await until<Scan[]>('the end of all of them', async () => {
      const { items }: { items: Scan[] } = await analyst.ask(200, `/scans?project=${project}`);
      running.push(items.filter(({ status }) => status === 'running').length);
      return items.every(({ finishedAt }) => finishedAt !== null) && items;
    });
    expect(Math.max(...running)).toBeLessThanOrEqual(1);
    const inOrder = ids.map((id) => scans.find((scan) => scan.id === id));
    expectInOrder(
      ...inOrder.flatMap((scan) => [scan?.startedAt ?? null, scan?.finishedAt ?? null]),
    );
    expect(inOrder.map((scan) => scan?.delta.new)).toEqual([40, 0, 0, 0]);
    expect(inOrder.map((scan) => scan?.delta.unchanged)).toEqual([0, 40, 40, 40]);
  });
});

function expectInOrder(...times: (string | null)[]): void {
  expect(times).not.toContain(null);
  expect(times).toEqual(times.toSorted());
}
