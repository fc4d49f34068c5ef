import { z } from 'zod';
import { SEVERITIES, Severity } from './severity.ts';
import { projectName, timestamp } from './text.ts';

const count = z.object({
  open: z.int(),
  resolved: z.int(),
  muted: z.int().describe('Number of open findings that are muted.'),
});

/** Maximum number of values in a facet. */
const FACET_VALUES = 100;

const facet = z.array(
  z.object({
    value: z.string().meta({ example: 'high' }),
    count: z.int().meta({ example: 14 }),
  }),
);

const facets = z
  .object({
    severity: facet,
    status: facet,
    project: facet,
    rule: facet,
    category: facet.describe('Rules that the service no longer has are in no category.'),
    assetType: facet,
    framework: facet.describe('A finding counts once in each framework of its rule.'),
    delta: facet,
    muted: facet.describe('`true` and `false`.'),
  })
  .describe(
    `For each filter, the values that occur and the number of findings with each. A facet ignores the filter of its own name. At most ${FACET_VALUES} values each, most frequent first.`,
  );

export const FindingSummary = z
  .object({
    total: count,
    bySeverity: z.object(
      Object.fromEntries(SEVERITIES.map((severity) => [severity, count])) as Record<
        (typeof SEVERITIES)[number],
        typeof count
      >,
    ),
    byProject: z.array(z.object({ project: projectName, ...count.shape })),
    byRule: z.array(z.object({ ruleId: z.string(), severity: Severity, ...count.shape })),
    facets,
  })
  .meta({
    id: 'FindingSummary',
    description:
      'Numbers of findings by severity, project and rule, and the facets of the filters.',
    example: {
      total: { open: 61, resolved: 8, muted: 3 },
      bySeverity: {
        critical: { open: 2, resolved: 1, muted: 0 },
        high: { open: 14, resolved: 2, muted: 1 },
        medium: { open: 31, resolved: 4, muted: 2 },
        low: { open: 12, resolved: 1, muted: 0 },
        info: { open: 2, resolved: 0, muted: 0 },
      },
      byProject: [{ project: 'shop-prod', open: 61, resolved: 8, muted: 3 }],
      byRule: [{ ruleId: 'bucket-public', severity: 'high', open: 1, resolved: 2, muted: 0 }],
      facets: {
        severity: [
          { value: 'medium', count: 35 },
          { value: 'high', count: 16 },
        ],
        status: [
          { value: 'open', count: 61 },
          { value: 'resolved', count: 8 },
        ],
        project: [{ value: 'shop-prod', count: 69 }],
        rule: [{ value: 'bucket-public', count: 3 }],
        category: [{ value: 'storage', count: 12 }],
        assetType: [{ value: 'storage.googleapis.com/Bucket', count: 12 }],
        framework: [{ value: 'cis-gcp-4.0', count: 48 }],
        delta: [{ value: 'new', count: 5 }],
        muted: [
          { value: 'false', count: 66 },
          { value: 'true', count: 3 },
        ],
      },
    },
  });

export const GROUP_KEYS = ['rule', 'asset', 'project'] as const;

export const FindingGroup = z
  .object({
    key: z
      .string()
      .describe('The rule id, the full name of the asset, or the name of the project.')
      .meta({ example: 'bucket-public' }),
    title: z
      .string()
      .describe(
        'The title of the rule, the last segment of the asset name, or the name of the project.',
      )
      .meta({ example: 'Bucket is public' }),
    severity: Severity.describe('The worst severity in the group.'),
    ...count.shape,
    lastSeenAt: timestamp,
    projects: z.int().describe('Number of projects.').meta({ example: 2 }),
  })
  .meta({
    id: 'FindingGroup',
    description: 'The findings of a rule, an asset or a project that match the filters, counted.',
    example: {
      key: 'bucket-public',
      title: 'Bucket is public',
      severity: 'high',
      open: 14,
      resolved: 2,
      muted: 1,
      lastSeenAt: '2026-11-20T08:00:00.000Z',
      projects: 2,
    },
  });
