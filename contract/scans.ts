import { z } from 'zod';
import { pageOf, pageQuery, wholeListOf } from './page.ts';
import { policy } from './policy.ts';
import { ScanRequest } from './preflight.ts';
import { noBody, routes, textResponse } from './route.ts';
import { SCAN_STATUSES, Scan } from './scan.ts';
import { CHANGES, ScanComparison } from './scan-comparison.ts';
import { Severity } from './severity.ts';
import { id, projectName, text } from './text.ts';

export const RuleCount = z
  .object({
    ruleId: z.string().meta({ example: 'bucket-public' }),
    pass: z.int().meta({ example: 11 }),
    fail: z.int().meta({ example: 1 }),
    na: z.int().meta({ example: 0 }),
    unknown: z.int().meta({ example: 2 }),
    missing: z
      .array(z.string())
      .describe('The data that the UNKNOWN verdicts lacked: asset types or content types.')
      .meta({ example: ['IAM_POLICY'] }),
  })
  .meta({
    id: 'RuleCount',
    description: 'Verdicts of one rule in a scan, across the assets of its types.',
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
      .describe('Number of requirements by status.'),
    requirements: z
      .array(
        z.object({
          id: z.string().meta({ example: '5.1' }),
          title: z.string().describe('A paraphrase; the text of the benchmark is under copyright.'),
          section: z.string().meta({ example: 'Storage' }),
          assessment: z
            .enum(['automated', 'manual'])
            .describe('How the benchmark assesses the requirement.'),
          status: z
            .enum(['pass', 'fail', 'unknown', 'na', 'manual'])
            .describe(
              '`fail`: an asset violates the requirement. `unknown`: the inventory or the profile of the scan cannot decide it. `na`: it applies to no asset. `manual`: it requires a person to assess it.',
            ),
          rules: z.array(RuleCount),
        }),
      )
      .describe('Every requirement of the framework, in the order of the framework.'),
  })
  .meta({
    id: 'ComplianceReport',
    description: 'The status of each requirement in a scan.',
    example: {
      framework: 'cis-gcp-4.0',
      scan: '0199c2a4-9b60-7d41-a3f2-58c1e7d90b36',
      summary: { pass: 38, fail: 17, unknown: 3, na: 6, manual: 20 },
      requirements: [
        {
          id: '5.1',
          title: 'No bucket is public',
          section: 'Storage',
          assessment: 'automated',
          status: 'fail',
          rules: [{ ruleId: 'bucket-public', pass: 11, fail: 1, na: 0, unknown: 0, missing: [] }],
        },
      ],
    },
  });

export const REPORT_FORMATS = ['html', 'pdf', 'csv'] as const;

const pathParams = z.strictObject({ id: id.describe('The id of the scan.') });

const framework = z
  .enum(FRAMEWORKS)
  .default('cis-gcp-4.0')
  .describe('The benchmark and its version.');

export const scans = routes({
  list: {
    method: 'GET',
    path: '/scans',
    summary: 'List scans',
    description: 'Newest first. Use `ids` to poll several scans with one request.',
    query: z.strictObject({
      ...pageQuery,
      status: z.array(z.enum(SCAN_STATUSES)).max(6).optional().describe('If omitted: all.'),
      project: z.array(projectName).max(100).optional().describe('Scans of any of these projects.'),
      ids: z
        .array(id)
        .max(100)
        .optional()
        .describe('Several scans by id, instead of one request per scan.'),
    }),
    responses: { 200: pageOf(Scan) },
    metadata: policy({
      auth: 'any',
      permission: 'scans.read',
      idempotency: 'safe',
      tx: 'read',
      replica: true,
    }),
  },
  launch: {
    method: 'POST',
    path: '/scans',
    summary: 'Launch a scan',
    description:
      'Queues one evaluation per project and returns immediately. Repeating the request with the same Idempotency-Key never launches a second scan.',
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
    description: 'Returns the progress and the results so far. A final `status` never changes.',
    pathParams,
    responses: { 200: Scan },
    metadata: policy({
      auth: 'any',
      permission: 'scans.read',
      idempotency: 'safe',
      tx: 'read',
      replica: true,
      problems: ['NOT_FOUND'],
    }),
  },
  rules: {
    method: 'GET',
    path: '/scans/:id/rules',
    summary: 'List verdicts of a scan by rule',
    description: 'Returns all rules of the profile in one response.',
    pathParams,
    responses: { 200: wholeListOf(RuleCount) },
    metadata: policy({
      auth: 'any',
      permission: 'scans.read',
      idempotency: 'safe',
      tx: 'read',
      replica: true,
      problems: ['NOT_FOUND'],
    }),
  },
  compliance: {
    method: 'GET',
    path: '/scans/:id/compliance',
    summary: 'Get the compliance of a scan with a framework',
    description:
      'Returns the status of every requirement of the framework, including those that a person must assess and those that the inventory cannot decide.',
    pathParams,
    query: z.strictObject({ framework }),
    responses: { 200: ComplianceReport },
    metadata: policy({
      auth: 'any',
      permission: 'scans.read',
      idempotency: 'safe',
      tx: 'read',
      replica: true,
      problems: ['NOT_FOUND'],
    }),
  },
  report: {
    method: 'GET',
    path: '/scans/:id/report',
    summary: 'Get a report of a scan',
    description:
      'Returns a document for people: score, trend, the requirements of a framework, the most severe findings and the muted findings. `html` is one page without scripts that opens from disk; `pdf` has the same content; `csv` has the requirements. Findings are as the scan saw them, muted by the mutes that are active now. Lists of findings are limited and state their total. The response is streamed: if it ends before its last chunk, it is incomplete. Returns 409 if the scan has not completed.',
    pathParams,
    query: z.strictObject({
      format: z.enum(REPORT_FORMATS).default('html').describe('The format of the report.'),
      framework,
    }),
    responses: {
      200: textResponse('text/html; charset=utf-8, application/pdf, text/csv; charset=utf-8'),
    },
    metadata: policy({
      auth: 'any',
      permission: 'findings.read',
      idempotency: 'safe',
      tx: 'none',
      replica: true,
      stream: 'report',
      problems: ['NOT_FOUND', 'SCAN_NOT_COMPLETED', 'SERVICE_UNAVAILABLE'],
    }),
  },
  compare: {
    method: 'GET',
    path: '/scans/:id/compare',
    summary: 'Compare two scans',
    description:
      'Lists the findings of two scans, newest first, each with its change from the earlier scan to this one. Only projects that completed in both scans are compared. Returns 409 if one of the scans has not completed, and 422 if `with` is not earlier or has no project in common.',
    pathParams,
    query: z.strictObject({
      with: id.describe('The id of the earlier scan.'),
      limit: z.int().min(1).max(500).default(25).describe('Maximum number of items to return.'),
      cursor: pageQuery.cursor,
      change: z.array(z.enum(CHANGES)).max(4).optional().describe('If omitted: all.'),
      severity: z.array(Severity).max(5).optional().describe('If omitted: all.'),
      rule: z
        .array(text(100))
        .max(100)
        .optional()
        .describe('Findings of any of these rules (ids).')
        .meta({ example: ['bucket-public'] }),
      project: z
        .array(projectName)
        .max(100)
        .optional()
        .describe('Findings in any of these projects.'),
      q: text(200)
        .optional()
        .describe(
          'Findings whose asset name, title, message or rule id contains this text. Literal (no wildcards), case-insensitive.',
        )
        .meta({ example: 'shop-uploads' }),
      counts: z
        .boolean()
        .default(true)
        .describe('False: leaves out `counts`, which take longer than a page for large scans.'),
    }),
    responses: { 200: ScanComparison },
    metadata: policy({
      auth: 'any',
      permission: 'findings.read',
      idempotency: 'safe',
      tx: 'read',
      replica: true,
      problems: ['NOT_FOUND', 'SCAN_NOT_COMPLETED', 'SCANS_NOT_COMPARABLE'],
    }),
  },
  cancel: {
    method: 'POST',
    path: '/scans/:id/cancel',
    summary: 'Cancel a scan',
    description:
      'Cancels the scan within seconds and keeps its results so far. A finished scan is returned unchanged.',
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
      'Server-sent events: `progress` with the scan, at most once per second and with an increasing `id`, then `done` with the finished scan, then the stream ends. A comment every 15 seconds keeps the connection open. `Last-Event-ID` resumes.',
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
      stream: 'events',
      problems: ['NOT_FOUND', 'SERVICE_UNAVAILABLE'],
    }),
  },
});
