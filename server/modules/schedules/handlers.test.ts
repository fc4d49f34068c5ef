import { SCHEDULES_MAX } from '@cspm/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Analyst } from '../../../tests/kit/analyst.ts';
import type { TestTenant } from '../../../tests/kit/people.ts';
import {
  GLOBAL_KEY_TENANT_ID,
  globalKeyHeaders,
  SHARED_CREDENTIALS,
} from '../../../tests/kit/shared-credentials.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';
import { newId } from '../../platform/ids.ts';
import { insertSchedule } from './queries.ts';

let server: TestServer;
let tenant: TestTenant;
let owner: Analyst;
/** A credential that belongs to no person. */
let nobody: Analyst;
let project: string;

beforeAll(async () => {
  server = await startTestServer({ config: SHARED_CREDENTIALS });
  tenant = await server.people.tenant([], GLOBAL_KEY_TENANT_ID);
  nobody = new Analyst(server, globalKeyHeaders, tenant.id);
  owner = await Analyst.at(server, { tenant, role: 'analyst' });
  project = await owner.project();
});

afterAll(() => server.close());

const content = (changes: object = {}) => ({
  name: `Nightly ${newId()}`,
  projects: [project],
  profile: 'full',
  cron: '0 3 * * *',
  timezone: 'Europe/Berlin',
  pullFirst: false,
  enabled: true,
  ...changes,
});

const create = (changes: object = {}, status = 201, by = owner) =>
  by.ask(status, '/schedules', { method: 'POST', body: content(changes) });

const change = (id: string, body: object, status = 200, by = owner) =>
  by.ask(status, `/schedules/${id}`, { method: 'PUT', body });

describe('schedules', () => {
  it('schedules are created, listed, read, changed and deleted', async () => {
    const body = content({ projects: [project, project] });
    const schedule = await owner.ask(201, '/schedules', { method: 'POST', body });
    expect(schedule).toMatchObject({
      ...{ ...body, projects: [project] },
      ...{ lastRun: null, disabledReason: null },
      createdBy: { label: expect.stringContaining('@example.com') },
    });
    expect(new Date(schedule.nextRunAt).getTime()).toBeGreaterThan(server.clock.now().getTime());
    expect(await owner.ask(200, `/schedules/${schedule.id}`)).toEqual(schedule);
    expect((await owner.ask(200, '/schedules')).items[0]).toEqual(schedule);
    const renamed = await change(schedule.id, { ...body, name: `Renamed ${newId()}` });
    expect(renamed.nextRunAt).toBe(schedule.nextRunAt);
    const later = await change(schedule.id, { ...body, cron: '0 4 * * *' });
    expect(later.nextRunAt).not.toBe(schedule.nextRunAt);
    const off = await change(schedule.id, { ...body, enabled: false });
    expect(off).toMatchObject({ enabled: false, nextRunAt: null, disabledReason: null });
    await owner.ask(204, `/schedules/${schedule.id}`, { method: 'DELETE' });
    await owner.ask(404, `/schedules/${schedule.id}`);
    const admin = await Analyst.at(server, { tenant });
    const { items } = await admin.ask(200, '/audit-events?limit=100');
    const actions = items
      .filter(({ subject }: { subject: string }) => subject === schedule.id)
      .map(({ action }: { action: string }) => action);
    expect(actions.toReversed()).toEqual([
      'schedule.created',
      ...Array.from({ length: 3 }, () => 'schedule.updated'),
      'schedule.deleted',
    ]);
  });

  it('schedules have defaults for everything but name, projects, profile and cron', async () => {
    const { name, projects, profile, cron } = content();
    const body = { name, projects, profile, cron };
    const schedule = await owner.ask(201, '/schedules', { method: 'POST', body });
    expect(schedule).toMatchObject({ timezone: 'UTC', pullFirst: false, enabled: true });
  });

  it('schedules are invisible to other tenants', async () => {
    const { id } = await create();
    const stranger = await Analyst.at(server);
    for (const [method, body] of [['GET'], ['PUT', content()], ['DELETE']] as const) {
      await stranger.ask(404, `/schedules/${id}`, { method, ...(body && { body }) });
    }
    expect((await stranger.ask(200, '/schedules')).items).toEqual([]);
    await owner.ask(200, `/schedules/${id}`);
  });

  it('schedules need the permission to launch scans', async () => {
    const viewer = await Analyst.at(server, { tenant, role: 'viewer' });
    expect(await create({}, 403, viewer)).toMatchObject({ permission: 'scans.launch' });
    await viewer.ask(403, '/schedules');
  });

  it('schedules have names that are unique in the tenant, also when created at the same moment', async () => {
    const [one, other] = [await create(), await create()];
    await create({ name: one.name }, 409);
    await change(other.id, content({ name: one.name }), 409);
    await change(one.id, content({ name: one.name }));
    const body = content();
    const replies = await Promise.all(
      Array.from({ length: 4 }, () => owner.call('/schedules', { method: 'POST', body })),
    );
    expect(replies.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409]);
  });

  it.each([
    [{ cron: '*/5 * * * *' }, 'body.cron', 'more often than once an hour'],
    [{ cron: '0 0 31 2 *' }, 'body.cron', 'never runs'],
    [{ cron: '0 25 * * *' }, 'body.cron', 'hour field'],
    [{ cron: '0 3 * *' }, 'body.cron', 'five fields'],
    [{ cron: '0 0 3 * * *' }, 'body.cron', 'five fields'],
    [{ cron: '@hourly' }, 'body.cron', 'five fields'],
    [{ cron: `0 ${'1,'.repeat(60)}1 * * *` }, 'body.cron', '100'],
    [{ timezone: 'Mars/Phobos' }, 'body.timezone', 'IANA'],
    [{ timezone: '+01:00' }, 'body.timezone', 'IANA'],
    [{ projects: [] }, 'body.projects', ''],
    [{ projects: Array.from({ length: 101 }, (_, n) => `p${n}`) }, 'body.projects', '100'],
    [{ name: '' }, 'body.name', ''],
  ])('a schedule with %j is refused', async (changes, path, message) => {
    const problem = await create(changes, 400);
    expect(problem.errors).toContainEqual({ path, message: expect.stringContaining(message) });
    const { id } = await create();
    await change(id, content(changes), 400);
  });

  it('schedules refuse projects and profiles that do not exist, and pulls of projects without a source', async () => {
    for (const [changes, id, code] of [
      [{ projects: [project, 'unknown'] }, 'project.known', 'PROJECT_UNKNOWN'],
      [{ profile: 'custom:unknown' }, 'profile.known', 'PROFILE_UNKNOWN'],
      [{ pullFirst: true }, 'source.attached', 'SOURCE_MISSING'],
    ] as const) {
      const problem = await create(changes, 422);
      expect(problem.code).toBe('PREFLIGHT_BLOCKED');
      expect(problem.checks).toEqual([
        expect.objectContaining({ id, code, remediation: expect.stringMatching(/./) }),
      ]);
      const schedule = await create();
      expect((await change(schedule.id, content(changes), 422)).checks).toHaveLength(1);
    }
  });

  it('times that no schedule can have are refused before an unknown schedule', async () => {
    await change(newId(), content({ cron: '*/5 * * * *' }), 400);
    await change(newId(), content(), 404);
  });

  it('a schedule can be changed while one of its projects is gone, but cannot get another unknown project', async () => {
    const [kept, gone] = [await owner.project(), await owner.project()];
    const body = content({ projects: [kept, gone] });
    const { id } = await owner.ask(201, '/schedules', { method: 'POST', body });
    await owner.ask(204, `/projects/${gone}`, { method: 'DELETE' });
    await change(id, { ...body, enabled: false });
    await change(id, { ...body, projects: [kept, gone, 'unknown'] }, 422);
  });

  it('schedules belong to the person who enables them, and cannot be enabled by a shared credential', async () => {
    const body = content({ enabled: false });
    const schedule = await owner.ask(201, '/schedules', { method: 'POST', body });
    const user = await server.people.user({ tenant, role: 'analyst' });
    const colleague = new Analyst(server, user.key, tenant.id);
    const renamed = { ...body, name: `Renamed ${newId()}` };
    expect((await change(schedule.id, renamed, 200, colleague)).createdBy).toEqual(
      schedule.createdBy,
    );
    const taken = await change(schedule.id, { ...renamed, enabled: true }, 200, colleague);
    expect(taken.createdBy.id).toBe(user.id);
    expect((await change(schedule.id, { ...renamed, enabled: true })).createdBy.id).toBe(user.id);
    const off = { ...renamed, enabled: false };
    await change(schedule.id, off, 200, nobody);
    for (const refused of [
      await create({}, 403, nobody),
      await change(schedule.id, { ...off, enabled: true }, 403, nobody),
    ]) {
      expect(refused).toMatchObject({
        code: 'CREDENTIAL_NOT_ALLOWED',
        accepts: ['jwt', 'api_key'],
      });
    }
  });

  it('schedules refuse a change that the caller may not make with 403, also if the name is taken or a project is unknown', async () => {
    const body = content({ enabled: false });
    const { id } = await owner.ask(201, '/schedules', { method: 'POST', body });
    const other = await owner.ask(201, '/schedules', { method: 'POST', body: content() });
    const faulty = { ...body, name: other.name, projects: ['unknown'] };
    expect(await change(id, { ...faulty, enabled: true }, 403, nobody)).toMatchObject({
      code: 'CREDENTIAL_NOT_ALLOWED',
    });
    const launcher = await Analyst.at(server, { tenant, role: ['scans.launch', 'scans.read'] });
    expect(await change(id, { ...faulty, pullFirst: true }, 403, launcher)).toMatchObject({
      code: 'FORBIDDEN',
      permission: 'projects.write',
    });
    await change(id, faulty, 409, launcher);
  });

  it('schedules that a shared credential changes stay those of the person who enabled them', async () => {
    const body = content();
    const schedule = await owner.ask(201, '/schedules', { method: 'POST', body });
    const changed = await change(schedule.id, { ...body, cron: '0 5 * * *' }, 200, nobody);
    expect(changed).toMatchObject({ cron: '0 5 * * *', enabled: true });
    expect(changed.createdBy).toEqual(schedule.createdBy);
  });

  it('schedules are at most 100 in a tenant, also when created at the same moment', async () => {
    const user = await server.people.user();
    const full = new Analyst(server, user.key, user.tenant.id);
    const named = await full.project();
    const createdAt = server.clock.now();
    await server.services.tenants.write(user.tenant.id, async (db) => {
      for (let n = 0; n < SCHEDULES_MAX - 2; n += 1) {
        const schedule = { ...content({ enabled: false }), id: newId(), createdAt };
        await insertSchedule(db, { ...schedule, createdById: user.id, nextRunAt: null });
      }
    });
    const replies = await Promise.all(
      Array.from({ length: 5 }, () =>
        full.call('/schedules', { method: 'POST', body: content({ projects: [named] }) }),
      ),
    );
    expect(replies.map(({ status }) => status).toSorted()).toEqual([201, 201, 409, 409, 409]);
    expect(replies.find(({ status }) => status === 409)?.json.detail).toContain('100 schedules');
    const pages = await full.ask(200, '/schedules?limit=60');
    const rest = await full.ask(200, `/schedules?limit=60&cursor=${pages.nextCursor}`);
    const ids = [...pages.items, ...rest.items].map(({ id }: { id: string }) => id);
    expect([new Set(ids).size, rest.nextCursor]).toEqual([SCHEDULES_MAX, null]);
  });

  it('schedules are created once for one Idempotency-Key', async () => {
    const headers = { 'idempotency-key': newId() };
    const call = { method: 'POST', headers, body: content() };
    const [first, second] = [
      await owner.ask(201, '/schedules', call),
      await owner.ask(201, '/schedules', call),
    ];
    expect(second).toEqual(first);
  });
});
