import { z } from 'zod';
import { bySeverity } from './severity.ts';
import { id, projectName, timestamp } from './text.ts';

export const SCAN_STATUSES = [
  'queued',
  'running',
  'completed',
  'partial',
  'failed',
  'cancelled',
] as const;

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
      inventoryId: '0199c2a4-8d15-7b3e-9c02-4f6e1a7b5d28',
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
  scheduleId: null,
  createdAt: '2026-11-20T08:00:00.000Z',
  startedAt: '2026-11-20T08:00:00.120Z',
  finishedAt: '2026-11-20T08:00:01.840Z',
};

export const Scan = z
  .object({
    id,
    status: z.enum(SCAN_STATUSES).describe('`partial`: some projects failed and some completed.'),
    profile: z.string().meta({ example: 'full' }),
    profileDigest: z.string().describe('SHA-256 of the evaluated rules, versions and parameters.'),
    projects: z.array(
      z.object({
        name: projectName,
        status: z.enum(['queued', 'running', 'completed', 'failed', 'cancelled']),
        assets: z.int(),
        evaluations: z.int(),
        findings: z.int(),
        error: z.string().nullable(),
        inventoryId: id
          .nullable()
          .describe(
            'The inventory that is evaluated: the current one of the project when the evaluation began. Null before that.',
          ),
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
      .describe('Changes since the previous scans of the same projects.'),
    coverage: z
      .object({
        rules: z.int().describe('Number of rules in the profile.'),
        decided: z.int().describe('Number of rules that passed or failed for at least one asset.'),
        undecided: z
          .int()
          .describe(
            'Number of rules with only UNKNOWN verdicts, because the inventory lacks the required data.',
          ),
        unmet: z.int().describe('Number of rules that applied to no asset.'),
      })
      .nullable()
      .describe(
        'How much of the profile the inventories could answer. Null until the scan has finished. `GET /scans/{id}/rules` lists the missing data.',
      ),
    createdBy: z.object({
      kind: z
        .string()
        .describe('The kind of credential, or `schedule`.')
        .meta({ example: 'api_key' }),
      id: id
        .nullable()
        .describe('The id of the user. Null for a credential that belongs to no user.'),
      label: z.string().meta({ example: 'ada@example.com' }),
    }),
    scheduleId: id
      .nullable()
      .describe('The schedule that launched the scan. Null: launched by a request.')
      .meta({ example: null }),
    createdAt: timestamp,
    startedAt: timestamp.nullable(),
    finishedAt: timestamp.nullable(),
  })
  .meta({
    id: 'Scan',
    description: 'An evaluation of rules on the inventories of projects.',
    example: SCAN,
  });
