import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { Analyst } from '../../../tests/kit/analyst.ts';
import { bucket } from '../../../tests/kit/export-records.ts';
import { FakeGoogle } from '../../../tests/kit/google/fake-google.ts';
import { rowsOf, waitingFor } from '../../../tests/kit/owner-queries.ts';
import type { TestUser } from '../../../tests/kit/people.ts';
import {
  changeSchedule,
  createSchedule,
  dueSchedules,
  runDueSchedules,
  type Schedule,
  scansOfSchedule,
} from '../../../tests/kit/schedules.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';
import { until } from '../../../tests/kit/until.ts';
import { newId } from '../../platform/ids.ts';
import { insertPull } from '../sources/pull-queries.ts';
import { findProjectId } from '../sources/queries.ts';
import { runSchedule } from './launch.ts';

let google: FakeGoogle;
let server: TestServer;
let user: TestUser;
let person: Analyst;
let project: string;

beforeAll(async () => {
  google = await FakeGoogle.start();
  server = await startTestServer({ googleCloud: google });
});

afterAll(async () => {
  await server.close();
  await google.close();
});

beforeEach(async () => {
  const tenant = await server.people.tenant();
  user = await server.people.user({ tenant, role: 'analyst' });
  person = new Analyst(server, user.key, tenant.id);
  project = await person.project([bucket('b')]);
});

const create = (changes: object = {}) => createSchedule(person, project, changes);
const seen = ({ id }: { id: string }): Promise<Schedule> => person.ask(200, `/schedules/${id}`);
const change = (schedule: Schedule, changes: object) => changeSchedule(person, schedule, changes);
const due = () => dueSchedules(server);
const runDue = (workers?: number) => runDueSchedules(server, workers);
const scansOf = (schedule: Schedule) => scansOfSchedule(person, schedule);
const isDue = async ({ id }: Schedule) => (await due()).some(({ scheduleId }) => scheduleId === id);

/** When workers will find it due. */
async function noted({ id }: Schedule): Promise<string | undefined> {
  const text = 'SELECT due_at FROM jobs.schedule_dues WHERE schedule_id = $1';
  const { rows } = await server.database.owner.query<{ due_at: Date }>(text, [id]);
  return rows[0]?.due_at.toISOString();
}

const auditOf = async (action: string) => {
  const admin = await Analyst.at(server, { tenant: user.tenant });
  return (await admin.ask(200, `/audit-events?action=${action}`)).items;
};

describe('a due schedule', () => {
  it('a due schedule launches one scan when several workers find it at the same time', async () => {
    const schedule = await create();
    await runDue(2);
    expect(await scansOf(schedule)).toEqual([]);
    server.clock.advance({ hours: 1 });
    await runDue(5);
    await runDue(5);
    const [scan, ...others] = await scansOf(schedule);
    expect(others).toEqual([]);
    expect(scan).toMatchObject({
      status: 'queued',
      scheduleId: schedule.id,
      createdBy: { kind: 'schedule', id: user.id, label: user.email },
      projects: [{ name: project }],
    });
    const after = await seen(schedule);
    expect(after.lastRun).toMatchObject({ scanId: scan.id, status: 'queued', problem: null });
    const hours = (Date.parse(after.nextRunAt ?? '') - Date.parse(schedule.nextRunAt ?? '')) / 36e5;
    expect(hours).toBe(1);
    expect(await auditOf('scan.launched')).toEqual([
      expect.objectContaining({
        subject: scan.id,
        actor: { kind: 'schedule', id: user.id, label: user.email },
        detail: { schedule: schedule.id, profile: 'full', projects: 1 },
      }),
    ]);
    await person.ask(202, `/scans/${scan.id}/cancel`, { method: 'POST' });
    expect((await seen(schedule)).lastRun).toMatchObject({ scanId: scan.id, status: 'cancelled' });
  });

  it('schedules and scans are created, changed and launched without a read of mutes', async () => {
    const { owner } = server.database;
    await owner.query('BEGIN');
    await owner.query('LOCK TABLE mutes IN ACCESS EXCLUSIVE MODE');
    try {
      const schedule = await create();
      await change(schedule, { profile: 'gke' });
      const body = { projects: [project], profile: 'full' };
      await person.ask(202, '/scans', { method: 'POST', body });
      server.clock.advance({ hours: 1 });
      await runDue();
      expect(await scansOf(schedule)).toHaveLength(1);
    } finally {
      await owner.query('ROLLBACK');
    }
  });

  it('a due schedule launches one scan for all runs missed while no worker ran', async () => {
    const schedule = await create();
    server.clock.advance({ days: 3 });
    await runDue(3);
    expect(await scansOf(schedule)).toHaveLength(1);
    const { nextRunAt } = await seen(schedule);
    const ahead = Date.parse(nextRunAt ?? '') - server.clock.now().getTime();
    expect(ahead).toBeGreaterThan(0);
    expect(ahead).toBeLessThanOrEqual(3_600_000);
    server.clock.advance({ hours: 1 });
    await runDue(3);
    expect(await scansOf(schedule)).toHaveLength(2);
  });

  it('a due schedule does not run again after the clock was set back', async () => {
    const schedule = await create();
    server.clock.advance({ hours: 1 });
    await runDue();
    server.clock.advance({ hours: -1 });
    await runDue();
    expect(await isDue(schedule)).toBe(false);
    server.clock.advance({ hours: 1 });
    await runDue();
    expect(await scansOf(schedule)).toHaveLength(1);
  });

  it('a due schedule runs as it was changed meanwhile, and not at all when its times changed or it was disabled', async () => {
    const other = await person.project([bucket('c')]);
    const [changed, moved] = [await create(), await create()];
    const [disabled, deleted] = [await create(), await create()];
    server.clock.advance({ hours: 1 });
    await change(changed, { projects: [other], name: newId() });
    await change(moved, { cron: '30 0 1 1 *' });
    await change(disabled, { enabled: false });
    await person.ask(204, `/schedules/${deleted.id}`, { method: 'DELETE' });
    await runDue(2);
    expect(await scansOf(changed)).toMatchObject([{ projects: [{ name: other }] }]);
    for (const schedule of [moved, disabled, deleted]) expect(await scansOf(schedule)).toEqual([]);
    await change(disabled, { enabled: true });
    await runDue(2);
    expect(await scansOf(disabled)).toEqual([]);
    expect(await isDue(deleted)).toBe(false);
  });

  it('a due schedule is skipped by a worker while a change or another worker has it locked', async () => {
    const schedule = await create();
    server.clock.advance({ hours: 1 });
    const { owner } = server.database;
    await owner.query('BEGIN');
    await owner.query("SELECT set_config('app.tenant_id', $1, true)", [user.tenant.id]);
    await owner.query('SELECT 1 FROM schedules WHERE id = $1 FOR UPDATE', [schedule.id]);
    await runDue();
    expect(await scansOf(schedule)).toEqual([]);
    await owner.query('COMMIT');
    await runDue();
    expect(await scansOf(schedule)).toHaveLength(1);
  });

  it('a due schedule that a worker postponed while its times were changed is not found due before its next run', async () => {
    const schedule = await create();
    const { nextRunAt } = await change(schedule, { cron: '0 0 1 1 *' });
    const until = new Date(server.clock.now().getTime() + 5_000);
    const postpone = 'SELECT jobs.postpone_schedule($1, $2, $3)';
    await server.database.owner.query(postpone, [person.tenantId, schedule.id, until]);
    server.clock.advance({ minutes: 1 });
    expect(await isDue(schedule)).toBe(true);
    await runDue();
    expect(await isDue(schedule)).toBe(false);
    expect(await seen(schedule)).toMatchObject({ nextRunAt, lastRun: null });
    expect(await noted(schedule)).toBe(nextRunAt);
  });

  it('a due schedule scans the projects that it can, and reports those it left out', async () => {
    const [gone, empty] = [await person.project(), await person.project()];
    const schedule = await create({ projects: [project, gone, empty] });
    await person.ask(204, `/projects/${gone}`, { method: 'DELETE' });
    server.clock.advance({ hours: 1 });
    await runDue();
    expect(await scansOf(schedule)).toMatchObject([{ projects: [{ name: project }] }]);
    const { lastRun } = await seen(schedule);
    expect(lastRun?.problem).toContain(`Project "${gone}" does not exist.`);
    expect(lastRun?.problem).toContain(`Project ${empty} has no inventory.`);
  });

  it('a due schedule is blocked, with the reason, while nothing can be scanned', async () => {
    const profile = 'custom:nightly';
    const body = { name: profile, include: ['category:storage'] };
    await person.ask(201, '/profiles', { method: 'POST', body });
    const empty = await person.project();
    const [withoutProfile, withoutInventory] = [
      await create({ profile }),
      await create({ projects: [empty] }),
    ];
    await person.ask(204, `/profiles/${profile}`, { method: 'DELETE' });
    server.clock.advance({ hours: 1 });
    await runDue();
    for (const [schedule, reason] of [
      [withoutProfile, `Profile "${profile}" does not exist.`],
      [withoutInventory, `Project ${empty} has no inventory.`],
    ] as const) {
      const { enabled, nextRunAt, lastRun } = await seen(schedule);
      expect(lastRun).toMatchObject({ scanId: null, status: 'blocked' });
      expect(lastRun?.problem).toContain(reason);
      expect([enabled, nextRunAt === null]).toEqual([true, false]);
    }
    await person.upload(empty, [bucket('b')]);
    server.clock.advance({ hours: 1 });
    await runDue();
    expect((await seen(withoutInventory)).lastRun).toMatchObject({
      ...{ status: 'queued', problem: null },
    });
  });

  it('a schedule reports that its last scan was deleted', async () => {
    const schedule = await create();
    server.clock.advance({ hours: 1 });
    await runDue();
    const { owner } = server.database;
    await owner.query(`SELECT set_config('app.tenant_id', '${user.tenant.id}', true);
      DELETE FROM scans WHERE schedule_id = '${schedule.id}'`);
    expect((await seen(schedule)).lastRun).toMatchObject({ status: 'deleted' });
  });

  it('a due schedule waits for the first due schedule of every other tenant', async () => {
    await runDue();
    for (let n = 0; n < 3; n += 1) await create();
    const other = await server.people.user({ role: 'analyst' });
    const mine = user.tenant.id;
    person = new Analyst(server, other.key, other.tenant.id);
    project = await person.project([bucket('b')]);
    await create();
    server.clock.advance({ hours: 1 });
    const order = (await due()).map(({ tenantId }) => tenantId);
    const last = order.lastIndexOf(other.tenant.id);
    expect(order.slice(0, last + 1).filter((id) => id === mine)).toHaveLength(1);
    await runDue();
  });
});

describe('a due schedule that pulls first', () => {
  async function attachSources(projects: readonly string[]): Promise<void> {
    const parent = 'projects/shop-prod';
    const key = google.viewer(parent, 'scanner@tools-1.iam.gserviceaccount.com');
    const credential = { type: 'service_account_key', key };
    const body = { kind: 'google-cloud', parent, credential };
    for (const name of projects) {
      await person.ask(201, `/projects/${name}/source`, { method: 'PUT', body });
    }
  }

  const awaitedBy = async ({ id }: Schedule) => {
    const stored = 'SELECT awaited_pulls FROM schedules WHERE id = $1';
    const [row] = await rowsOf(server.database, person.tenantId, stored, [id]);
    return row?.['awaited_pulls'];
  };

  it('a due schedule that pulls first joins a pull that another transaction queues at the same moment', async () => {
    const projects = [project, await person.project()].sort();
    await attachSources(projects);
    const schedule = await create({ projects: projects.toReversed(), pullFirst: true });
    server.clock.advance({ hours: 1 });
    const { tenants, mail, clock } = server.services;
    const { tenantId } = person;
    const item = { tenantId, scheduleId: schedule.id };
    const [pulled = ''] = projects;
    let run: ReturnType<typeof runSchedule> | null = null;
    const pullId = await tenants.write(tenantId, async (db) => {
      const projectId = (await findProjectId(db, pulled)) ?? '';
      const by = { kind: 'user', id: user.id, label: user.email };
      const id = await insertPull(db, projectId, by, clock.now());
      run = runSchedule({ tenants, mail, clock }, item);
      const blocked = () => waitingFor(server.database, "l.locktype = 'transactionid'");
      await until('the run to wait for this transaction', async () => (await blocked()).length > 0);
      return id;
    });
    expect(await run).toBe('waiting');
    // In the order of the names, in which all schedules queue their pulls.
    expect(await awaitedBy(schedule)).toEqual([
      { project: projects[0], pullId, problem: null },
      { project: projects[1], pullId: expect.any(String), problem: null },
    ]);
  });

  it.each(['a request', 'another schedule'])(
    'a due schedule that pulls first does not deadlock with %s that queues a pull of its last project meanwhile',
    async (other) => {
      const projects = [project, await person.project(), await person.project()].sort();
      const [, second = '', last = ''] = projects;
      await attachSources(projects);
      const schedule = await create({ projects, pullFirst: true });
      const short = await create({ projects: [last], pullFirst: true });
      server.clock.advance({ hours: 1 });
      const { tenants, mail, clock } = server.services;
      const { tenantId } = person;
      const run = ({ id: scheduleId }: Schedule) =>
        runSchedule({ tenants, mail, clock }, { tenantId, scheduleId });
      const { owner } = server.database;
      const waiting = async () =>
        (await waitingFor(server.database, "l.locktype = 'transactionid'")).length;
      onTestFinished(async () => void (await owner.query('ROLLBACK')));
      await owner.query('BEGIN');
      // The run inserts the pull of its first project, and then waits for this lock.
      await rowsOf(server.database, tenantId, 'SELECT 1 FROM projects WHERE name = $1 FOR UPDATE', [
        second,
      ]);
      const long = run(schedule);
      await until('the run to wait', async () => (await waiting()) === 1);
      let hasEnded = false;
      const pulled = (
        other === 'another schedule'
          ? run(short)
          : person.ask(202, `/projects/${last}/inventory/pull`, { method: 'POST' })
      ).finally(() => {
        hasEnded = true;
      });
      const ended = Promise.allSettled([long, pulled]);
      await until('the other to end or to wait', async () => hasEnded || (await waiting()) === 2);
      await owner.query('COMMIT');
      expect(
        (await ended).flatMap((one) => (one.status === 'rejected' ? [one.reason] : [])),
      ).toEqual([]);
      const { items } = await person.ask(200, `/projects/${last}/inventory/pulls`);
      expect(items).toMatchObject([{ status: 'queued' }]);
      expect(await awaitedBy(schedule)).toMatchObject([
        { project: projects[0] },
        { project: second },
        { project: last, pullId: items[0].id },
      ]);
    },
  );
});
