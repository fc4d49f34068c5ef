import { z } from 'zod';
import { pageOf, pageQuery } from './page.ts';
import { policy } from './policy.ts';
import { routes, textResponse } from './route.ts';
import { SEVERITIES, Severity } from './scans.ts';
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
  .meta({
    id: 'Finding',
    description: 'A fault of an asset that somebody should act on.',
    example: {
      id: '0199c2a4-9b60-7d41-a3f2-58c1e7d90b36',
      fingerprint: '3b1f0c5f6c2f8d1f7a9be5a4c0d2e6f8901a2b3c4d5e6f708192a3b4c5d6e7f8',
      ruleId: 'bucket-public',
      title: 'Bucket is public',
      severity: 'high',
      status: 'open',
      delta: 'unchanged',
      project: 'shop-prod',
      asset: {
        name: '//storage.googleapis.com/shop-uploads',
        type: 'storage.googleapis.com/Bucket',
      },
      subject: 'roles/storage.objectViewer allUsers',
      message: 'allUsers has roles/storage.objectViewer.',
      evidence: [{ path: 'iamPolicy.bindings[0].members[0]', value: 'allUsers' }],
      remediation: 'Remove the grant, then rule it out with public access prevention.',
      compliance: [{ framework: 'cis-gcp-4.0', id: '5.1' }],
      firstSeenAt: '2026-11-13T08:00:00.000Z',
      lastSeenAt: '2026-11-20T08:00:00.000Z',
      resolvedAt: null,
      resolvedReason: null,
      muted: null,
    },
  });

/** By what findings are chosen, in the list, the summary and the export alike. */
const filters = {
  project: z.array(projectName).max(100).optional().describe('In any of these projects.'),
  severity: z.array(Severity).max(5).optional().describe('Left out: all.'),
  status: z.array(z.enum(FINDING_STATUSES)).max(2).optional().describe('Left out: all.'),
  rule: z
    .array(text(100))
    .max(100)
    .optional()
    .describe('Of any of these rules, by id.')
    .meta({ example: ['bucket-public'] }),
  scan: id.optional().describe('What that scan saw or resolved, with its `delta`.'),
  muted: z
    .boolean()
    .optional()
    .describe('Only those that are muted now, or only those that are not.'),
};

export const EXPORT_FORMATS = ['sarif', 'ocsf', 'csv', 'ndjson'] as const;

const count = z.object({
  open: z.int(),
  resolved: z.int(),
  muted: z.int().describe('Of the open ones.'),
});

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
  })
  .meta({
    id: 'FindingSummary',
    description: 'How many findings there are, by what they are grouped by.',
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
    },
  });

export const findings = routes({
  list: {
    method: 'GET',
    path: '/findings',
    summary: 'List findings',
    description: 'Newest first. Without `scan`: as things stand now, over all scans.',
    query: z.strictObject({
      ...pageQuery,
      ...filters,
    }),
    responses: { 200: pageOf(Finding) },
    metadata: policy({ auth: 'any', permission: 'findings.read', idempotency: 'safe', tx: 'read' }),
  },
  summary: {
    method: 'GET',
    path: '/findings/summary',
    summary: 'Count findings',
    description: 'How many, by severity, status, project and rule.',
    query: z.strictObject({ project: filters.project }),
    responses: { 200: FindingSummary },
    metadata: policy({ auth: 'any', permission: 'findings.read', idempotency: 'safe', tx: 'read' }),
  },
  export: {
    method: 'GET',
    path: '/findings/export',
    summary: 'Export findings',
    description:
      'As SARIF 2.1.0, as OCSF 1.4 Compliance Findings (NDJSON), as CSV or as NDJSON of what `GET /findings` shows. Streamed, of any size: an answer that ends before its last chunk was cut and is not whole.',
    query: z.strictObject({
      format: z.enum(EXPORT_FORMATS).default('ndjson').describe('How they are written.'),
      ...filters,
    }),
    responses: {
      200: textResponse(
        'application/x-ndjson; charset=utf-8, application/sarif+json, text/csv; charset=utf-8',
      ),
    },
    metadata: policy({
      auth: 'any',
      permission: 'findings.read',
      idempotency: 'safe',
      tx: 'none',
      stream: true,
      problems: ['SERVICE_UNAVAILABLE'],
    }),
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
