import { PROFILE_NAMES } from '@cspm/scanner';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Analyst } from '../testing/analyst.ts';
import { countsOf } from '../testing/behind-the-scenes.ts';
import { bucket, cluster, firewall } from '../testing/export-records.ts';
import { startTestServer, type TestServer } from '../testing/test-server.ts';

let server: TestServer;
let analyst: Analyst;
let ready: string;
let empty: string;

beforeAll(async () => {
  server = await startTestServer();
  analyst = await Analyst.at(server);
  ready = await analyst.project([cluster('a'), bucket('b'), firewall('c')]);
  empty = await analyst.project();
});

afterAll(() => server.close());

type Check = { id: string; status: string; code: string; message: string; remediation: string };

function preflight(projects: readonly string[], profile = 'full', by = analyst) {
  return by.ask(200, '/preflight', { method: 'POST', body: { projects, profile } });
}

function launch(projects: readonly string[], profile = 'full', by = analyst) {
  return by.call('/scans', { method: 'POST', body: { projects, profile } });
}

function checkOf(report: { projects: { checks: Check[] }[] }, id: string): Check | undefined {
  return report.projects[0]?.checks.find((check) => check.id === id);
}

describe('preflight', () => {
  it('says ready where nothing is amiss, with what the scan will cost', async () => {
    const report = await preflight([ready], 'gke');
    expect(report).toMatchObject({
      decision: 'ready',
      profile: { name: 'gke', ruleCount: 1, digest: expect.stringMatching(/^[0-9a-f]{64}$/) },
      estimate: { assets: 3, evaluations: 1 },
      limits: { projectsPerScan: 100, launchesPerMinute: 10 },
    });
    expect(report.projects[0].checks.map((check: Check) => check.id)).toEqual([
      'profile.known',
      'project.known',
      'project.duplicate',
      'source.attached',
      'source.freshness',
      'coverage.types',
      'coverage.iam',
      'estimate',
      'conflict.active',
    ]);
    expect(new Date(report.expiresAt).getTime()).toBeGreaterThan(server.clock.now().getTime());
  });

  it('estimates no less than what a scan evaluates', async () => {
    const report = await preflight([ready]);
    expect(report.estimate).toMatchObject({ assets: 3, evaluations: 1 + 4 + 4 });
    expect(report.estimate.seconds).toBeGreaterThan(0);
  });

  it('warns of a project named twice, types without assets, and another scan under way', async () => {
    const project = await analyst.project([cluster('a')]);
    await launch([project]);
    const report = await preflight([project, project], 'full');
    expect(report.decision).toBe('ready_with_warnings');
    expect(report.projects).toHaveLength(1);
    expect(checkOf(report, 'project.duplicate')).toMatchObject({
      status: 'warn',
      code: 'PROJECT_REPEATED',
    });
    expect(checkOf(report, 'coverage.types')).toMatchObject({
      status: 'warn',
      code: 'TYPES_MISSING',
    });
    expect(checkOf(report, 'coverage.types')?.message).toContain('storage.googleapis.com/Bucket');
    expect(checkOf(report, 'conflict.active')).toMatchObject({
      status: 'warn',
      code: 'SCAN_ACTIVE',
    });
  });

  it('warns of an inventory that is a day old, by the clock of the server', async () => {
    const project = await analyst.project([cluster('a')]);
    expect(checkOf(await preflight([project]), 'source.freshness')?.status).toBe('pass');
    server.clock.advance({ hours: 24 });
    expect(checkOf(await preflight([project]), 'source.freshness')).toMatchObject({
      status: 'warn',
      code: 'INVENTORY_STALE',
    });
  });

  it('changes nothing', async () => {
    const tables = ['scans', 'scan_projects', 'audit_events'] as const;
    const before = await countsOf(server.database, analyst.tenantId, tables);
    await preflight([ready, empty, 'unknown'], 'nonsense');
    expect(await countsOf(server.database, analyst.tenantId, tables)).toEqual(before);
  });
});

describe('what blocks a scan is said by preflight with 200 and by the launch with 422:', () => {
  it.each([
    ['an unknown profile', () => [ready], 'no-such-profile', 'profile.known', 'PROFILE_UNKNOWN'],
    ['an unknown project', () => ['no-such-project'], 'full', 'project.known', 'PROJECT_UNKNOWN'],
    [
      'a name that no project could have',
      () => ['No Such!'],
      'full',
      'project.known',
      'PROJECT_UNKNOWN',
    ],
    [
      'a project without an inventory',
      () => [empty],
      'full',
      'source.attached',
      'INVENTORY_MISSING',
    ],
  ])('%s', async (_what, projects, profile, id, code) => {
    const report = await preflight(projects(), profile);
    expect(report.decision).toBe('blocked');
    const check = checkOf(report, id);
    expect(check).toMatchObject({ status: 'fail', code });
    const refusal = await launch(projects(), profile);
    expect(refusal.status).toBe(422);
    expect(refusal.json.code).toBe('PREFLIGHT_BLOCKED');
    const { status: _, ...failing } = check ?? { status: '' };
    expect(refusal.json.checks).toEqual([{ project: projects()[0], ...failing }]);
  });

  it('an unknown profile is answered with all that are valid', async () => {
    const refusal = await launch([ready], 'no-such-profile');
    for (const name of PROFILE_NAMES) expect(refusal.json.checks[0].remediation).toContain(name);
    const { items } = await analyst.ask(200, '/profiles');
    expect(items.map(({ name }: { name: string }) => name)).toEqual(PROFILE_NAMES);
  });

  it('several faults are said at once, each with its project, and nothing is launched', async () => {
    const before = await countsOf(server.database, analyst.tenantId, ['scans']);
    const refusal = await launch([ready, empty, 'unknown-one']);
    expect(refusal.json.checks).toMatchObject([
      { project: empty, code: 'INVENTORY_MISSING' },
      { project: 'unknown-one', code: 'PROJECT_UNKNOWN' },
    ]);
    expect(await countsOf(server.database, analyst.tenantId, ['scans'])).toEqual(before);
  });

  it("another tenant's project, in the words of one that never was", async () => {
    const stranger = await Analyst.at(server);
    const same = (text: string, name: string) => text.replaceAll(name, 'NAME');
    const headers = { 'x-correlation-id': 'same' };
    const ask = async (path: string, name: string) =>
      same(
        (
          await stranger.call(path, {
            method: 'POST',
            headers,
            body: { projects: [name], profile: 'full' },
          })
        ).text,
        name,
      ).replace(/"expiresAt":"[^"]*"/, '');
    for (const path of ['/preflight', '/scans']) {
      expect(await ask(path, ready)).toBe(await ask(path, 'never-made'));
    }
  });

  it('a hundred projects are taken, repeats folded, and one more is 400', async () => {
    const names = await Promise.all(
      Array.from({ length: 4 }, () => analyst.project([cluster('a')])),
    );
    const hundred = Array.from({ length: 25 }, () => names).flat();
    const reply = await launch(hundred, 'gke');
    expect(reply.status).toBe(202);
    expect(reply.json.projects.map(({ name }: { name: string }) => name)).toEqual(names);
    for (const path of ['/scans', '/preflight']) {
      for (const projects of [[...hundred, ready], []]) {
        const refusal = await analyst.call(path, {
          method: 'POST',
          body: { projects, profile: 'full' },
        });
        expect(refusal.json).toMatchObject({
          code: 'VALIDATION_FAILED',
          errors: [{ path: 'body.projects' }],
        });
      }
    }
  });

  it('an alias of a profile is taken, and the scan says what it stands for', async () => {
    const reply = await launch([ready], 'quick');
    expect(reply.json).toMatchObject({ status: 'queued', profile: 'critical' });
  });
});
