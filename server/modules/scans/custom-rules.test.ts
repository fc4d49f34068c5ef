import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Analyst } from '../../../tests/kit/analyst.ts';
import { bucket, bucketPolicy } from '../../../tests/kit/export-records.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';
import { createLogger } from '../../platform/logger.ts';
import { startWorker } from '../../start/start-worker.ts';

let server: TestServer;
let worker: { stop(): Promise<void> };
let analyst: Analyst;

const startOne = () =>
  startWorker({
    databaseUrl: server.database.workerUrl,
    log: createLogger('silent'),
    clock: server.clock,
  });

beforeAll(async () => {
  server = await startTestServer();
  worker = await startOne();
});

afterAll(async () => {
  await worker.stop();
  await server.close();
});

beforeEach(async () => {
  analyst = await Analyst.at(server, { tenant: await server.people.tenant(['custom_rules']) });
});

const RULE = {
  id: 'mine',
  title: 'Bucket is not uniform',
  description: 'Access to buckets is uniform here.',
  severity: 'critical',
  assetTypes: ['storage.googleapis.com/Bucket'],
  predicate: 'resource.data.iamConfiguration.uniformBucketLevelAccess.enabled == false',
  recommendation: 'Make it uniform.',
};
const NOTHING = { new: 0, resolved: 0, reopened: 0, unchanged: 0 };

const create = (rule: object = RULE) =>
  analyst.ask(201, '/custom-rules', { method: 'POST', body: rule });
const replace = (rule: object) => {
  const { id: _, ...body } = { ...RULE, ...rule };
  return analyst.ask(200, '/custom-rules/mine', { method: 'PUT', body });
};
const buckets = () =>
  analyst.project([bucket('good'), bucket('bad', { uniform: false }), bucketPolicy('bare')]);
const mine = () => analyst.findings('rule=mine');
const digest = async (project: string, profile = 'full') => {
  const body = { projects: [project], profile };
  return (await analyst.ask(200, '/preflight', { method: 'POST', body })).profile;
};

describe('a scan with the profile full', () => {
  it('a scan with the profile full evaluates custom rules, whose findings are like all others', async () => {
    const project = await buckets();
    const before = await digest(project);
    await create();
    const after = await digest(project);
    expect(after.ruleCount).toBe(before.ruleCount + 1);
    const scan = await analyst.scan(project);
    expect(scan).toMatchObject({ status: 'completed', profileDigest: after.digest });
    expect(after.digest).not.toBe(before.digest);
    expect(await mine()).toMatchObject([
      {
        title: RULE.title,
        severity: 'critical',
        status: 'open',
        delta: 'new',
        asset: { name: '//storage.googleapis.com/bad', type: RULE.assetTypes[0] },
        subject: '',
        message: RULE.description,
        evidence: [{ path: 'iamConfiguration.uniformBucketLevelAccess.enabled', value: false }],
        remediation: RULE.recommendation,
        compliance: [],
      },
    ]);
    const counts = await analyst.ruleCounts(scan.id);
    expect(counts.find(({ ruleId }) => ruleId === 'mine')).toEqual({
      ruleId: 'mine',
      pass: 1,
      fail: 1,
      na: 0,
      unknown: 1,
      missing: ['RESOURCE'],
    });
    expect(counts.find(({ ruleId }) => ruleId === 'bucket-uniform-access')).toMatchObject({
      pass: 1,
      fail: 1,
    });
    const exported = await analyst.call('/findings/export?format=sarif&rule=mine');
    expect(exported.json.runs[0].tool.driver.rules).toMatchObject([
      { id: 'mine', fullDescription: { text: RULE.description } },
    ]);
    // A second scan of the same inventory finds nothing new.
    expect((await analyst.scan(project)).delta).toMatchObject({
      ...NOTHING,
      unchanged: scan.delta.new,
    });
  });

  it('a scan with the profile full uses a custom rule as it was at launch', async () => {
    await create();
    const project = await buckets();
    await worker.stop();
    const launched = await analyst.launch(project);
    await replace({ predicate: 'true', title: 'Changed' });
    await analyst.ask(204, '/custom-rules/mine', { method: 'DELETE' });
    worker = await startOne();
    expect(await analyst.finished(launched)).toMatchObject({ status: 'completed' });
    expect(await mine()).toMatchObject([
      { title: RULE.title, asset: { name: '//storage.googleapis.com/bad' }, status: 'open' },
    ]);
  });

  it('a scan with the profile full resolves the findings of a deleted custom rule and keeps those of a disabled one', async () => {
    await create();
    const project = await buckets();
    await analyst.scan(project);
    await replace({ enabled: false });
    await analyst.scan(project);
    expect(await mine()).toMatchObject([{ status: 'open', remediation: RULE.recommendation }]);
    await analyst.ask(204, '/custom-rules/mine', { method: 'DELETE' });
    await analyst.scan(project, 'gke');
    expect(await mine()).toMatchObject([
      { status: 'resolved', resolvedReason: 'rule_retired', remediation: '' },
    ]);
  });

  it('a scan has a new ruleset after a custom rule was deleted and created again with its id', async () => {
    const project = await buckets();
    await create();
    const first = await digest(project);
    await analyst.ask(204, '/custom-rules/mine', { method: 'DELETE' });
    const { version } = await create({ ...RULE, predicate: 'true' });
    expect(version).toBe(1);
    expect((await digest(project)).digest).not.toBe(first.digest);
    await analyst.scan(project);
    expect(await mine()).toHaveLength(3);
  });

  it('a scan with the profile full has no custom rules in a tenant without the feature', async () => {
    const project = await buckets();
    const before = await digest(project);
    await create();
    await server.database.owner.query("UPDATE identity.tenants SET features = '{}' WHERE id = $1", [
      analyst.tenantId,
    ]);
    expect(await digest(project)).toEqual(before);
    expect((await analyst.ask(200, '/rules?category=custom')).items).toEqual([]);
  });

  it('a scan in a tenant that has lost the feature leaves the findings of a custom rule open until the rule is deleted', async () => {
    const project = await buckets();
    await create();
    await analyst.scan(project);
    expect(await mine()).toMatchObject([{ status: 'open' }]);
    await server.database.owner.query("UPDATE identity.tenants SET features = '{}' WHERE id = $1", [
      analyst.tenantId,
    ]);
    await analyst.ask(404, '/rules/mine');
    await analyst.ask(200, '/rules/bucket-public');
    await analyst.ask(403, '/custom-rules');
    await analyst.scan(project, 'gke');
    expect(await mine()).toMatchObject([{ status: 'open' }]);
    await analyst.ask(204, '/custom-rules/mine', { method: 'DELETE' });
    await analyst.ask(404, '/custom-rules/mine', { method: 'DELETE' });
    await analyst.scan(project, 'gke');
    expect(await mine()).toMatchObject([{ status: 'resolved', resolvedReason: 'rule_retired' }]);
  });

  it('a scan with the profile full completes all other rules, even if a custom rule fails or does not end', async () => {
    const list = `[${Array(40).fill('1').join(',')}]`;
    const endless = ['a', 'b', 'c', 'd', 'e', 'f'].reduce(
      (inner, name) => `${list}.all(${name}, ${inner})`,
      'true',
    );
    await create({ ...RULE, predicate: endless });
    await create({ ...RULE, id: 'other' });
    const project = await analyst.project(
      Array.from({ length: 20 }, (_, n) => bucket(`b${n}`, { uniform: n > 0 })),
    );
    // Each of three evaluations uses 1 s of CPU time and then needs a new evaluator.
    const scan = await analyst.finished(await analyst.launch(project), 280_000);
    expect(scan.status).toBe('completed');
    const counts = new Map((await analyst.ruleCounts(scan.id)).map((row) => [row.ruleId, row]));
    expect(counts.get('mine')).toMatchObject({
      unknown: 20,
      missing: ['took longer than 1 s 3 times and was abandoned'],
    });
    expect(counts.get('other')).toMatchObject({ fail: 1, pass: 19 });
    expect(counts.get('bucket-uniform-access')).toMatchObject({ fail: 1, pass: 19 });
  }, 300_000);
});
