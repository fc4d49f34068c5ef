import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Analyst } from '../../../tests/kit/analyst.ts';
import { cluster } from '../../../tests/kit/export-records.ts';
import { cutSmall } from '../../../tests/kit/small-chunks.ts';
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

const ancestors = ['projects/123', 'organizations/1'];
const PROJECT = {
  name: '//cloudresourcemanager.googleapis.com/projects/shop',
  asset_type: 'cloudresourcemanager.googleapis.com/Project',
  ancestors,
  resource: { data: { projectId: 'shop', projectNumber: '123' } },
};
/** Rule log-sink-all reports a sink with a filter, unless there is also a sink without one. */
const sink = (name: string, filter = '') => ({
  name: `//logging.googleapis.com/projects/shop/sinks/${name}`,
  asset_type: 'logging.googleapis.com/LogSink',
  ancestors,
  resource: { data: { name, destination: 'storage.googleapis.com/logs', filter } },
});
const NARROW = sink('narrow', 'severity>=ERROR');
const placed = (name: string) => ({ ...cluster(name), ancestors });

const NOTHING = { new: 0, resolved: 0, reopened: 0, unchanged: 0 };

async function scanOf(records: readonly unknown[], profile = 'logging') {
  await analyst.upload(project, records);
  return analyst.scan(project, profile);
}

async function sinkFindings() {
  return analyst.findings('rule=log-sink-all');
}

describe('a finding on a whole project', () => {
  it("a finding on a whole project belongs to the project's asset, stays unchanged, and is fixed when the fault is corrected", async () => {
    const first = await scanOf([PROJECT, NARROW]);
    expect(first.delta.new).toBe(1);
    const [fresh] = await sinkFindings();
    expect(fresh).toMatchObject({
      status: 'open',
      asset: { name: PROJECT.name, type: PROJECT.asset_type },
    });
    const second = await analyst.scan(project, 'logging');
    expect(second).toMatchObject({ delta: { ...NOTHING, unchanged: 1 }, totals: first.totals });
    expect((await scanOf([PROJECT, NARROW, sink('all')])).delta).toEqual({
      ...NOTHING,
      resolved: 1,
    });
    expect(await sinkFindings()).toMatchObject([
      { id: fresh?.id, status: 'resolved', resolvedReason: 'fixed' },
    ]);
    expect((await scanOf([PROJECT, NARROW])).delta).toEqual({ ...NOTHING, reopened: 1 });
  });

  it('findings on whole projects are included in rule verdicts, totals and coverage', async () => {
    const scan = await scanOf([PROJECT, NARROW]);
    expect(await analyst.ruleCount(scan.id, 'log-sink-all')).toMatchObject({ pass: 0, fail: 1 });
    expect(await analyst.ruleCount(scan.id, 'cai-api-enabled')).toMatchObject({
      unknown: 1,
      missing: ['serviceusage.googleapis.com/Service'],
    });
    const counts = await analyst.ruleCounts(scan.id);
    const sum = (verdict: 'pass' | 'fail' | 'na' | 'unknown') =>
      counts.reduce((total, count) => total + count[verdict], 0);
    expect(scan.totals).toMatchObject({
      assets: 2,
      evaluations: sum('pass') + sum('fail') + sum('na') + sum('unknown'),
      fail: sum('fail'),
      unknown: sum('unknown'),
    });
    expect(scan.projects[0]?.findings).toBe(1);
  });

  it.each([
    ['the asset types its rule needs were not exported', [PROJECT], 'logging'],
    [
      'the asset types its rule needs are missing, though another asset names the project',
      [placed('a')],
      'logging',
    ],
    ['no asset names any project', [cluster('a')], 'logging'],
    ['its rule is not in the profile', [PROJECT, NARROW, sink('all')], 'gke'],
  ])('a finding on a whole project stays unchanged when %s', async (_why, records, profile) => {
    await scanOf([PROJECT, NARROW]);
    const [before] = await sinkFindings();
    expect((await scanOf(records, profile)).delta).toEqual(NOTHING);
    expect(await sinkFindings()).toEqual([before]);
  });

  it('a finding on a whole project belongs to a generated project asset when the inventory has none', async () => {
    await scanOf([NARROW]);
    const synthetic = '//cloudresourcemanager.googleapis.com/projects/123';
    const [fresh] = await sinkFindings();
    expect(fresh?.asset.name).toBe(synthetic);
    // The project's own asset is in the snapshot now, so the finding moves to it.
    const moved = await scanOf([PROJECT, NARROW]);
    expect(moved.delta).toEqual({ ...NOTHING, new: 1, resolved: 1 });
    expect(await sinkFindings()).toMatchObject([
      { asset: { name: PROJECT.name }, status: 'open' },
      { asset: { name: synthetic }, status: 'resolved', resolvedReason: 'asset_gone' },
    ]);
  });

  it('a finding on a generated project asset is fixed when the fault is corrected', async () => {
    await scanOf([NARROW]);
    expect((await scanOf([sink('all')])).delta).toEqual({ ...NOTHING, resolved: 1 });
    expect(await sinkFindings()).toMatchObject([{ resolvedReason: 'fixed' }]);
  });

  it('a finding on a whole project does not merge with findings of other rules on the same asset', async () => {
    const owner = {
      iam_policy: { bindings: [{ role: 'roles/viewer', members: ['allUsers'] }] },
    };
    await scanOf([{ ...PROJECT, ...owner }, NARROW], 'full');
    const [open] = await analyst.findings('rule=iam-public-project');
    expect(open).toMatchObject({ status: 'open' });
    // The snapshot has no asset of this type, so nothing is known about the policy.
    await scanOf([NARROW], 'full');
    expect((await analyst.findings('rule=iam-public-project'))[0]).toMatchObject({
      status: 'open',
    });
    await scanOf([{ ...PROJECT, iam_policy: { bindings: [] } }, NARROW], 'full');
    expect((await analyst.findings('rule=iam-public-project'))[0]).toMatchObject({
      status: 'resolved',
      resolvedReason: 'fixed',
    });
    expect(await analyst.findings('rule=log-sink-all&status=open')).toMatchObject([
      { asset: { name: PROJECT.name } },
    ]);
  });
});

describe('a rule on one asset that refers to others', () => {
  it('a rule on one asset finds the assets that it refers to anywhere in the inventory', async () => {
    const instance = {
      name: '//compute.googleapis.com/projects/shop/zones/z/instances/vm',
      asset_type: 'compute.googleapis.com/Instance',
      ancestors,
      resource: { data: { name: 'vm', metadata: { items: [] } } },
    };
    const computeProject = {
      name: '//compute.googleapis.com/projects/shop',
      asset_type: 'compute.googleapis.com/Project',
      ancestors,
      resource: {
        data: {
          name: 'shop',
          commonInstanceMetadata: { items: [{ key: 'enable-oslogin-2fa', value: 'TRUE' }] },
        },
      },
    };
    const fill = Array.from({ length: 30 }, (_, index) => placed(`c${index}`));
    await analyst.upload(project, [instance, ...fill]);
    const alone = await analyst.scan(project, 'compute');
    expect(await analyst.ruleCount(alone.id, 'vm-oslogin-2fa')).toMatchObject({ unknown: 1 });
    await analyst.upload(project, [instance, ...fill, computeProject]);
    await cutSmall(server.services.tenants, analyst, project, 1);
    const together = await analyst.scan(project, 'compute');
    expect(await analyst.ruleCount(together.id, 'vm-oslogin-2fa')).toMatchObject({
      fail: 0,
      unknown: 0,
    });
  });
});
