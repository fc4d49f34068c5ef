import { z } from 'zod';
import { pageOf, pageQuery } from './page.ts';
import { policy } from './policy.ts';
import { ScanRequest } from './preflight.ts';
import { routes } from './route.ts';
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
  });

export const RuleCount = z
  .object({
    ruleId: z.string().meta({ example: 'bucket-public' }),
    pass: z.int(),
    fail: z.int(),
    na: z.int(),
    unknown: z.int(),
  })
  .meta({
    id: 'RuleCount',
    description: 'Verdicts of one rule in a scan, over the assets of its types.',
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
});
