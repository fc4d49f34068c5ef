import { z } from 'zod';
import { policy } from './policy.ts';
import { routes } from './route.ts';
import { SCAN_STATUSES } from './scan.ts';
import { FRAMEWORKS } from './scans.ts';
import { SEVERITIES, Severity } from './severity.ts';
import { id, projectName, timestamp } from './text.ts';

/** The longest range of a trend: two years and a week. */
export const POSTURE_MOST_DAYS = 738;

export const POSTURE_INTERVALS = ['day', 'week'] as const;

/** Named, because generators would make two types of one name for the parameter and for the member of the response. */
const PostureInterval = z
  .enum(POSTURE_INTERVALS)
  .meta({ id: 'PostureInterval', description: 'One point per day or per week.' });

/** A day of the calendar in UTC (RFC 3339 `full-date`). */
const day = z.iso.date().meta({ example: '2026-11-20' });

const open = z
  .object({
    critical: z.int(),
    high: z.int(),
    medium: z.int(),
    low: z.int(),
    info: z.int(),
  })
  .describe('Number of open findings by severity, muted ones included.');

const score = z
  .number()
  .nullable()
  .describe(
    '100 × passed weight ÷ decided weight, from 0 to 100. Each PASS or FAIL verdict has the weight of its rule: critical 10, high 5, medium 2, low 1, info 0. UNKNOWN verdicts are left out. Null if nothing is decided.',
  );

const coverage = z
  .object({
    decided: z.int().describe('Number of PASS and FAIL verdicts.'),
    unknown: z.int().describe('Number of UNKNOWN verdicts.'),
    percent: z
      .number()
      .nullable()
      .describe('100 × decided ÷ (decided + unknown). Null if there are no verdicts.'),
  })
  .describe('How many verdicts the score rests on.');

const change = z
  .object({
    score: z.number().nullable().describe('Null if one of the two scores is null.'),
    open: open.describe('Change of the number of open findings by severity.'),
  })
  .nullable()
  .describe(
    'The present values minus those of that day. Null if nothing had been scanned by then.',
  );

const resolveTime = z.object(
  Object.fromEntries(
    SEVERITIES.map((severity) => [
      severity,
      z.number().nullable().describe('Seconds. Null if no such finding was resolved.'),
    ]),
  ) as Record<(typeof SEVERITIES)[number], z.ZodNullable<z.ZodNumber>>,
);

const OPEN = { critical: 2, high: 14, medium: 31, low: 12, info: 2 };
const COVERAGE = { decided: 1157, unknown: 23, percent: 98.05 };

export const PostureSummary = z
  .object({
    open,
    score,
    coverage,
    change7Days: change,
    change30Days: change,
    meanSecondsToResolve: resolveTime.describe(
      'Mean time from the first scan that saw a finding to the scan that resolved it, over the findings resolved in the last 90 days. Findings of deleted rules do not count.',
    ),
    projectCount: z.int().describe('Number of projects that have been scanned.'),
    projects: z
      .array(
        z.object({
          project: projectName,
          open,
          score,
          coverage,
          scan: id.describe('The last completed scan of the project.'),
          scannedAt: timestamp.describe('When that scan completed.'),
        }),
      )
      .describe('The projects with the most open findings of the worst severity first.'),
    newestScans: z
      .array(
        z.object({
          id,
          status: z.enum(SCAN_STATUSES),
          profile: z.string(),
          projectCount: z.int(),
          createdAt: timestamp,
          finishedAt: timestamp.nullable(),
        }),
      )
      .describe('The five newest scans.'),
    oldestCritical: z
      .array(
        z.object({
          id,
          ruleId: z.string(),
          title: z.string(),
          project: projectName,
          asset: z.string(),
          firstSeenAt: timestamp,
        }),
      )
      .describe('The five critical findings that have been open for longest.'),
    topRules: z
      .array(
        z.object({
          ruleId: z.string(),
          title: z.string(),
          severity: Severity,
          failing: z.int().describe('Number of FAIL verdicts.'),
        }),
      )
      .describe(
        'The ten rules with the largest failed weight in the last completed scan of each project.',
      ),
    compliance: z
      .array(
        z.object({
          framework: z.enum(FRAMEWORKS),
          pass: z.int(),
          fail: z.int(),
          unknown: z.int(),
          na: z.int(),
          manual: z.int(),
        }),
      )
      .describe(
        'Number of requirements by status, over the last completed scans of all projects. See `GET /scans/{id}/compliance`.',
      ),
  })
  .meta({
    id: 'PostureSummary',
    description: 'The posture of a tenant as of the last completed scan of each project.',
    example: {
      open: OPEN,
      score: 91.4,
      coverage: COVERAGE,
      change7Days: { score: 1.5, open: { critical: -1, high: -2, medium: 3, low: 0, info: 0 } },
      change30Days: null,
      meanSecondsToResolve: {
        critical: 93_600,
        high: 259_200,
        medium: 604_800,
        low: null,
        info: null,
      },
      projectCount: 1,
      projects: [
        {
          project: 'shop-prod',
          open: OPEN,
          score: 91.4,
          coverage: COVERAGE,
          scan: '0199c2a4-9b60-7d41-a3f2-58c1e7d90b36',
          scannedAt: '2026-11-20T08:00:01.840Z',
        },
      ],
      newestScans: [
        {
          id: '0199c2a4-9b60-7d41-a3f2-58c1e7d90b36',
          status: 'completed',
          profile: 'full',
          projectCount: 1,
          createdAt: '2026-11-20T08:00:00.000Z',
          finishedAt: '2026-11-20T08:00:01.840Z',
        },
      ],
      oldestCritical: [
        {
          id: '0199c2a4-9b60-7d41-a3f2-58c1e7d90b36',
          ruleId: 'bucket-public',
          title: 'Bucket is public',
          project: 'shop-prod',
          asset: '//storage.googleapis.com/shop-uploads',
          firstSeenAt: '2026-11-13T08:00:00.000Z',
        },
      ],
      topRules: [
        { ruleId: 'bucket-public', title: 'Bucket is public', severity: 'high', failing: 3 },
      ],
      compliance: [{ framework: 'cis-gcp-4.0', pass: 41, fail: 17, unknown: 6, na: 8, manual: 12 }],
    },
  });

export const PostureTrend = z
  .object({
    project: projectName.nullable().describe('Null: all projects of the tenant.'),
    from: day,
    to: day,
    interval: PostureInterval,
    points: z.array(
      z.object({
        date: day.describe('The day, or the Monday of the week (ISO 8601).'),
        open,
        opened: z.int().describe('Findings that were new or reopened in this interval.'),
        resolved: z.int().describe('Findings that were resolved in this interval.'),
        score,
        coverage,
      }),
    ),
  })
  .meta({
    id: 'PostureTrend',
    description: 'The posture over time, oldest first.',
    example: {
      project: 'shop-prod',
      from: '2026-11-20',
      to: '2026-11-20',
      interval: 'day',
      points: [
        {
          date: '2026-11-20',
          open: OPEN,
          opened: 6,
          resolved: 8,
          score: 91.4,
          coverage: COVERAGE,
        },
      ],
    },
  });

export const posture = routes({
  summary: {
    method: 'GET',
    path: '/posture/summary',
    summary: 'Get the posture of the tenant',
    description:
      'Returns what the first screen of a dashboard shows: open findings, score, changes, projects, scans, rules and compliance. The values are those of the last completed scan of each project.',
    query: z.strictObject({
      limit: z.int().min(1).max(100).default(25).describe('Maximum number of projects to return.'),
    }),
    responses: { 200: PostureSummary },
    metadata: policy({
      auth: 'any',
      permission: 'findings.read',
      idempotency: 'safe',
      tx: 'read',
      replica: true,
    }),
  },
  trend: {
    method: 'GET',
    path: '/posture/trend',
    summary: 'Get the posture over time',
    description:
      'Returns one point per day or week (UTC), up to today. Days without a completed scan carry the last values forward, with `opened` and `resolved` 0; days before the first completed scan have no point. A weekly point has the values of the end of the week and the sums of its days. The range is at most 738 days (two years and a week).',
    query: z.strictObject({
      project: projectName.optional().describe('If omitted: all projects of the tenant.'),
      from: day.optional().describe('The first day. If omitted: 89 days before `to`.'),
      to: day.optional().describe('The last day. If omitted: today.'),
      interval: PostureInterval.default('day').describe('One point per day or per week.'),
    }),
    responses: { 200: PostureTrend },
    metadata: policy({
      auth: 'any',
      permission: 'findings.read',
      idempotency: 'safe',
      tx: 'read',
      replica: true,
      problems: ['NOT_FOUND'],
    }),
  },
});
