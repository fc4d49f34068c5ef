import { z } from 'zod';
import { policy } from './policy.ts';
import { routes } from './route.ts';
import { text, timestamp } from './text.ts';

/** The body of a scan request, shared by launch and preflight. */
export const ScanRequest = z
  .strictObject({
    projects: z
      .array(text(63))
      .min(1)
      .max(100)
      .describe('Names of projects. Duplicates are ignored.')
      .meta({ example: ['shop-prod'] }),
    profile: text(100)
      .describe('The rules to evaluate: a profile name from `GET /profiles`.')
      .meta({ example: 'full' }),
  })
  .meta({ id: 'ScanRequest', description: 'The projects to scan, and the profile to evaluate.' });

export const CHECK_IDS = [
  'profile.known',
  'project.known',
  'project.duplicate',
  'source.attached',
  'source.parseable',
  'source.scope',
  'source.freshness',
  'coverage.types',
  'coverage.iam',
  'estimate',
  'permission',
  'quota.scans',
  'rate.remaining',
  'conflict.active',
  'mutes.expiring',
  'baseline',
] as const;

export const PreflightCheck = z
  .object({
    id: z.enum(CHECK_IDS),
    status: z.enum(['pass', 'warn', 'fail', 'skip']),
    code: z
      .string()
      .describe('A stable code for the result of the check.')
      .meta({ example: 'INVENTORY_MISSING' }),
    message: z.string().meta({ example: 'The project has no inventory.' }),
    remediation: z
      .string()
      .describe('How to fix the problem. Empty if there is none.')
      .meta({ example: 'Upload one with PUT /projects/shop-prod/inventory.' }),
  })
  .meta({ id: 'PreflightCheck', description: 'One preflight check.' });

export const Preflight = z
  .object({
    decision: z.enum(['ready', 'ready_with_warnings', 'blocked']),
    profile: z.object({
      name: z.string(),
      digest: z
        .string()
        .nullable()
        .describe('SHA-256 of the rules, versions and parameters. Null for an unknown profile.'),
      ruleCount: z.int(),
    }),
    projects: z.array(z.object({ name: z.string(), checks: z.array(PreflightCheck) })),
    estimate: z.object({
      assets: z.int(),
      evaluations: z
        .int()
        .describe(
          'The maximum number of evaluations: each rule on every asset of its types. A rule that examines all IAM policies or whole cloud projects counts each of those.',
        ),
      seconds: z.number().describe('A rough estimate of the duration with one worker.'),
    }),
    limits: z.object({
      projectsPerScan: z.int(),
      launchesPerMinute: z.int(),
    }),
    expiresAt: timestamp.describe('How long the result can be relied on.'),
  })
  .meta({
    id: 'Preflight',
    description: 'Whether a scan can start, and the checks that failed.',
    example: {
      decision: 'ready_with_warnings',
      profile: {
        name: 'full',
        digest: '9f2c6a1e0b7d43582f6c9e1a4b8d7035c2f1e6a9d0b3478596c7e8f1a2b3c4d5',
        ruleCount: 64,
      },
      projects: [
        {
          name: 'shop-prod',
          checks: [
            {
              id: 'source.freshness',
              status: 'warn',
              code: 'INVENTORY_OLD',
              message: 'The inventory is 31 hours old.',
              remediation: 'Upload a new export to scan the current state.',
            },
          ],
        },
      ],
      estimate: { assets: 214, evaluations: 1180, seconds: 0.4 },
      limits: { projectsPerScan: 100, launchesPerMinute: 10 },
      expiresAt: '2026-11-20T08:05:00.000Z',
    },
  });

export const preflight = routes({
  run: {
    method: 'POST',
    path: '/preflight',
    summary: 'Check whether a scan can start',
    description:
      'Changes nothing. `POST /scans` makes the same checks and refuses the scan if one fails.',
    body: ScanRequest,
    responses: { 200: Preflight },
    metadata: policy({
      auth: 'any',
      permission: 'preflight.run',
      limit: 'preflight',
      idempotency: 'safe',
      tx: 'read',
      body: 'json',
    }),
  },
});
