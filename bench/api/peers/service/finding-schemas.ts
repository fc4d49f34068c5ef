// The same for findings: a page of them and their summary.
import { z } from 'zod';
import { cursor, projectName, severity } from './schemas.ts';

export const FindingQuery = z.object({
  limit: z.coerce.number().int().min(1).max(500).default(25),
  cursor,
});

const Finding = z.object({
  id: z.uuid(),
  fingerprint: z.string(),
  ruleId: z.string(),
  title: z.string(),
  severity,
  status: z.enum(['open', 'resolved']),
  delta: z.enum(['new', 'unchanged', 'reopened', 'resolved']),
  project: projectName,
  asset: z.object({ name: z.string(), type: z.string() }),
  subject: z.string(),
  message: z.string(),
  evidence: z.array(z.object({ path: z.string(), value: z.json() })),
  remediation: z.string(),
  compliance: z.array(z.object({ framework: z.string(), id: z.string() })),
  firstSeenAt: z.iso.datetime(),
  lastSeenAt: z.iso.datetime(),
  resolvedAt: z.iso.datetime().nullable(),
  resolvedReason: z.enum(['fixed', 'asset_gone', 'rule_retired']).nullable(),
  muted: z.object({ reason: z.string(), expiresAt: z.iso.datetime() }).nullable(),
});

export const FindingPage = z.object({ items: z.array(Finding), nextCursor: z.string().nullable() });

const count = z.object({ open: z.int(), resolved: z.int(), muted: z.int() });
const facet = z.array(z.object({ value: z.string(), count: z.int() }));

export const FindingSummary = z.object({
  total: count,
  bySeverity: z.object({ critical: count, high: count, medium: count, low: count, info: count }),
  byProject: z.array(z.object({ project: projectName, ...count.shape })),
  byRule: z.array(z.object({ ruleId: z.string(), severity, ...count.shape })),
  facets: z.object({
    severity: facet,
    status: facet,
    project: facet,
    rule: facet,
    category: facet,
    assetType: facet,
    framework: facet,
    delta: facet,
    muted: facet,
  }),
});

export type FindingQuery = z.output<typeof FindingQuery>;
export type Finding = z.output<typeof Finding>;
export type FindingPage = z.output<typeof FindingPage>;
export type FindingSummary = z.output<typeof FindingSummary>;
