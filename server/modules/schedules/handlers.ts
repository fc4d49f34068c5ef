import { type Permission, SCHEDULES_MAX } from '@cspm/contract';
import { idAfter, pageFrom } from '../../platform/cursor.ts';
import type { TenantConnection } from '../../platform/database/tenant-database.ts';
import type { HandlersOf } from '../../platform/handler.ts';
import { newId } from '../../platform/ids.ts';
import { type Principal, userOf } from '../../platform/principal.ts';
import { notFound, ProblemError, validationFailed } from '../../platform/problem.ts';
import { blockersOf, runPreflight } from '../scans/index.ts';
import { projectsWithSource } from '../sources/queries.ts';
import { lockTenant } from '../tenants/index.ts';
import { nextRunAfter, type Timing, timingFault } from './cron.ts';
import {
  countSchedules,
  deleteSchedule,
  findSchedule,
  insertSchedule,
  isScheduleNameTaken,
  listSchedules,
  lockSchedule,
  type ScheduleContent,
  type ShownSchedule,
  updateSchedule,
} from './queries.ts';
import { scheduleView } from './view.ts';

export const schedules: HandlersOf<'schedules'> = {
  async list({ input: { query }, db }) {
    const page = { before: idAfter(query.cursor), limit: query.limit + 1 };
    const rows = await listSchedules(db, page);
    return { status: 200, body: pageFrom(rows, query.limit, (row) => row.id, scheduleView) };
  },

  async create({ input: { body }, principal, db, origin, audit }) {
    const createdById = userOf(principal).id;
    if (body.pullFirst) demandMayPull(principal);
    demandTiming(body, origin.at);
    // One at a time for a tenant, so that requests at the same moment cannot exceed the limit.
    await lockTenant(db);
    if ((await countSchedules(db)) >= SCHEDULES_MAX) {
      throw new ProblemError(
        'CONFLICT',
        `Your tenant has ${SCHEDULES_MAX} schedules, which is the limit. Delete one first.`,
      );
    }
    const content = { ...body, projects: [...new Set(body.projects)] };
    await demandLaunchable(db, content, principal.permissions, origin.at);
    if (content.pullFirst) await demandSources(db, content.projects);
    const id = newId();
    const nextRunAt = content.enabled ? nextRunAfter(content, origin.at) : null;
    const schedule = { id, ...content, createdById, createdAt: origin.at, nextRunAt };
    if (!(await insertSchedule(db, schedule))) throw nameTaken(content.name);
    audit({ subject: id, detail: auditedOf(content) });
    return { status: 201, body: scheduleView(await find(db, id)) };
  },

  async get({ input: { params }, db }) {
    return { status: 200, body: scheduleView(await find(db, params.id)) };
  },

  async update({ input: { params, body }, principal, db, origin, audit }) {
    demandTiming(body, origin.at);
    // Names of the tenant change one at a time.
    await lockTenant(db);
    const before = await lockSchedule(db, params.id);
    if (before === null) throw notFound();
    const content = { ...body, projects: [...new Set(body.projects)] };
    const added = content.projects.filter((project) => !before.projects.includes(project));
    const pullsAnew = content.pullFirst && (added.length > 0 || !before.pullFirst);
    if (pullsAnew) demandMayPull(principal);
    const createdById =
      content.enabled && !before.enabled ? newOwnerOf(principal) : before.createdById;
    if (await isScheduleNameTaken(db, content.name, before.id)) throw nameTaken(content.name);
    // What the schedule names already may have been deleted since; its runs report that.
    if (added.length > 0 || content.profile !== before.profile) {
      const request = { ...content, projects: added.length > 0 ? added : content.projects };
      const isProfileNew = content.profile !== before.profile;
      await demandLaunchable(db, request, principal.permissions, origin.at, {
        profile: isProfileNew,
        projects: added.length > 0,
      });
    }
    if (pullsAnew) await demandSources(db, content.projects);
    const isSame = content.cron === before.cron && content.timezone === before.timezone;
    const nextRunAt =
      isSame && before.enabled ? before.nextRunAt : nextRunAfter(content, origin.at);
    await updateSchedule(db, before.id, {
      ...content,
      createdById,
      nextRunAt: content.enabled ? nextRunAt : null,
    });
    audit({ subject: before.id, detail: auditedOf(content) });
    return { status: 200, body: scheduleView(await find(db, before.id)) };
  },

  async delete({ input: { params }, db, audit }) {
    if (!(await deleteSchedule(db, params.id))) throw notFound();
    audit({ subject: params.id });
    return { status: 204, body: undefined };
  },
};

/** @throws {ProblemError} CREDENTIAL_NOT_ALLOWED for a credential that does not belong to a person. */
function newOwnerOf({ user }: Principal): string {
  if (user !== null) return user.id;
  throw new ProblemError(
    'CREDENTIAL_NOT_ALLOWED',
    'An enabled schedule acts with the permissions of the person who enables it. Sign in or use an API key.',
    { members: { accepts: ['jwt', 'api_key'] } },
  );
}

/** @throws {ProblemError} VALIDATION_FAILED for times that no schedule can have. */
function demandTiming(timing: Timing, now: Date): void {
  const fault = timingFault(timing, now);
  if (fault === null) return;
  throw validationFailed([{ path: `body.${fault.member}`, message: fault.message }]);
}

/**
 * Makes those checks of preflight that the runs cannot outgrow. An inventory can follow later.
 * @throws {ProblemError} PREFLIGHT_BLOCKED with the failed checks.
 */
async function demandLaunchable(
  db: TenantConnection,
  { projects, profile }: ScheduleContent,
  permissions: ReadonlySet<Permission>,
  now: Date,
  check = { profile: true, projects: true },
): Promise<void> {
  const caller = { permissions, launchesLeft: null };
  const report = await runPreflight(db, { projects, profile }, caller, now, {
    expiring: 'skipped',
  });
  const blockers = blockersOf(report).filter(
    ({ id }) =>
      (check.profile && id === 'profile.known') || (check.projects && id === 'project.known'),
  );
  if (blockers.length > 0) throw blocked(blockers);
}

function blocked(checks: ReturnType<typeof blockersOf>): ProblemError {
  const detail = checks.map(({ message }) => message).join(' ');
  return new ProblemError('PREFLIGHT_BLOCKED', detail, { members: { checks } });
}

/** @throws {ProblemError} FORBIDDEN */
function demandMayPull({ permissions }: Principal): void {
  const permission = 'projects.write';
  if (permissions.has(permission)) return;
  throw new ProblemError(
    'FORBIDDEN',
    `pullFirst replaces inventories; you lack the permission ${permission}.`,
    { members: { permission } },
  );
}

/**
 * A source can be deleted later; the runs report that.
 * @throws {ProblemError} PREFLIGHT_BLOCKED
 */
async function demandSources(db: TenantConnection, projects: readonly string[]): Promise<void> {
  const pullable = await projectsWithSource(db, projects);
  const missing = projects.filter((project) => !pullable.has(project)).map(withoutSource);
  if (missing.length > 0) throw blocked(missing);
}

function withoutSource(project: string) {
  return {
    project,
    id: 'source.attached' as const,
    status: 'fail' as const,
    code: 'SOURCE_MISSING',
    message: `Project ${project} has no inventory source to pull from.`,
    remediation: `Set a source with PUT /projects/${project}/source. Or set pullFirst to false, and upload inventories with PUT /projects/${project}/inventory.`,
  };
}

function nameTaken(name: string): ProblemError {
  return new ProblemError('CONFLICT', `A schedule with the name ${name} already exists.`);
}

function auditedOf({ projects, profile, cron, timezone, enabled }: ScheduleContent) {
  return { projects: projects.length, profile, cron, timezone, enabled };
}

async function find(db: TenantConnection, id: string): Promise<ShownSchedule> {
  const schedule = await findSchedule(db, id);
  if (schedule === null) throw notFound();
  return schedule;
}
