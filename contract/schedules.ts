import { z } from 'zod';
import { pageOf, pageQuery } from './page.ts';
import { policy } from './policy.ts';
import { noBody, routes } from './route.ts';
import { SCAN_STATUSES } from './scan.ts';
import { id, text, timestamp } from './text.ts';

/** Maximum number of schedules of a tenant. */
export const SCHEDULES_MAX = 100;

const name = text(100)
  .describe('Unique in your tenant.')
  .meta({ example: 'Production, every night' });

const projects = z
  .array(text(63))
  .min(1)
  .max(100)
  .describe('Names of the projects to scan. Duplicates are ignored.')
  .meta({ example: ['shop-prod'] });

const profile = text(100)
  .describe('The rules to evaluate: a profile name from `GET /profiles`.')
  .meta({ example: 'full' });

const cron = z
  .string()
  .max(100)
  .regex(
    /^[0-9A-Za-z*,/?#+-]+( [0-9A-Za-z*,/?#+-]+){4}$/,
    'must be a cron expression of five fields, separated by one space: minute, hour, day of month, month, day of week',
  )
  .describe(
    'A cron expression of five fields: minute, hour, day of month, month, day of week. The minute is one number, because a schedule runs at most once an hour.',
  )
  .meta({ example: '0 3 * * *' });

const timezone = z
  .string()
  .max(64)
  .regex(/^[A-Za-z][A-Za-z0-9_+/-]*$/, 'must be an IANA time zone, such as Europe/Berlin')
  .describe('The IANA time zone of the cron expression.')
  .meta({ example: 'Europe/Berlin' });

const pullFirst = z
  .boolean()
  .describe(
    'True: pull a new inventory of each project before the scan. Needs the permission `projects.write`, and projects with an inventory source; a project without one is refused with 422. A project whose pull fails is left out of that scan, and `lastRun.problem` says why.',
  );

const enabled = z.boolean().describe('False: the schedule launches no scans.');

export const SCHEDULE_DISABLED_CODES = [
  'CREATOR_REMOVED',
  'CREATOR_DISABLED',
  'CREATOR_NOT_PERMITTED',
] as const;

export const Schedule = z
  .object({
    id,
    name,
    projects,
    profile,
    cron,
    timezone,
    pullFirst,
    enabled,
    nextRunAt: timestamp
      .nullable()
      .describe('When the next scan is due. In the past while its pulls run. Null while disabled.'),
    lastRun: z
      .object({
        at: timestamp.describe('When the run took place.'),
        scanId: id.nullable().describe('The scan that was launched. Null: none was.'),
        status: z
          .enum([...SCAN_STATUSES, 'blocked', 'deleted'])
          .describe(
            'The present status of the scan. `blocked`: no scan was launched, see `problem`. `deleted`: the scan is older than the retention period.',
          ),
        problem: z
          .string()
          .nullable()
          .describe(
            'Why no scan was launched, or which projects it left out and why. Null if there was no problem.',
          ),
      })
      .nullable()
      .describe('Null until the first run.'),
    disabledReason: z
      .object({
        code: z.enum(SCHEDULE_DISABLED_CODES),
        message: z.string(),
        at: timestamp,
      })
      .nullable()
      .describe('Why the service disabled the schedule. Null unless the service disabled it.'),
    createdBy: z
      .object({ id, label: z.string().meta({ example: 'ada@example.com' }) })
      .describe(
        'The person whose permissions the schedule has: who created it, or who enabled it last.',
      ),
    createdAt: timestamp,
  })
  .meta({
    id: 'Schedule',
    description: 'Launches a scan at the times of a cron expression.',
    example: {
      id: '0199c2a4-9b60-7d41-a3f2-58c1e7d90b36',
      name: 'Production, every night',
      projects: ['shop-prod'],
      profile: 'full',
      cron: '0 3 * * *',
      timezone: 'Europe/Berlin',
      pullFirst: false,
      enabled: true,
      nextRunAt: '2026-11-21T02:00:00.000Z',
      lastRun: {
        at: '2026-11-20T02:00:01.240Z',
        scanId: '0199c2a4-51d2-7e02-8b0c-6f1d0c3a9e27',
        status: 'completed',
        problem: null,
      },
      disabledReason: null,
      createdBy: { id: '0199c2a4-51d2-7e02-8b0c-6f1d0c3a9e27', label: 'ada@example.com' },
      createdAt: '2026-11-19T08:00:00.000Z',
    },
  });

const pathParams = z.strictObject({ id: id.describe('The id of the schedule.') });

const example = {
  name: 'Production, every night',
  projects: ['shop-prod'],
  profile: 'full',
  cron: '0 3 * * *',
  timezone: 'Europe/Berlin',
  pullFirst: false,
  enabled: true,
};

export const schedules = routes({
  list: {
    method: 'GET',
    path: '/schedules',
    summary: 'List schedules',
    description: 'The schedules of your tenant, newest first.',
    query: z.strictObject(pageQuery),
    responses: { 200: pageOf(Schedule) },
    metadata: policy({ auth: 'any', permission: 'scans.launch', idempotency: 'safe', tx: 'read' }),
  },
  create: {
    method: 'POST',
    path: '/schedules',
    summary: 'Create a schedule',
    description: `A tenant has at most ${SCHEDULES_MAX} schedules. Returns 409 beyond that, and when a schedule has that name. A schedule acts with your permissions at the time of each run, so only credentials of persons are accepted.`,
    body: z
      .strictObject({
        name,
        projects,
        profile,
        cron,
        timezone: timezone.default('UTC'),
        pullFirst: pullFirst.default(false),
        enabled: enabled.default(true),
      })
      .meta({ example }),
    responses: { 201: Schedule },
    metadata: policy({
      auth: 'person',
      permission: 'scans.launch',
      idempotency: 'accepted',
      audit: 'schedule.created',
      tx: 'write',
      body: 'json',
      problems: ['CONFLICT', 'FORBIDDEN', 'PREFLIGHT_BLOCKED'],
    }),
  },
  get: {
    method: 'GET',
    path: '/schedules/:id',
    summary: 'Get a schedule',
    description: 'Returns when it runs next, and how its last run went.',
    pathParams,
    responses: { 200: Schedule },
    metadata: policy({
      auth: 'any',
      permission: 'scans.launch',
      idempotency: 'safe',
      tx: 'read',
      problems: ['NOT_FOUND'],
    }),
  },
  update: {
    method: 'PUT',
    path: '/schedules/:id',
    summary: 'Change a schedule',
    description:
      'The next run is recomputed when `cron`, `timezone` or `enabled` changes. The person who enables a disabled schedule becomes its owner. It then acts with the permissions of that person, so only credentials of persons can enable it.',
    pathParams,
    body: z
      .strictObject({
        name,
        projects,
        profile,
        cron,
        timezone,
        pullFirst: pullFirst.default(false),
        enabled,
      })
      .meta({ example }),
    responses: { 200: Schedule },
    metadata: policy({
      auth: 'any',
      permission: 'scans.launch',
      idempotency: 'natural',
      audit: 'schedule.updated',
      tx: 'write',
      body: 'json',
      problems: [
        'CONFLICT',
        'CREDENTIAL_NOT_ALLOWED',
        'FORBIDDEN',
        'NOT_FOUND',
        'PREFLIGHT_BLOCKED',
      ],
    }),
  },
  delete: {
    method: 'DELETE',
    path: '/schedules/:id',
    summary: 'Delete a schedule',
    description: 'Scans that it has launched stay.',
    pathParams,
    responses: { 204: noBody },
    metadata: policy({
      auth: 'any',
      permission: 'scans.launch',
      idempotency: 'natural',
      audit: 'schedule.deleted',
      tx: 'write',
      problems: ['NOT_FOUND'],
    }),
  },
});
