import { z } from 'zod';
import { pageOf, pageQuery } from './page.ts';
import { policy } from './policy.ts';
import { ScanRequest } from './preflight.ts';
import { noBody, routes, textResponse } from './route.ts';
import { id, projectName, timestamp } from './text.ts';

export const SCAN_STATUSES = [
  'queued',
  'running',
  'completed',
  'partial',
  'failed',
  'cancelled',
] as const;

export const SEVERITIES = ['critical', 'high', 'medium', 'low', 'info'] as const;

export const Severity = z
  .enum(SEVERITIES)
  .meta({ id: 'Severity', description: 'How bad it is, worst first.' });

const bySeverity = z.object({
  critical: z.int(),
  high: z.int(),
  medium: z.int(),
  low: z.int(),
  info: z.int(),
});

const SCAN = {
  id: '0199c2a4-9b60-7d41-a3f2-58c1e7d90b36',
  status: 'completed',
  profile: 'full',
  profileDigest: '9f2c6a1e0b7d43582f6c9e1a4b8d7035c2f1e6a9d0b3478596c7e8f1a2b3c4d5',
  projects: [
    {
      name: 'shop-prod',
      status: 'completed',
      assets: 214,
      evaluations: 1180,
      findings: 61,
      error: null,
    },
  ],
  totals: {
    assets: 214,
    evaluations: 1180,
    pass: 1096,
    fail: 61,
    unknown: 23,
    bySeverity: { critical: 2, high: 14, medium: 31, low: 12, info: 2 },
  },
  delta: { new: 5, resolved: 8, reopened: 1, unchanged: 55 },
  coverage: { rules: 64, decided: 55, undecided: 3, unmet: 6 },
  createdBy: {
    kind: 'api_key',
    id: '0199c2a4-51d2-7e02-8b0c-6f1d0c3a9e27',
    label: 'ada@example.com',
  },
  createdAt: '2026-11-20T08:00:00.000Z',
  startedAt: '2026-11-20T08:00:00.120Z',
  finishedAt: '2026-11-20T08:00:01.840Z',
};

export const Scan = z
  .object({
    id,
    status: z.enum(SCAN_STATUSES).describe('`partial`: some project failed, some completed.'),
    profile: z.string().meta({ example: 'full' }),
    profileDigest: z
      .string()
      .describe('SHA-256 over the rules, versions and parameters evaluated.'),
    projects: z.array(
      z.object({
        name: projectName,
        status: z.enum(['queued', 'running', 'completed', 'failed', 'cancelled']),
        assets: z.int(),
        evaluations: z.int(),
        findings: z.int(),
        error: z.string().nullable(),
      }),
    ),
    totals: z.object({
      assets: z.int(),
      evaluations: z.int(),
      pass: z.int(),
      fail: z.int(),
      unknown: z.int(),
      bySeverity: bySeverity.describe('Findings seen by this scan.'),
    }),
    delta: z
      .object({ new: z.int(), resolved: z.int(), reopened: z.int(), unchanged: z.int() })
      .describe('Against what earlier scans of the same projects had found.'),
    coverage: z
      .object({
        rules: z.int().describe('Rules of the profile.'),
        decided: z.int().describe('Rules that passed or failed for some asset.'),
        undecided: z
          .int()
          .describe(
            'Rules that could say nothing but UNKNOWN: the inventory lacks what they need.',
          ),
        unmet: z.int().describe('Rules that met no asset to which they apply.'),
      })
      .nullable()
      .describe(
        'How much of the profile the inventories could answer; null until the scan has ended. `GET /scans/:id/rules` says what is missing.',
      ),
    createdBy: z.object({
      kind: z.string().meta({ example: 'api_key' }),
      id: id.nullable().describe('The person; null: a credential that stands for nobody.'),
      label: z.string().meta({ example: 'ada@example.com' }),
    }),
    createdAt: timestamp,
    startedAt: timestamp.nullable(),
    finishedAt: timestamp.nullable(),
  })
  .meta({
    id: 'Scan',
    description: 'An evaluation of posture rules on the inventories of projects.',
    example: SCAN,
  });

export const RuleCount = z
  .object({
    ruleId: z.string().meta({ example: 'bucket-public' }),
    pass: z.int().meta({ example: 11 }),
    fail: z.int().meta({ example: 1 }),
    na: z.int().meta({ example: 0 }),
    unknown: z.int().meta({ example: 2 }),
    missing: z
      .array(z.string())
      .describe('What the UNKNOWN verdicts would have taken: asset types, or kinds of content.')
      .meta({ example: ['IAM_POLICY'] }),
  })
  .meta({
    id: 'RuleCount',
    description: 'Verdicts of one rule in a scan, over the assets of its types.',
  });

export const FRAMEWORKS = ['cis-gcp-2.0', 'cis-gcp-4.0', 'cis-gcp-5.0'] as const;

export const ComplianceReport = z
  .object({
    framework: z.enum(FRAMEWORKS),
    scan: id,
    summary: z
      .object({
        pass: z.int(),
        fail: z.int(),
        unknown: z.int(),
        na: z.int(),
        manual: z.int(),
      })
      .describe('Requirements by status.'),
    requirements: z
      .array(
        z.object({
          id: z.string().meta({ example: '5.1' }),
          title: z.string().describe('In our words; the benchmark itself is under copyright.'),
          section: z.string().meta({ example: 'Storage' }),
          assessment: z
            .enum(['automated', 'manual'])
            .describe('How the benchmark wants the requirement to be assessed.'),
          status: z
            .enum(['pass', 'fail', 'unknown', 'na', 'manual'])
            .describe(
              '`fail`: some asset violates it. `unknown`: the inventory, or the profile of the scan, cannot decide it. `na`: nothing that it applies to. `manual`: only a person can tell.',
            ),
          rules: z.array(RuleCount),
        }),
      )
      .describe('Every requirement of the framework, in its order.'),
  })
  .meta({
    id: 'ComplianceReport',
    description: 'What a scan says of each requirement.',
    example: {
      framework: 'cis-gcp-4.0',
      scan: '0199c2a4-9b60-7d41-a3f2-58c1e7d90b36',
      summary: { pass: 38, fail: 17, unknown: 3, na: 6, manual: 20 },
      requirements: [
        {
          id: '5.1',
          title: 'No bucket is open to the world',
          section: 'Storage',
          assessment: 'automated',
          status: 'fail',
          rules: [{ ruleId: 'bucket-public', pass: 11, fail: 1, na: 0, unknown: 0, missing: [] }],
        },
      ],
    },
  });

const pathParams = z.strictObject({ id: id.describe('The scan.') });

export const scans = routes({
  list: {
    method: 'GET',
    path: '/scans',
    summary: 'List scans',
    description: 'Newest first. Ask for a batch by `ids` instead of polling scans one by one.',
    query: z.strictObject({
      ...pageQuery,
      status: z.array(z.enum(SCAN_STATUSES)).max(6).optional().describe('Left out: all.'),
      project: z.array(projectName).max(100).optional().describe('Scans of any of these projects.'),
      ids: z.array(id).max(100).optional().describe('A batch of scans: one call instead of many.'),
    }),
    responses: { 200: pageOf(Scan) },
    metadata: policy({ auth: 'any', permission: 'scans.read', idempotency: 'safe', tx: 'read' }),
  },
  launch: {
    method: 'POST',
    path: '/scans',
    summary: 'Launch a scan',
    description:
      'Queues one evaluation for each project and answers at once. With an Idempotency-Key a repetition never launches a second scan.',
    body: ScanRequest,
    responses: { 202: Scan },
    metadata: policy({
      auth: 'any',
      permission: 'scans.launch',
      limit: 'scans',
      idempotency: 'accepted',
      audit: 'scan.launched',
      tx: 'write',
      body: 'json',
      problems: ['PREFLIGHT_BLOCKED'],
    }),
  },
  get: {
    method: 'GET',
    path: '/scans/:id',
    summary: 'Get a scan',
    description:
      'How far it is, and what it has found so far. A final `status` never changes again.',
    pathParams,
    responses: { 200: Scan },
    metadata: policy({
      auth: 'any',
      permission: 'scans.read',
      idempotency: 'safe',
      tx: 'read',
      problems: ['NOT_FOUND'],
    }),
  },
  rules: {
    method: 'GET',
    path: '/scans/:id/rules',
    summary: 'Verdicts of a scan by rule',
    description: 'Whole in one answer: a row for every rule of the profile.',
    pathParams,
    responses: { 200: pageOf(RuleCount) },
    metadata: policy({
      auth: 'any',
      permission: 'scans.read',
      idempotency: 'safe',
      tx: 'read',
      problems: ['NOT_FOUND'],
    }),
  },
  compliance: {
    method: 'GET',
    path: '/scans/:id/compliance',
    summary: 'Compliance of a scan with a framework',
    description:
      'Every requirement of the framework with its status, those that only a person can assess and those that the inventory could not decide included.',
    pathParams,
    query: z.strictObject({
      framework: z
        .enum(FRAMEWORKS)
        .default('cis-gcp-4.0')
        .describe('Which benchmark, in which version.'),
    }),
    responses: { 200: ComplianceReport },
    metadata: policy({
      auth: 'any',
      permission: 'scans.read',
      idempotency: 'safe',
      tx: 'read',
      problems: ['NOT_FOUND'],
    }),
  },
  cancel: {
    method: 'POST',
    path: '/scans/:id/cancel',
    summary: 'Cancel a scan',
    description:
      'Ends it within seconds; what it has found so far stays. A scan that has ended is answered as it is.',
    pathParams,
    body: noBody,
    responses: { 202: Scan },
    metadata: policy({
      auth: 'any',
      permission: 'scans.cancel',
      idempotency: 'natural',
      audit: 'scan.cancelled',
      tx: 'write',
      problems: ['NOT_FOUND'],
    }),
  },
  events: {
    method: 'GET',
    path: '/scans/:id/events',
    summary: 'Follow a scan',
    description:
      'Server-sent events: `progress` with the scan, at most once a second and with a growing `id`, then `done` with the finished scan, and the end. A comment every 15 seconds keeps the connection. `Last-Event-ID` resumes.',
    pathParams,
    headers: z.object({
      'last-event-id': z
        .string()
        .regex(/^\d{1,15}$/, 'must be the id of an event')
        .optional()
        .describe('The `id` of the last event that was received.')
        .meta({ example: '7' }),
    }),
    responses: { 200: textResponse('text/event-stream') },
    metadata: policy({
      auth: 'any',
      permission: 'scans.read',
      idempotency: 'safe',
      tx: 'none',
      stream: true,
      problems: ['NOT_FOUND', 'SERVICE_UNAVAILABLE'],
    }),
  },
});
