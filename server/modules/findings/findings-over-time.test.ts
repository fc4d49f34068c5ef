import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Analyst, type Finding } from '../../../tests/kit/analyst.ts';
import {
  bareCluster,
  bucket,
  bucketPolicy,
  cluster,
  firewall,
  serviceAccountKey,
} from '../../../tests/kit/export-records.ts';
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
const NOTHING = { new: 0, resolved: 0, reopened: 0, unchanged: 0 };

/** Uploads an inventory, scans it and returns the result. */
async function scanOf(records: readonly unknown[], profile = 'gke') {
  await analyst.upload(project, records);
  return analyst.scan(project, profile);
}

async function only(): Promise<Finding> {
  const [finding, ...others] = await analyst.findings();
  if (finding === undefined || others.length > 0) throw new Error('not exactly one finding');
  return finding;
}

describe('a finding', () => {
  it('a finding is new in the first scan, then unchanged in the same row', async () => {
    const first = await scanOf([bad('a')]);
    expect(first.delta).toEqual({ ...NOTHING, new: 1 });
    const fresh = await only();
    expect(fresh).toMatchObject({
      ruleId: 'gke-legacy-abac',
      severity: 'high',
      status: 'open',
      delta: 'new',
      project,
      asset: { type: 'container.googleapis.com/Cluster' },
      evidence: [{ path: 'legacyAbac.enabled', value: true }],
      resolvedAt: null,
      resolvedReason: null,
      muted: null,
    });
    expect(fresh.firstSeenAt).toBe(fresh.lastSeenAt);
    server.clock.advance({ hours: 1 });
    const second = await analyst.scan(project, 'gke');
    expect(second.delta).toEqual({ ...NOTHING, unchanged: 1 });
    const again = await only();
    expect(again).toEqual({ ...fresh, delta: 'unchanged', lastSeenAt: again.lastSeenAt });
    expect(again.lastSeenAt > fresh.lastSeenAt).toBe(true);
    expect(await analyst.ask(200, `/findings/${fresh.id}`)).toMatchObject({ ...again });
  });

  it('a finding is neither new nor resolved nor reopened in a second scan of the same inventory', async () => {
    const records = [
      bad('a'),
      bucket('b', { uniform: false }),
      firewall('f', { ports: ['22'], sourceRanges: [] }),
    ];
    const first = await scanOf(records, 'full');
    const second = await analyst.scan(project, 'full');
    expect(first.delta.new).toBeGreaterThan(2);
    expect(second.delta).toEqual({ ...NOTHING, unchanged: first.delta.new });
    expect({ ...second.totals }).toEqual(first.totals);
  });

  it('a finding is resolved as fixed when the asset is corrected, and reopened under its id when the fault returns', async () => {
    await scanOf([bad('a')]);
    const fresh = await only();
    expect((await scanOf([cluster('a')])).delta).toEqual({ ...NOTHING, resolved: 1 });
    const fixed = await only();
    expect(fixed).toMatchObject({
      id: fresh.id,
      fingerprint: fresh.fingerprint,
      status: 'resolved',
      delta: 'resolved',
      resolvedReason: 'fixed',
    });
    expect(fixed.resolvedAt).not.toBeNull();
    // Another scan must not resolve them a second time.
    expect((await analyst.scan(project, 'gke')).delta).toEqual(NOTHING);
    expect((await scanOf([bad('a')])).delta).toEqual({ ...NOTHING, reopened: 1 });
    expect(await only()).toMatchObject({
      id: fresh.id,
      status: 'open',
      delta: 'reopened',
      firstSeenAt: fresh.firstSeenAt,
      resolvedAt: null,
      resolvedReason: null,
    });
  });

  it('an inventory without an index of its assets resolves findings as usual and keeps undecided ones', async () => {
    await scanOf([bad('fixed'), bad('gone'), bad('undecided'), bad('again')]);
    await analyst.upload(project, [cluster('fixed'), bareCluster('undecided'), bad('again')]);
    const own = (sql: string) => rowsOf(server.database, analyst.tenantId, sql);
    await own('DELETE FROM inventory_assets');
    await own('UPDATE inventories SET indexed_at = NULL');
    expect((await analyst.scan(project, 'gke')).delta).toEqual({
      ...NOTHING,
      resolved: 2,
      unchanged: 1,
    });
    const found = (await analyst.findings()).map(({ asset, status, resolvedReason }) => [
      asset.name.split('/').at(-1),
      status,
      resolvedReason,
    ]);
    expect(found.toSorted()).toEqual([
      ['again', 'open', null],
      ['fixed', 'resolved', 'fixed'],
      ['gone', 'resolved', 'asset_gone'],
      ['undecided', 'open', null],
    ]);
  });

  it('a finding is resolved as asset_gone when its asset is missing from a snapshot that has its asset type', async () => {
    await scanOf([bad('a'), cluster('b')]);
    expect((await scanOf([cluster('b')])).delta).toEqual({ ...NOTHING, resolved: 1 });
    expect(await only()).toMatchObject({ status: 'resolved', resolvedReason: 'asset_gone' });
  });

  it('a finding is resolved as rule_retired when its rule no longer exists', async () => {
    await scanOf([bad('a')]);
    await rowsOf(server.database, analyst.tenantId, "UPDATE findings SET rule_id = 'gone-rule'");
    expect((await scanOf([cluster('a')], 'iam')).delta).toEqual({ ...NOTHING, resolved: 1 });
    expect(await only()).toMatchObject({ status: 'resolved', resolvedReason: 'rule_retired' });
  });

  it('any number of findings can be resolved by one scan', async () => {
    await scanOf([bad('a')]);
    await rowsOf(
      server.database,
      analyst.tenantId,
      `INSERT INTO findings (tenant_id, id, project_id, fingerprint, rule_id, severity, title, asset_name, asset_type,
                             subject, message, evidence, status, delta, first_seen_at, last_seen_at, last_scan_id)
       SELECT tenant_id, gen_random_uuid(), project_id, decode(md5(n::text), 'hex'), rule_id, severity, title,
              asset_name || n, asset_type, subject, message, evidence, status, delta, first_seen_at, last_seen_at, last_scan_id
       FROM findings CROSS JOIN generate_series(1, 10000) AS n`,
    );
    expect((await scanOf([cluster('a')])).delta).toEqual({ ...NOTHING, resolved: 10_001 });
    const { items } = await analyst.ask(200, '/findings?status=open');
    expect(items).toEqual([]);
  });

  it.each([
    [
      'a snapshot without any asset of its type',
      [serviceAccountKey('k', 'SYSTEM_MANAGED')],
      'full',
    ],
    ['an empty snapshot', [], 'full'],
    ['a profile without its rule', [cluster('a')], 'iam'],
    ['a rule that could not decide', [bareCluster('a')], 'gke'],
  ])('a finding stays open and unchanged after %s', async (_why, records, profile) => {
    await scanOf([bad('a')]);
    const before = await only();
    expect((await scanOf(records, profile)).delta).toEqual(NOTHING);
    expect(await only()).toEqual(before);
    // A scan that can evaluate the rule resolves it.
    expect((await scanOf([cluster('a')])).delta).toEqual({ ...NOTHING, resolved: 1 });
  });

  it('a finding keeps its fingerprint when only its text changes', async () => {
    await scanOf([firewall('f', { ports: ['22'], sourceRanges: ['0.0.0.0/0'] })], 'network');
    const [before] = await analyst.findings('rule=fw-ssh-world');
    const scan = await scanOf([firewall('f', { ports: ['22'], sourceRanges: [] })], 'network');
    expect(scan.delta).toEqual({ ...NOTHING, unchanged: 1 });
    const [after] = await analyst.findings('rule=fw-ssh-world');
    expect(after?.message).not.toBe(before?.message);
    expect(after?.evidence).not.toEqual(before?.evidence);
    expect([after?.id, after?.fingerprint]).toEqual([before?.id, before?.fingerprint]);
  });

  it('each subject of a rule has its own finding: an added binding is new, a removed one is fixed', async () => {
    const at = (members: string[]) => [bucket('b'), bucketPolicy('b', members)];
    await scanOf(at(['allUsers']), 'storage');
    expect((await scanOf(at(['allAuthenticatedUsers']), 'storage')).delta).toEqual({
      ...NOTHING,
      new: 1,
      resolved: 1,
    });
    expect(await analyst.findings()).toMatchObject([
      { status: 'open', subject: 'roles/storage.objectViewer allAuthenticatedUsers' },
      {
        status: 'resolved',
        subject: 'roles/storage.objectViewer allUsers',
        resolvedReason: 'fixed',
      },
    ]);
  });

  it('a finding gets the severity that its rule has now', async () => {
    const as = (role: string) => [bucket('b'), bucketPolicy('b', ['allUsers'], role)];
    const first = await scanOf(as('roles/storage.objectAdmin'), 'storage');
    expect(first.totals.bySeverity).toMatchObject({ critical: 1, high: 0 });
    await rowsOf(server.database, analyst.tenantId, "UPDATE findings SET severity = 'low'");
    const byAnotherBuild = "UPDATE scan_verdicts SET evaluated_by = 'another build'";
    await rowsOf(server.database, analyst.tenantId, byAnotherBuild);
    await analyst.scan(project, 'storage');
    expect(await only()).toMatchObject({ severity: 'critical' });
  });

  it('a scan of one project does not affect findings on the same asset in another project', async () => {
    await scanOf([bad('a')]);
    const other = await analyst.project([bad('a')]);
    expect((await analyst.scan(other, 'gke')).delta).toEqual({ ...NOTHING, new: 1 });
    await analyst.upload(other, [cluster('a')]);
    await analyst.scan(other, 'gke');
    expect(await analyst.findings('status=open')).toMatchObject([{ project }]);
  });

  it('a scan of one tenant does not affect findings on the same asset in another tenant', async () => {
    await scanOf([bad('a')]);
    const stranger = await Analyst.at(server);
    const theirs = await stranger.project([bad('a')]);
    expect((await stranger.scan(theirs, 'gke')).delta).toEqual({ ...NOTHING, new: 1 });
    const [[mine], [other]] = [await analyst.findings(), await stranger.findings()];
    expect(mine?.fingerprint).not.toBe(other?.fingerprint);
  });
});

describe('the findings of a scan', () => {
  it('the findings of a scan stay unchanged by later scans', async () => {
    const first = await scanOf([bad('a'), bad('b')]);
    const second = await scanOf([bad('a'), cluster('b')]);
    const third = await scanOf([bad('a'), bad('b')]);
    const deltas = async (scanId: string) =>
      Object.fromEntries(
        (await analyst.findings(`scan=${scanId}`)).map(({ asset, delta }) => [
          asset.name.at(-1),
          delta,
        ]),
      );
    expect(await deltas(first.id)).toEqual({ a: 'new', b: 'new' });
    expect(await deltas(second.id)).toEqual({ a: 'unchanged', b: 'resolved' });
    expect(await deltas(third.id)).toEqual({ a: 'unchanged', b: 'reopened' });
    // Without a scan, the delta is that of the latest scan.
    const now = await analyst.findings();
    expect(now.map(({ delta }) => delta).toSorted()).toEqual(['reopened', 'unchanged']);
  });
});
