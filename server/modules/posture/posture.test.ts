import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Analyst, type Scan } from '../../../tests/kit/analyst.ts';
import { bareCluster, bucket, cluster, manyClusters } from '../../../tests/kit/export-records.ts';
import { rowsOf } from '../../../tests/kit/owner-queries.ts';
import { cutSmall } from '../../../tests/kit/small-chunks.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';
import { until } from '../../../tests/kit/until.ts';

let server: TestServer;
let analyst: Analyst;
let project: string;

beforeAll(async () => {
  server = await startTestServer({ worker: true });
});

afterAll(() => server.close());

beforeEach(async () => {
  const today = server.clock.now().toISOString().slice(0, 10);
  server.clock.freezeAt(new Date(`${today}T08:00:00.000Z`));
  analyst = await Analyst.at(server);
  project = await analyst.project();
});

const bad = (name: string) => cluster(name, { legacyAbac: true });
const NONE = { critical: 0, high: 0, medium: 0, low: 0, info: 0 };

const summary = () => analyst.ask(200, '/posture/summary');
const trend = (query = '') => analyst.ask(200, `/posture/trend?${query}`);
const today = () => server.clock.now().toISOString().slice(0, 10);
const daysAgo = (days: number) =>
  new Date(server.clock.now().getTime() - days * 86_400_000).toISOString().slice(0, 10);

async function scanOf(records: readonly unknown[], profile = 'gke'): Promise<Scan> {
  await analyst.upload(project, records);
  return analyst.scan(project, profile);
}

/** A profile of one rule of weight 2 and two of weight 5. One of these needs the policy of a bucket. */
async function threeRules(): Promise<string> {
  const name = 'custom:posture';
  const include = ['gke-legacy-abac', 'bucket-uniform-access', 'bucket-public'];
  await analyst.ask(201, '/profiles', { method: 'POST', body: { name, include } });
  return name;
}

describe('the score', () => {
  it('the posture score is 100 × passed weight ÷ decided weight, with UNKNOWN left out and shown as coverage', async () => {
    await scanOf(
      [cluster('a'), cluster('b'), bad('c'), bucket('d'), bucket('e', { uniform: false })],
      await threeRules(),
    );
    // gke-legacy-abac (high, 5): two pass, one fails. bucket-uniform-access (medium, 2): one passes, one fails.
    // bucket-public (high, 5): unknown for both buckets, whose policies are not in the inventory.
    const expected = {
      open: { ...NONE, high: 1, medium: 1 },
      score: (100 * (2 * 5 + 2)) / (3 * 5 + 2 * 2),
      coverage: { decided: 5, unknown: 2, percent: (100 * 5) / 7 },
    };
    expect(await summary()).toMatchObject({
      ...expected,
      projectCount: 1,
      projects: [{ project, ...expected }],
    });
    const { points } = await trend(`project=${project}`);
    expect(points).toEqual([{ date: today(), ...expected, opened: 2, resolved: 0 }]);
  });

  it('the posture score is null before the first scan and when every verdict is UNKNOWN', async () => {
    const nothing = {
      open: NONE,
      score: null,
      coverage: { decided: 0, unknown: 0, percent: null },
    };
    expect(await summary()).toMatchObject({
      ...nothing,
      change7Days: null,
      change30Days: null,
      projectCount: 0,
      projects: [],
      newestScans: [],
      oldestCritical: [],
      topRules: [],
      compliance: [],
    });
    expect((await trend()).points).toEqual([]);
    await scanOf([bareCluster('a')]);
    const scanned = await summary();
    expect(scanned).toMatchObject({
      score: null,
      projectCount: 1,
      coverage: { decided: 0, percent: 0 },
    });
    expect(scanned.coverage.unknown).toBeGreaterThan(0);
  });

  it('muting a finding does not change the posture score, and leaves the finding open', async () => {
    await scanOf([cluster('a'), bad('b')]);
    const before = await summary();
    expect(before.score).toBeLessThan(100);
    const body = { selector: { ruleId: 'gke-legacy-abac' }, reason: 'Known' };
    await analyst.ask(201, '/mutes', { method: 'POST', body });
    expect(await summary()).toEqual(before);
    await analyst.scan(project, 'gke');
    expect(await summary()).toMatchObject({ open: before.open, score: before.score });
  });
});

describe('the row of a day', () => {
  it('the posture of a day has the values of the last scan of the day and the changes of all', async () => {
    await scanOf([bad('a'), bad('b')]);
    server.clock.advance({ hours: 3 });
    await scanOf([bad('a'), cluster('b'), bad('c')]);
    const { points } = await trend(`project=${project}`);
    expect(points).toHaveLength(1);
    expect(points[0]).toMatchObject({ open: { ...NONE, high: 2 }, opened: 3, resolved: 1 });
    expect((await summary()).meanSecondsToResolve).toEqual({
      critical: null,
      high: 3 * 3_600,
      medium: null,
      low: null,
      info: null,
    });
    expect((await trend()).points).toEqual(points);
  });

  it('the findings of a deleted rule do not count in the mean time to resolve', async () => {
    analyst = await Analyst.at(server, { tenant: await server.people.tenant(['custom_rules']) });
    project = await analyst.project();
    const body = {
      ...{ id: 'mine', title: 'Bucket is not uniform', severity: 'critical' },
      ...{ description: 'Access to buckets is uniform here.', recommendation: 'Make it uniform.' },
      assetTypes: ['storage.googleapis.com/Bucket'],
      predicate: 'resource.data.iamConfiguration.uniformBucketLevelAccess.enabled == false',
    };
    await analyst.ask(201, '/custom-rules', { method: 'POST', body });
    await scanOf([bucket('b', { uniform: false }), bad('a')], 'full');
    server.clock.advance({ hours: 2 });
    await analyst.ask(204, '/custom-rules/mine', { method: 'DELETE' });
    await scanOf([bucket('b', { uniform: false }), cluster('a')], 'full');
    const { points } = await trend(`project=${project}`);
    expect(points[0].resolved).toBeGreaterThan(1);
    expect((await summary()).meanSecondsToResolve).toMatchObject({
      ...{ critical: null, high: 2 * 3_600 },
    });
  });

  it('the open findings of a day are those in the database after a first scan, a repeated one, and one that opens findings again', async () => {
    const open = async () => {
      const rows = await rowsOf(
        server.database,
        analyst.tenantId,
        "SELECT severity, count(*)::int AS count FROM findings WHERE status = 'open' GROUP BY 1",
      );
      const counts = rows.map((row) => [String(row.severity), Number(row.count)] as const);
      return { ...NONE, ...Object.fromEntries(counts) };
    };
    const scanned = async (records: readonly unknown[]) => {
      server.clock.advance({ days: 1 });
      await scanOf(records, 'full');
      const found = await open();
      expect((await trend(`project=${project}`)).points.at(-1)).toMatchObject({ open: found });
      return Object.values(found).reduce<number>((sum, count) => sum + count, 0);
    };
    const records = [bad('a'), bad('b'), bucket('c', { uniform: false }), bucket('d')];
    const first = await scanned(records);
    expect(first).toBe(3);
    expect(await scanned(records)).toBe(first);
    const gone = await scanned([cluster('a'), cluster('b')]);
    expect(gone).toBeLessThan(first);
    expect(await scanned(records)).toBe(first);
  });

  it('a failed scan does not change the posture of a day', async () => {
    await scanOf([cluster('a')]);
    server.clock.advance({ days: 1 });
    const before = await summary();
    await analyst.upload(project, [bad('a')]);
    await rowsOf(
      server.database,
      analyst.tenantId,
      `UPDATE inventory_chunks SET data = 'not gzip' WHERE inventory_id =
         (SELECT inventory_id FROM projects WHERE name = $1)`,
      [project],
    );
    expect(await analyst.scan(project, 'gke')).toMatchObject({ status: 'failed' });
    const { newestScans, ...rest } = await summary();
    expect(rest).toMatchObject({ open: before.open, score: before.score });
    expect(newestScans[0]).toMatchObject({ status: 'failed', projectCount: 1 });
    const { points } = await trend(`project=${project}`);
    expect(points.at(-1)).toMatchObject({ date: today(), opened: 0, open: NONE });
    const days = await rowsOf(server.database, analyst.tenantId, 'SELECT day FROM posture_days');
    expect(days).toHaveLength(1);
    await scanOf([bad('a')]);
    expect((await trend()).points.at(-1)).toMatchObject({ opened: 1, open: { ...NONE, high: 1 } });
  });

  it('a cancelled scan does not change the posture of a day', async () => {
    await analyst.upload(project, manyClusters(300));
    await cutSmall(server.services.tenants, analyst, project, 3);
    const id = await analyst.launch(project, 'gke');
    await until('some progress', async () => (await analyst.seen(id)).totals.assets > 0);
    await analyst.ask(202, `/scans/${id}/cancel`, { method: 'POST' });
    const { status } = await analyst.finished(id);
    const days = await rowsOf(server.database, analyst.tenantId, 'SELECT 1 FROM posture_days');
    expect(days).toHaveLength(status === 'completed' ? 1 : 0);
    expect((await trend()).points).toHaveLength(days.length);
  });
});

describe('the trend', () => {
  it('the posture trend repeats the last values on days without a scan, and sums the changes of weeks', async () => {
    await scanOf([bad('a'), bad('b'), cluster('c')]);
    const first = today();
    server.clock.advance({ days: 9 });
    await scanOf([bad('a'), cluster('b'), cluster('c')]);
    const second = today();
    server.clock.advance({ days: 12 });
    const { points } = await trend(`from=${daysAgo(30)}`);
    expect(points).toHaveLength(22);
    expect(points[0].date).toBe(first);
    expect(points.at(-1).date).toBe(today());
    for (const { date, open, opened, resolved, score } of points) {
      expect({ date, open, opened, resolved, score }).toEqual({
        date,
        open: { ...NONE, high: date < second ? 2 : 1 },
        opened: date === first ? 2 : 0,
        resolved: date === second ? 1 : 0,
        score: points[date < second ? 0 : 21].score,
      });
    }
    expect(points[21].score).toBeGreaterThan(points[0].score);
    const weekly = await trend(`from=${first}&interval=week&project=${project}`);
    const byWeek = new Map<string, typeof points>();
    for (const point of points) {
      const monday = new Date(point.date);
      monday.setUTCDate(monday.getUTCDate() - ((monday.getUTCDay() + 6) % 7));
      const key = monday.toISOString().slice(0, 10);
      byWeek.set(key, [...(byWeek.get(key) ?? []), point]);
    }
    const sum = (days: typeof points, member: 'opened' | 'resolved') =>
      days.reduce((total: number, day: typeof points) => total + day[member], 0);
    expect(weekly.points).toEqual(
      [...byWeek].map(([date, days]) => ({
        ...days.at(-1),
        date,
        opened: sum(days, 'opened'),
        resolved: sum(days, 'resolved'),
      })),
    );
    // A range that begins between two scans begins with the values of the first.
    const part = await trend(`from=${daysAgo(15)}&to=${daysAgo(14)}`);
    expect(part.points.map(({ date }: { date: string }) => date)).toEqual([
      daysAgo(15),
      daysAgo(14),
    ]);
    expect(part.points[0]).toMatchObject({ open: { high: 2 }, opened: 0 });
    // Days to come have no points.
    const future = await trend(`from=${today()}&to=${daysAgo(-30)}`);
    expect(future.points).toHaveLength(1);
  });

  it('the posture trend shows the change to 7 and 30 days ago', async () => {
    await scanOf([bad('a'), bad('b'), cluster('c')]);
    const { score } = await summary();
    server.clock.advance({ days: 20 });
    await scanOf([bad('a'), cluster('b'), cluster('c')]);
    server.clock.advance({ days: 3 });
    const now = await summary();
    expect(now.change7Days).toEqual({ score: now.score - score, open: { ...NONE, high: -1 } });
    expect(now.change30Days).toBeNull();
    server.clock.advance({ days: 5 });
    expect((await summary()).change7Days).toEqual({ score: 0, open: NONE });
  });

  it('the posture trend says how early a range of the greatest length may begin', async () => {
    const longest = await analyst.call('/posture/trend?from=2024-01-02&to=2026-01-08');
    expect(longest.status).toBe(200);
    const longer = await analyst.call('/posture/trend?from=2024-01-01&to=2026-01-08');
    expect(longer.json.detail).toBe('query.from must be at most 737 days before `to`.');
  });

  it.each([
    ['from=2026-11-20&to=2026-11-19', 'query.from'],
    ['from=2024-01-01&to=2026-01-08', 'query.from'],
    ['from=1999-12-31&to=2000-01-31', 'query.from'],
    ['to=0001-01-01', 'query.to'],
    ['from=2026-02-30', 'query.from'],
    ['from=today', 'query.from'],
    ['interval=month', 'query.interval'],
    ['project=Not%20a%20name', 'query.project'],
  ])('the posture trend refuses %s', async (query, path) => {
    const reply = await analyst.call(`/posture/trend?${query}`);
    expect(reply.json).toMatchObject({
      status: 400,
      code: 'VALIDATION_FAILED',
      errors: [{ path }],
    });
  });

  it('the posture trend accepts a range of 738 days', async () => {
    expect((await trend('from=2024-01-01&to=2026-01-07')).points).toEqual([]);
  });
});

describe('the totals of a tenant', () => {
  it('the posture totals of a tenant are the sums of its projects, and contain nothing of another tenant', async () => {
    const other = await analyst.project([bad('x'), bad('y')]);
    await scanOf([bad('a')]);
    server.clock.advance({ days: 2 });
    await analyst.scan(other, 'gke');
    server.clock.advance({ days: 1 });
    await scanOf([cluster('a')]);
    const stranger = await Analyst.at(server);
    const theirs = await stranger.project([bad('z')]);
    await stranger.scan(theirs, 'gke');
    const [mine, others, all] = [
      (await trend(`project=${project}`)).points,
      (await trend(`project=${other}`)).points,
      (await trend()).points,
    ];
    expect(all.map(({ open }: { open: typeof NONE }) => open.high)).toEqual([1, 1, 3, 2]);
    expect([mine.length, others.length, all.length]).toEqual([4, 2, 4]);
    expect(all.map(({ opened }: { opened: number }) => opened)).toEqual([1, 0, 2, 0]);
    expect(all[3].coverage.decided).toBe(mine[3].coverage.decided + others[1].coverage.decided);
    const { projects, open, projectCount } = await summary();
    expect(projects.map(({ project: name }: { project: string }) => name)).toEqual([
      other,
      project,
    ]);
    expect([open.high, projectCount]).toEqual([2, 2]);
    expect((await analyst.call(`/posture/trend?project=${theirs}`)).status).toBe(404);
    expect((await analyst.ask(200, '/posture/summary?limit=1')).projects).toHaveLength(1);
  });

  it('the posture totals of a tenant lose a deleted project on all days', async () => {
    const gone = await analyst.project([bad('x'), bad('y')]);
    await analyst.scan(gone, 'gke');
    server.clock.advance({ days: 2 });
    await scanOf([bad('a')]);
    await analyst.ask(204, `/projects/${gone}`, { method: 'DELETE' });
    const { points } = await trend(`project=${project}`);
    expect((await trend()).points).toEqual(points);
    expect(await summary()).toMatchObject({ projectCount: 1, open: { ...NONE, high: 1 } });
    await analyst.ask(204, `/projects/${project}`, { method: 'DELETE' });
    expect((await trend()).points).toEqual([]);
    expect(await summary()).toMatchObject({ projectCount: 0, score: null });
    for (const table of ['posture_days', 'posture_totals']) {
      expect(await rowsOf(server.database, analyst.tenantId, `SELECT 1 FROM ${table}`)).toEqual([]);
    }
  });

  it('the posture totals of a tenant stay exact when many projects complete at once', async () => {
    const names = await Promise.all(
      Array.from({ length: 6 }, (_, n) =>
        analyst.project(n % 2 === 0 ? [bad('a')] : [cluster('a')]),
      ),
    );
    await Promise.all(
      [names.slice(0, 3), names.slice(3), names.slice(1, 5)].map((some) =>
        analyst.scan(some, 'gke'),
      ),
    );
    const { open, coverage, projectCount, projects } = await summary();
    expect([open.high, projectCount]).toEqual([3, 6]);
    expect(coverage.decided).toBe(
      projects.reduce(
        (sum: number, one: { coverage: { decided: number } }) => sum + one.coverage.decided,
        0,
      ),
    );
  });
});

it('the posture summary names the newest scans, the top rules, the oldest critical findings and the frameworks', async () => {
  const scan = await scanOf([cluster('a'), bad('b'), bad('c')], 'full');
  const { newestScans, topRules, oldestCritical, compliance } = await summary();
  expect(newestScans).toEqual([
    {
      id: scan.id,
      status: 'completed',
      profile: 'full',
      projectCount: 1,
      createdAt: scan.createdAt,
      finishedAt: scan.finishedAt,
    },
  ]);
  expect(topRules[0]).toMatchObject({ ruleId: 'gke-legacy-abac', severity: 'high', failing: 2 });
  expect(oldestCritical).toEqual([]);
  for (const { framework, ...counts } of compliance) {
    const report = await analyst.ask(200, `/scans/${scan.id}/compliance?framework=${framework}`);
    expect(counts).toEqual(report.summary);
  }
  expect(compliance).toHaveLength(3);
});
