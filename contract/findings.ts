import { z } from 'zod';
import { FindingGroup, FindingSummary, GROUP_KEYS } from './finding-summary.ts';
import { jsonValue } from './json-object.ts';
import { pageOf, pageQuery } from './page.ts';
import { policy } from './policy.ts';
import { routes, textResponse } from './route.ts';
import { Severity } from './severity.ts';
import { givenTime, id, projectName, text, timestamp } from './text.ts';

export const FINDING_STATUSES = ['open', 'resolved'] as const;
export const DELTAS = ['new', 'unchanged', 'reopened', 'resolved'] as const;
export const RESOLVED_REASONS = ['fixed', 'asset_gone', 'rule_retired'] as const;

export const fingerprint = z
  .string()
  .regex(/^[0-9a-f]{64}$/, 'must be the fingerprint of a finding: 64 lower-case hex digits')
  .meta({ example: '3b1f0c5f6c2f8d1f7a9be5a4c0d2e6f8901a2b3c4d5e6f708192a3b4c5d6e7f8' });

export const Compliance = z
  .object({
    framework: z.string().meta({ example: 'cis-gcp-4.0' }),
    id: z.string().meta({ example: '5.1' }),
  })
  .meta({ id: 'Compliance', description: 'The number of the requirement in the framework.' });

export const Finding = z
  .object({
    id,
    fingerprint: z.string().describe('Identifies the same problem on the same asset across scans.'),
    ruleId: z.string().meta({ example: 'bucket-public' }),
    title: z.string(),
    severity: Severity,
    status: z.enum(FINDING_STATUSES),
    delta: z
      .enum(DELTAS)
      .describe('Change since the previous scan. With filter `scan`: as recorded by that scan.'),
    project: projectName,
    asset: z.object({
      name: z.string().meta({ example: '//storage.googleapis.com/shop-uploads' }),
      type: z.string().meta({ example: 'storage.googleapis.com/Bucket' }),
    }),
    subject: z
      .string()
      .describe(
        'The part of the asset concerned, such as a binding or a port. Empty for the whole asset.',
      ),
    message: z.string(),
    evidence: z
      .array(z.object({ path: z.string(), value: jsonValue }))
      .describe(
        'The values that decided the verdict, each with its path in the asset. Secrets are redacted.',
      ),
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
    description: 'A rule violation on an asset.',
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
      message: 'allUsers has roles/storage.objectViewer on this bucket.',
      evidence: [{ path: 'iam_policy.bindings[0].members', value: 'allUsers' }],
      remediation: 'Remove the grant, then enforce public access prevention.',
      compliance: [{ framework: 'cis-gcp-4.0', id: '5.1' }],
      firstSeenAt: '2026-11-13T08:00:00.000Z',
      lastSeenAt: '2026-11-20T08:00:00.000Z',
      resolvedAt: null,
      resolvedReason: null,
      muted: null,
    },
  });

const EXAMPLE = Finding.meta()?.['example'] as z.input<typeof Finding>;

export const Fix = z
  .object({
    patch: z
      .array(
        z.object({
          op: z.enum(['add', 'replace', 'remove', 'test']),
          path: z.string().describe('A JSON Pointer (RFC 6901) into the asset as stored.'),
          value: jsonValue.optional().describe('Absent for `remove`.'),
        }),
      )
      .describe('JSON Patch (RFC 6902) on the asset as stored.'),
    gcloud: z
      .string()
      .describe(
        'Commands for a POSIX shell, one per line, with the names of the asset. A word in capitals, such as `ZONE`, stands for a value that the asset does not contain or that cannot be shown safely.',
      ),
    terraform: z
      .array(
        z.object({
          resource: z.string().describe('The type of the resource in the Google provider.'),
          match: z
            .string()
            .nullable()
            .describe(
              'Identifies the resource, block or entry among several. Null: the asset is enough.',
            ),
          attribute: z
            .string()
            .describe(
              'The path of the attribute, with dots between blocks. Several settings of one attribute are one block each.',
            ),
          value: z
            .string()
            .nullable()
            .describe('HCL. Null: remove the attribute, or what `match` identifies.'),
        }),
      )
      .describe(
        'The same change in Terraform. Empty for settings that the Google provider no longer has.',
      ),
    caution: z
      .string()
      .nullable()
      .describe('What the change interrupts or requires. Null: nothing is known.'),
    verified: z
      .literal(true)
      .describe(
        'The server applied the patch to the stored asset in memory: the rule passes then, and no other built-in rule turns from pass to fail.',
      ),
  })
  .meta({
    id: 'Fix',
    description:
      'A change of the asset after which its rule passes. It repairs all findings of the rule on the asset. The service never changes anything in your cloud.',
    example: {
      patch: [
        { op: 'test', path: '/iam_policy/bindings/0/members/0', value: 'allUsers' },
        { op: 'remove', path: '/iam_policy/bindings/0/members/0' },
        { op: 'remove', path: '/iam_policy/bindings/0' },
      ],
      gcloud:
        'gcloud storage buckets remove-iam-policy-binding gs://shop-uploads --member=allUsers --role=roles/storage.objectViewer',
      terraform: [
        {
          resource: 'google_storage_bucket_iam_member',
          match: 'role = "roles/storage.objectViewer", member = "allUsers"',
          attribute: 'member',
          value: null,
        },
      ],
      caution: null,
      verified: true,
    },
  });

export const FindingWithFix = z
  .object({
    ...Finding.shape,
    fix: Fix.nullable(),
    noFix: z
      .string()
      .nullable()
      .describe(
        'Why there is no automatic fix, as a clause: `needs the name of a key`. Null if there is one.',
      )
      .meta({ example: null }),
  })
  .meta({
    id: 'FindingWithFix',
    description: 'A rule violation on an asset, and how to repair it.',
    example: { ...EXAMPLE, fix: Fix.meta()?.['example'], noFix: null },
  });

/** Filters shared by the list, the groups, the summary and the export of findings. */
export const findingFilters = {
  project: z.array(projectName).max(100).optional().describe('Findings in any of these projects.'),
  severity: z.array(Severity).max(5).optional().describe('If omitted: all.'),
  status: z.array(z.enum(FINDING_STATUSES)).max(2).optional().describe('If omitted: all.'),
  rule: z
    .array(text(100))
    .max(100)
    .optional()
    .describe('Findings of any of these rules (ids).')
    .meta({ example: ['bucket-public'] }),
  scan: id
    .optional()
    .describe(
      'Findings that this scan saw or resolved, with its `delta`. An unknown id matches no finding.',
    ),
  muted: z
    .boolean()
    .optional()
    .describe('True: only muted findings. False: only findings that are not muted.'),
  q: text(200)
    .optional()
    .describe(
      'Findings whose asset name, title, message or rule id contains this text. Literal (no wildcards), case-insensitive.',
    )
    .meta({ example: 'shop-uploads' }),
  category: z
    .array(text(50))
    .max(20)
    .optional()
    .describe('Findings of rules in any of these categories. Custom rules: `custom`.')
    .meta({ example: ['storage'] }),
  assetType: z
    .array(text(200))
    .max(50)
    .optional()
    .describe('Findings on assets of any of these types.')
    .meta({ example: ['storage.googleapis.com/Bucket'] }),
  framework: z
    .array(text(50))
    .max(20)
    .optional()
    .describe(
      'Findings of rules that cover a requirement of any of these frameworks. `cis-gcp` stands for `cis-gcp-4.0`; no finding matches an unknown framework.',
    )
    .meta({ example: ['cis-gcp-4.0'] }),
  delta: z
    .array(z.enum(DELTAS))
    .max(4)
    .optional()
    .describe('The change since the previous scan. With `scan`: as recorded by that scan.'),
  since: givenTime.optional().describe('Findings first seen at or after this time.'),
  asset: text(2048)
    .optional()
    .describe('Findings on the asset with exactly this full resource name.')
    .meta({ example: '//storage.googleapis.com/shop-uploads' }),
  fingerprint: fingerprint
    .optional()
    .describe('The finding with this fingerprint, such as the one that a mute names.'),
};

export const FINDING_SORTS = ['newest', 'severity', 'lastSeen'] as const;

export const EXPORT_FORMATS = ['sarif', 'ocsf', 'csv', 'ndjson'] as const;

export const findings = routes({
  list: {
    method: 'GET',
    path: '/findings',
    summary: 'List findings',
    description:
      'Newest first, unless `sort` says otherwise. Without `scan`, returns the current state across all scans. A cursor is valid only for the `sort` that it came from and, with `sort=severity` or `sort=lastSeen`, only for the same filters; otherwise the response is 400.',
    query: z.strictObject({
      ...pageQuery,
      limit: z.int().min(1).max(500).default(25).describe('Maximum number of items to return.'),
      sort: z
        .enum(FINDING_SORTS)
        .default('newest')
        .describe(
          '`newest`: by creation, newest first. `severity`: most severe first, then newest. `lastSeen`: most recently seen first.',
        ),
      ...findingFilters,
    }),
    responses: { 200: pageOf(Finding) },
    metadata: policy({
      auth: 'any',
      permission: 'findings.read',
      idempotency: 'safe',
      tx: 'read',
      replica: true,
    }),
  },
  summary: {
    method: 'GET',
    path: '/findings/summary',
    summary: 'Count findings',
    description:
      'Counts the findings that match the filters of `GET /findings`, by severity, status, project and rule, with facets.',
    query: z.strictObject(findingFilters),
    responses: { 200: FindingSummary },
    metadata: policy({
      auth: 'any',
      permission: 'findings.read',
      idempotency: 'safe',
      tx: 'read',
      replica: true,
    }),
  },
  groups: {
    method: 'GET',
    path: '/findings/groups',
    summary: 'Group findings',
    description:
      'Groups the findings that match the filters by rule, asset or project. Worst severity first, then most open findings, then key. A group whose numbers change between two pages can be missing or appear twice. A cursor of other parameters returns 400.',
    query: z.strictObject({
      by: z.enum(GROUP_KEYS).describe('What to group by.').meta({ example: 'rule' }),
      limit: pageQuery.limit,
      // Carries the key of a group, which can be an asset name of 2,048 characters.
      cursor: z
        .string()
        .regex(/^[A-Za-z0-9_-]{1,8300}$/, 'is not a valid cursor')
        .optional()
        .describe('The `nextCursor` of the previous page. Opaque.')
        .meta({ example: 'MjAyNi0xMS0yMFQwODowMDowMFo' }),
      ...findingFilters,
    }),
    responses: { 200: pageOf(FindingGroup) },
    metadata: policy({
      auth: 'any',
      permission: 'findings.read',
      idempotency: 'safe',
      tx: 'read',
      replica: true,
    }),
  },
  export: {
    method: 'GET',
    path: '/findings/export',
    summary: 'Export findings',
    description:
      'Exports SARIF 2.1.0, OCSF 1.4 Compliance Findings (NDJSON), CSV, or NDJSON in the format of `GET /findings`. The response is streamed and has no size limit: if it ends before its last chunk, it is incomplete. Readers of SARIF such as GitHub take every result for an open finding: add `status=open`.',
    query: z.strictObject({
      format: z.enum(EXPORT_FORMATS).default('ndjson').describe('The format of the export.'),
      ...findingFilters,
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
      replica: true,
      stream: 'export',
      problems: ['SERVICE_UNAVAILABLE'],
    }),
  },
  get: {
    method: 'GET',
    path: '/findings/:id',
    summary: 'Get a finding',
    description:
      'Returns the finding with the values that decided the verdict, its remediation and, where a change of the asset repairs it, a verified fix.',
    pathParams: z.strictObject({ id: id.describe('The id of the finding.') }),
    responses: { 200: FindingWithFix },
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
