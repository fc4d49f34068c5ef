import { z } from 'zod';
import { pageOf, pageQuery } from './page.ts';
import { policy } from './policy.ts';
import { routes } from './route.ts';
import { Severity } from './scans.ts';
import { id, projectName, text, timestamp } from './text.ts';

export const FINDING_STATUSES = ['open', 'resolved'] as const;
export const DELTAS = ['new', 'unchanged', 'reopened', 'resolved'] as const;
export const RESOLVED_REASONS = ['fixed', 'asset_gone', 'rule_retired'] as const;

export const Compliance = z
  .object({
    framework: z.string().meta({ example: 'cis-gcp-4.0' }),
    id: z.string().meta({ example: '5.1' }),
  })
  .meta({ id: 'Compliance', description: 'A requirement of a framework, by its number.' });

export const Finding = z
  .object({
    id,
    fingerprint: z
      .string()
      .describe('The same for the same fault of the same asset, from scan to scan.'),
    ruleId: z.string().meta({ example: 'bucket-public' }),
    title: z.string(),
    severity: Severity,
    status: z.enum(FINDING_STATUSES),
    delta: z
      .enum(DELTAS)
      .describe('Against the scan before; with filter `scan`, as that scan saw it.'),
    project: projectName,
    asset: z.object({
      name: z.string().meta({ example: '//storage.googleapis.com/shop-uploads' }),
      type: z.string().meta({ example: 'storage.googleapis.com/Bucket' }),
    }),
    subject: z
      .string()
      .describe('What of the asset is meant: a binding, a port; empty: the asset as a whole.'),
    message: z.string(),
    evidence: z
      .array(z.object({ path: z.string(), value: z.json() }))
      .describe('The values that decided, each with its path in the asset; secrets redacted.'),
    remediation: z.string(),
    compliance: z.array(Compliance),
    firstSeenAt: timestamp,
    lastSeenAt: timestamp,
    resolvedAt: timestamp.nullable(),
    resolvedReason: z.enum(RESOLVED_REASONS).nullable(),
    muted: z.object({ reason: z.string(), expiresAt: timestamp }).nullable(),
  })
  .meta({ id: 'Finding', description: 'A fault of an asset that somebody should act on.' });

export const findings = routes({
  list: {
    method: 'GET',
    path: '/findings',
    summary: 'List findings',
    description: 'Newest first. Without `scan`: as things stand now, over all scans.',
    query: z.strictObject({
      ...pageQuery,
      project: z.array(projectName).max(100).optional().describe('In any of these projects.'),
      severity: z.array(Severity).max(5).optional().describe('Left out: all.'),
      status: z.array(z.enum(FINDING_STATUSES)).max(2).optional().describe('Left out: all.'),
      rule: z.array(text(100)).max(100).optional().describe('Of any of these rules, by id.'),
      scan: id.optional().describe('What that scan saw or resolved, with its `delta`.'),
    }),
    responses: { 200: pageOf(Finding) },
    metadata: policy({ auth: 'any', permission: 'findings.read', idempotency: 'safe', tx: 'read' }),
  },
  get: {
    method: 'GET',
    path: '/findings/:id',
    summary: 'Get a finding',
    description: 'With the values that decided, and what mends it.',
    pathParams: z.strictObject({ id: id.describe('The finding.') }),
    responses: { 200: Finding },
    metadata: policy({
      auth: 'any',
      permission: 'findings.read',
      idempotency: 'safe',
      tx: 'read',
      problems: ['NOT_FOUND'],
    }),
  },
});
