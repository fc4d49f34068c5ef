import { z } from 'zod';
import { Finding } from './findings.ts';
import { bySeverity } from './severity.ts';
import { id, projectName, timestamp } from './text.ts';

export const CHANGES = ['new', 'resolved', 'reopened', 'unchanged'] as const;

const Change = z
  .enum(CHANGES)
  .describe(
    '`new`: first seen after the earlier scan. `resolved`: open after the earlier scan and resolved after the later one. `reopened`: the reverse. `unchanged`: open after both scans.',
  );

const side = z.object({
  id,
  profile: z.string().meta({ example: 'full' }),
  createdAt: timestamp,
});

const count = z.object({ total: z.int(), bySeverity });

export const ComparedFinding = z
  .object({
    change: Change,
    finding: Finding.describe('The finding as it is now.'),
  })
  .meta({
    id: 'ComparedFinding',
    description: 'A finding, and how it changed from one scan to another.',
    example: { change: 'new', finding: Finding.meta()?.['example'] },
  });

const NONE = { critical: 0, high: 0, medium: 0, low: 0, info: 0 };

export const ScanComparison = z
  .object({
    scan: side.describe('The later scan.'),
    with: side.describe('The earlier scan.'),
    projects: z.array(projectName).describe('The projects that completed in both scans.'),
    ruleSetChanged: z
      .boolean()
      .describe(
        'Whether the scans evaluated different rules, versions or parameters. If so, a finding can be new or resolved although its asset did not change.',
      ),
    counts: z
      .object({ new: count, resolved: count, reopened: count, unchanged: count })
      .nullable()
      .describe(
        'Number of findings by change and severity, under the filters `rule`, `project` and `q`. Null on later pages, and with `counts=false`.',
      ),
    items: z.array(ComparedFinding),
    nextCursor: z
      .string()
      .nullable()
      .describe('Pass it as `cursor` to get the next page. Null on the last page.'),
  })
  .meta({
    id: 'ScanComparison',
    description: 'What changed from one scan to a later one of the same projects.',
    example: {
      scan: {
        id: '0199c2a4-9b60-7d41-a3f2-58c1e7d90b36',
        profile: 'full',
        createdAt: '2026-11-20T08:00:00.000Z',
      },
      with: {
        id: '01999e98-4f60-7a02-8c11-94d0be7a5e21',
        profile: 'full',
        createdAt: '2026-11-13T08:00:00.000Z',
      },
      projects: ['shop-prod'],
      ruleSetChanged: false,
      counts: {
        new: { total: 1, bySeverity: { ...NONE, high: 1 } },
        resolved: { total: 0, bySeverity: NONE },
        reopened: { total: 0, bySeverity: NONE },
        unchanged: { total: 0, bySeverity: NONE },
      },
      items: [{ change: 'new', finding: Finding.meta()?.['example'] }],
      nextCursor: null,
    },
  });
