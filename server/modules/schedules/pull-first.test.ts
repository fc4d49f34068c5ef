import type { contract } from '@cspm/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { Analyst } from '../../../tests/kit/analyst.ts';
import { FakeGoogle } from '../../../tests/kit/google/fake-google.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';
import { until } from '../../../tests/kit/until.ts';
import { newId } from '../../platform/ids.ts';

type Schedule = z.infer<(typeof contract.schedules.get.responses)[200]>;

const PARENT = 'projects/shop-prod';
const SAMPLE = new URL('../../../samples/shop-prod.ndjson', import.meta.url);

let google: FakeGoogle;
let server: TestServer;
let person: Analyst;
let accounts = 0;

beforeAll(async () => {
  google = await FakeGoogle.start();
  await google.serveFile(PARENT, SAMPLE);
  server = await startTestServer({ googleCloud: google, worker: true });
  // No schedule of these tests is due twice in them.
  const start = new Date();
  start.setUTCHours(12, 5, 0, 0);
  server.clock.freezeAt(start);
});

afterAll(async () => {
  await server.close();
  await google.close();
});

beforeEach(async () => {
  google.requests.length = 0;
  google.misbehave = null;
  person = await Analyst.at(server);
});

/** A project that has never had an inventory, with a source. */
async function projectWithSource(): Promise<{ name: string; email: string }> {
  const name = await person.project();
  accounts += 1;
  const email = `scanner@first-${accounts}.iam.gserviceaccount.com`;
  const credential = { type: 'service_account_key', key: google.viewer(PARENT, email) };
  const body = { kind: 'google-cloud', parent: PARENT, credential };
  await person.ask(201, `/projects/${name}/source`, { method: 'PUT', body });
  return { name, email };
}

const content = (projects: string[]) => ({
  ...{ name: newId(), projects, profile: 'full', cron: '30 * * * *', pullFirst: true },
});
const create = (projects: string[]): Promise<Schedule> =>
  person.ask(201, '/schedules', { method: 'POST', body: content(projects) });

/** Lets an hour pass, and waits for the run. The clock continues, because a run checks its pulls repeatedly. */
async function ranAfter(schedule: Schedule): Promise<NonNullable<Schedule['lastRun']>> {
  server.clock.advance({ hours: 1 });
  return until('the run', async () => {
    server.clock.advance({ seconds: 1 });
    return (await person.ask(200, `/schedules/${schedule.id}`)).lastRun;
  });
}

describe('a schedule that pulls first', () => {
  it('a schedule that pulls first gives a project an inventory, a scan, findings and a trend within an hour', async () => {
    const { name } = await projectWithSource();
    const run = await ranAfter(await create([name]));
    expect(run.problem).toBeNull();
    const scan = await person.finished(run.scanId ?? '');
    expect(scan.status).toBe('completed');
    expect((await person.findings(`project=${name}`)).length).toBeGreaterThan(0);
    const { items } = await person.ask(200, `/projects/${name}/inventory/pulls`);
    expect(items).toMatchObject([{ status: 'completed', createdBy: { kind: 'schedule' } }]);
    const summary = await person.ask(200, '/posture/summary');
    expect(JSON.stringify(summary)).toContain(name);
    const trend = await person.ask(200, `/posture/trend?project=${name}`);
    expect(JSON.stringify(trend)).toMatch(/"critical":[1-9]/);
  });

  it('a schedule that pulls first leaves out a project whose pull failed, with the reason, and launches no scan without projects', async () => {
    const [good, bad] = [await projectWithSource(), await projectWithSource()];
    google.inventory.grant(bad.email, PARENT, []);
    const both = await create([good.name, bad.name]);
    const alone = await create([bad.name]);
    const run = await ranAfter(both);
    expect(run.problem).toContain(`The pull of project ${bad.name} failed.`);
    expect(run.problem).toContain('roles/cloudasset.viewer');
    const scan = await person.finished(run.scanId ?? '');
    expect(scan.projects.map((project) => project.name)).toEqual([good.name]);
    const blocked = await until('the other run', async () => {
      server.clock.advance({ seconds: 1 });
      return (await person.ask(200, `/schedules/${alone.id}`)).lastRun;
    });
    expect(blocked).toMatchObject({ status: 'blocked', scanId: null });
  });

  it('a schedule that pulls first launches one scan when the source of one project was deleted meanwhile', async () => {
    const [good, bad] = [await projectWithSource(), await projectWithSource()];
    const schedule = await create([good.name, bad.name]);
    await person.ask(204, `/projects/${bad.name}/source`, { method: 'DELETE' });
    const run = await ranAfter(schedule);
    expect(run.problem).toContain(`Project ${bad.name} has no inventory source`);
    expect(await person.finished(run.scanId ?? '')).toMatchObject({ status: 'completed' });
  });

  it('a schedule that pulls first requires the permission to change projects, and a source in each of them', async () => {
    const { name } = await projectWithSource();
    const bare = await person.project();
    const reply = await person.call('/schedules', { method: 'POST', body: content([name, bare]) });
    expect(reply.json).toMatchObject({
      status: 422,
      checks: [{ project: bare, status: 'fail', code: 'SOURCE_MISSING' }],
    });
    expect(reply.json.checks[0].remediation).toContain(`PUT /projects/${bare}/source`);
    const tenant = { id: person.tenantId } as never;
    const launcher = await Analyst.at(server, { tenant, role: ['scans.launch', 'scans.read'] });
    const refused = await launcher.call('/schedules', { method: 'POST', body: content([name]) });
    expect(refused.json).toMatchObject({ status: 403, permission: 'projects.write' });
  });
});
