import { z } from 'zod';
import { RESOLVED_REASONS } from './findings.ts';
import { SCHEDULE_DISABLED_CODES } from './schedules.ts';
import { bySeverity, Severity } from './severity.ts';
import { id, projectName, timestamp } from './text.ts';

/** The events that a webhook can subscribe to. */
export const WEBHOOK_EVENT_TYPES = [
  'scan.completed',
  'scan.failed',
  'findings.opened',
  'findings.resolved',
  'schedule.disabled',
  'source.failed',
  'api_key.created',
  'break_glass.used',
  'sign_in.locked',
] as const;

export type WebhookEventType = (typeof WEBHOOK_EVENT_TYPES)[number];

/** Maximum number of findings that one event lists. */
export const EVENT_FINDINGS_MAX = 100;

const AT = '2026-11-20T08:00:01.840Z';
const SCAN_ID = '0199c2a4-9b60-7d41-a3f2-58c1e7d90b36';
const PERSON_ID = '0199c2a4-51d2-7e02-8b0c-6f1d0c3a9e27';

const scanData = {
  scanId: id,
  profile: z.string().meta({ example: 'full' }),
  scheduleId: id.nullable().describe('The schedule that launched the scan, or null.'),
  finishedAt: timestamp,
  projects: z
    .array(
      z.object({
        name: projectName,
        status: z.enum(['completed', 'failed', 'cancelled']),
        error: z.string().nullable().describe('Why the scan of the project failed.'),
      }),
    )
    .describe('The scanned projects, at most 100.'),
  findings: z
    .object({ new: z.int(), reopened: z.int(), resolved: z.int(), unchanged: z.int() })
    .describe('Changes since the previous scans of the same projects.'),
};

const SCAN_EXAMPLE = {
  scanId: SCAN_ID,
  profile: 'full',
  scheduleId: null,
  finishedAt: AT,
};

const eventFinding = z.object({
  id,
  ruleId: z.string().meta({ example: 'bucket-public' }),
  severity: Severity,
  title: z.string(),
  asset: z.object({
    name: z.string().meta({ example: '//storage.googleapis.com/shop-uploads' }),
    type: z.string().meta({ example: 'storage.googleapis.com/Bucket' }),
  }),
});

const FINDING_EXAMPLE = {
  id: '0199c2a4-7c1e-7a53-9d5e-2f6f8f1f4b11',
  ruleId: 'bucket-public',
  severity: 'high',
  title: 'Bucket is public',
  asset: { name: '//storage.googleapis.com/shop-uploads', type: 'storage.googleapis.com/Bucket' },
};

const findingsData = {
  scanId: id,
  project: projectName,
  total: z.int().describe('Number of findings, listed or not.'),
  bySeverity,
  truncated: z
    .boolean()
    .describe('True: more findings than `findings` lists. `GET /findings?scan=` lists all.'),
};

const FINDINGS_EXAMPLE = {
  scanId: SCAN_ID,
  project: 'shop-prod',
  total: 1,
  bySeverity: { critical: 0, high: 1, medium: 0, low: 0, info: 0 },
  truncated: false,
};

const listed = <T extends z.ZodType>(item: T) =>
  z
    .array(item)
    .describe(`The first ${EVENT_FINDINGS_MAX} at most, from the worst severity to the least.`);

/** An event as receivers get it: the payload of Standard Webhooks 1.0. */
function event<const T extends string, D extends z.ZodType>(
  name: { readonly id: string; readonly type: T },
  description: string,
  data: D,
  example: object,
) {
  return z
    .object({
      type: z.literal(name.type),
      timestamp: timestamp.describe('When the event took place.'),
      data,
    })
    .meta({
      id: name.id,
      description,
      example: { type: name.type, timestamp: AT, data: example },
    });
}

/** The body of each event, by its type. */
export const WEBHOOK_EVENTS = {
  'scan.completed': event(
    { id: 'ScanCompletedEvent', type: 'scan.completed' },
    'A scan completed, for all of its projects or for some of them.',
    z.object({
      ...scanData,
      status: z
        .enum(['completed', 'partial'])
        .describe('`partial`: the scans of some projects failed.'),
    }),
    {
      ...SCAN_EXAMPLE,
      projects: [{ name: 'shop-prod', status: 'completed', error: null }],
      findings: { new: 5, reopened: 1, resolved: 8, unchanged: 55 },
      status: 'completed',
    },
  ),
  'scan.failed': event(
    { id: 'ScanFailedEvent', type: 'scan.failed' },
    'A scan failed for all of its projects.',
    z.object({ ...scanData, status: z.literal('failed') }),
    {
      ...SCAN_EXAMPLE,
      projects: [{ name: 'shop-prod', status: 'failed', error: 'The inventory was deleted.' }],
      findings: { new: 0, reopened: 0, resolved: 0, unchanged: 0 },
      status: 'failed',
    },
  ),
  'findings.opened': event(
    { id: 'FindingsOpenedEvent', type: 'findings.opened' },
    'A scan found findings in a project that are new, or that had been resolved and are open again. One event for each scan and project.',
    z.object({
      ...findingsData,
      findings: listed(
        eventFinding.extend({
          delta: z.enum(['new', 'reopened']),
          message: z.string().describe('Shortened to 500 characters.'),
        }),
      ),
    }),
    {
      ...FINDINGS_EXAMPLE,
      findings: [
        {
          ...FINDING_EXAMPLE,
          delta: 'new',
          message: 'allUsers has roles/storage.objectViewer on this bucket.',
        },
      ],
    },
  ),
  'findings.resolved': event(
    { id: 'FindingsResolvedEvent', type: 'findings.resolved' },
    'A scan resolved findings of a project. One event for each scan and project.',
    z.object({
      ...findingsData,
      findings: listed(eventFinding.extend({ reason: z.enum(RESOLVED_REASONS) })),
    }),
    { ...FINDINGS_EXAMPLE, findings: [{ ...FINDING_EXAMPLE, reason: 'fixed' }] },
  ),
  'schedule.disabled': event(
    { id: 'ScheduleDisabledEvent', type: 'schedule.disabled' },
    'The service disabled a schedule, because its owner can no longer launch scans.',
    z.object({
      scheduleId: id,
      name: z.string().meta({ example: 'Production, every night' }),
      reason: z.enum(SCHEDULE_DISABLED_CODES),
    }),
    { scheduleId: SCAN_ID, name: 'Production, every night', reason: 'CREATOR_REMOVED' },
  ),
  'source.failed': event(
    { id: 'SourceFailedEvent', type: 'source.failed' },
    'An inventory could not be pulled from the source of a project.',
    z.object({
      project: projectName,
      pullId: id,
      problem: z
        .string()
        .describe('Why the pull failed. Shortened to 500 characters.')
        .meta({ example: 'The Cloud Asset API is disabled in project shop-prod.' }),
    }),
    {
      project: 'shop-prod',
      pullId: SCAN_ID,
      problem: 'The Cloud Asset API is disabled in project shop-prod.',
    },
  ),
  'api_key.created': event(
    { id: 'ApiKeyCreatedEvent', type: 'api_key.created' },
    'A member of the tenant created an API key.',
    z.object({
      apiKeyId: id,
      name: z.string().meta({ example: 'nightly pipeline' }),
      prefix: z
        .string()
        .describe('The first characters of the key, enough to recognize it.')
        .meta({ example: 'cspm_8Fq2LmZx71Ba' }),
      user: z.object({ id, email: z.string().meta({ example: 'ada@example.com' }) }),
      expiresAt: timestamp.nullable(),
    }),
    {
      apiKeyId: SCAN_ID,
      name: 'nightly pipeline',
      prefix: 'cspm_8Fq2LmZx71Ba',
      user: { id: PERSON_ID, email: 'ada@example.com' },
      expiresAt: null,
    },
  ),
  'break_glass.used': event(
    { id: 'BreakGlassUsedEvent', type: 'break_glass.used' },
    "The operator's master key was used on the tenant.",
    z.object({
      operation: z.string().meta({ example: 'users.update' }),
      reason: z.string().nullable().describe('The reason that the operator gave.'),
      ip: z.string().meta({ example: '198.51.100.7' }),
    }),
    { operation: 'users.update', reason: 'Locked out after a lost phone', ip: '198.51.100.7' },
  ),
  'sign_in.locked': event(
    { id: 'SignInLockedEvent', type: 'sign_in.locked' },
    'Sign-ins of a member are refused for some minutes after too many failed ones. At most one event in 15 minutes for each member.',
    z.object({
      user: z.object({ id, email: z.string().meta({ example: 'ada@example.com' }) }),
      ip: z.string().describe('The address of the last attempt.').meta({ example: '198.51.100.7' }),
    }),
    { user: { id: PERSON_ID, email: 'ada@example.com' }, ip: '198.51.100.7' },
  ),
} as const satisfies Record<WebhookEventType, z.ZodType>;

/** Sent by `POST /webhooks/:id/test` alone, so that no receiver takes a test for an event. */
export const WebhookTestEvent = event(
  { id: 'WebhookTestEvent', type: 'webhook.test' },
  'Sent on request, to try out a receiver. Every webhook can get it.',
  z.object({ webhookId: id, message: z.string().meta({ example: 'This is a test.' }) }),
  { webhookId: SCAN_ID, message: 'This is a test.' },
);

/** Everything that a webhook can send, by type. */
export const WEBHOOK_PAYLOADS = { ...WEBHOOK_EVENTS, 'webhook.test': WebhookTestEvent } as const;

export type WebhookPayloads = {
  readonly [T in keyof typeof WEBHOOK_PAYLOADS]: z.output<(typeof WEBHOOK_PAYLOADS)[T]>;
};
