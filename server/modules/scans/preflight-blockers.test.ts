import { PROFILE_NAMES } from '@cspm/scanner';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Analyst } from '../../../tests/kit/analyst.ts';
import { bucket, cluster, firewall } from '../../../tests/kit/export-records.ts';
import { countsOf } from '../../../tests/kit/owner-queries.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';

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

function launch(projects: readonly string[], profile = 'full') {
  return analyst.call('/scans', { method: 'POST', body: { projects, profile } });
}

describe('a blocker is reported by preflight with 200 and by the launch with 422:', () => {
  it.each([
    ['an unknown profile', () => [ready], 'no-such-profile', 'profile.known', 'PROFILE_UNKNOWN'],
    ['an unknown project', () => ['no-such-project'], 'full', 'project.known', 'PROJECT_UNKNOWN'],
    ['an invalid project name', () => ['No Such!'], 'full', 'project.known', 'PROJECT_UNKNOWN'],
    [
      'a project without an inventory',
      () => [empty],
      'full',
      'source.attached',
      'INVENTORY_MISSING',
    ],
  ])(
    '%s is reported by preflight with 200 and refused by the launch with 422 and the same check',
    async (_what, projects, profile, id, code) => {
      const body = { projects: projects(), profile };
      const report = await analyst.ask(200, '/preflight', { method: 'POST', body });
      expect(report.decision).toBe('blocked');
      const checks: { id: string; status: string }[] = report.projects[0].checks;
      const check = checks.find((one) => one.id === id);
      expect(check).toMatchObject({ status: 'fail', code });
      const refusal = await launch(projects(), profile);
      expect(refusal.status).toBe(422);
      expect(refusal.json.code).toBe('PREFLIGHT_BLOCKED');
      expect(refusal.json.checks).toEqual([{ project: projects()[0], ...check }]);
    },
  );

  it('an unknown profile is refused by the launch with the list of valid ones', async () => {
    const refusal = await launch([ready], 'no-such-profile');
    for (const name of PROFILE_NAMES) expect(refusal.json.checks[0].remediation).toContain(name);
    const { items } = await analyst.ask(200, '/profiles');
    expect(items.map(({ name }: { name: string }) => name)).toEqual(PROFILE_NAMES);
  });

  it('several faults of a launch are reported together, each with its project, and nothing is launched', async () => {
    const before = await countsOf(server.database, analyst.tenantId, ['scans']);
    const refusal = await launch([ready, empty, 'unknown-one']);
    expect(refusal.json.checks).toMatchObject([
      { project: empty, code: 'INVENTORY_MISSING' },
      { project: 'unknown-one', code: 'PROJECT_UNKNOWN' },
    ]);
    expect(await countsOf(server.database, analyst.tenantId, ['scans'])).toEqual(before);
  });

  it("a launch for another tenant's project is refused like one for an unknown project", async () => {
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

  it('a launch for more than a hundred projects is answered 400, and counts repeated names once', async () => {
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

  it('an alias of a profile is not refused, and the scan resolves it', async () => {
    const reply = await launch([ready], 'quick');
    expect(reply.json).toMatchObject({ status: 'queued', profile: 'critical' });
  });
});
