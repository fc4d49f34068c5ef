import { z } from 'zod';
import { Finding } from './findings.ts';
import { jsonMembers } from './json-object.ts';
import { pageOf, pageQuery } from './page.ts';
import { policy } from './policy.ts';
import { routes } from './route.ts';
import { Severity } from './severity.ts';
import { id, projectName, text, timestamp } from './text.ts';

export const VERDICTS = ['pass', 'fail', 'unknown', 'na'] as const;

/** Findings of one asset in a response. */
export const ASSET_FINDINGS_SHOWN = 100;

/** An asset whose JSON exceeds one of these is not shown: reading it would delay other requests. */
export const ASSET_SHOWN = {
  /** In UTF-8. */
  bytes: 1024 * 1024,
  /** Every array, object, string, number, boolean and null, at any level. */
  values: 10_000,
} as const;

const about = {
  name: z
    .string()
    .describe('The full resource name.')
    .meta({ example: '//storage.googleapis.com/shop-uploads' }),
  type: z.string().meta({ example: 'storage.googleapis.com/Bucket' }),
  location: z
    .string()
    .nullable()
    .describe('Region, zone or multi-region, in lower case. Null if the inventory has none.')
    .meta({ example: 'europe-west1' }),
};

export const Asset = z
  .object({
    ...about,
    openFindings: z.int().describe('Number of open findings, muted or not.').meta({ example: 2 }),
    worstSeverity: Severity.nullable().describe(
      'The worst severity of the open findings. Null if there are none.',
    ),
  })
  .meta({ id: 'Asset', description: 'An asset of the current inventory of a project.' });

export const AssetVerdict = z
  .object({
    ruleId: z.string().meta({ example: 'bucket-public' }),
    title: z.string().meta({ example: 'Bucket is public' }),
    severity: Severity.nullable().describe('Null for a custom rule that the scan did not store.'),
    verdict: z.enum(VERDICTS).meta({ example: 'fail' }),
    missing: z
      .string()
      .nullable()
      .describe('For `unknown`: the kind of content or the asset types that are missing.'),
  })
  .meta({ id: 'AssetVerdict', description: 'The verdict of one rule on an asset.' });

export const AssetDetails = z
  .object({
    ...about,
    inventory: z.object({ id, createdAt: timestamp }).describe('The current inventory.'),
    asset: jsonMembers
      .nullable()
      .describe(
        'The asset as stored: one record of a Cloud Asset Inventory export with the content of all records of the asset, such as `resource.data`, `iam_policy` and `ancestors`. Texts that contain a credential are `[redacted]`. Null if its JSON is larger than 1 MiB or has more than 10,000 values.',
      ),
    findings: z
      .array(Finding)
      .describe(
        `Open ones first, then most severe first; at most ${ASSET_FINDINGS_SHOWN}. \`GET /findings?asset=…\` lists all.`,
      ),
    scan: z
      .object({ id, createdAt: timestamp })
      .nullable()
      .describe('The last completed scan of the project. Null if there is none.'),
    verdicts: z
      .array(AssetVerdict)
      .nullable()
      .describe(
        'What that scan decided about this asset, by rule id. Null if it did not evaluate the asset, or was made by release 0.1.',
      ),
  })
  .meta({
    id: 'AssetDetails',
    description: 'An asset as stored, with its findings and the verdicts of the last scan.',
    example: {
      name: '//storage.googleapis.com/shop-uploads',
      type: 'storage.googleapis.com/Bucket',
      location: 'europe-west1',
      inventory: {
        id: '0199c2a4-7a11-7c3e-9d55-2b8f4e6a1c09',
        createdAt: '2026-11-20T07:58:00.000Z',
      },
      asset: {
        name: '//storage.googleapis.com/shop-uploads',
        asset_type: 'storage.googleapis.com/Bucket',
        ancestors: ['projects/482915036174'],
        resource: { location: 'europe-west1', data: { name: 'shop-uploads' } },
        iam_policy: {
          bindings: [{ role: 'roles/storage.objectViewer', members: ['allUsers'] }],
        },
      },
      findings: [],
      scan: {
        id: '0199c2a4-9b60-7d41-a3f2-58c1e7d90b36',
        createdAt: '2026-11-20T08:00:00.000Z',
      },
      verdicts: [
        {
          ruleId: 'bucket-public',
          title: 'Bucket is public',
          severity: 'high',
          verdict: 'fail',
          missing: null,
        },
      ],
    },
  });

const pathParams = z.strictObject({ project: projectName.describe('The name of the project.') });

const NOT_INDEXED =
  'Returns 503 for an inventory that an earlier release stored, until it has been indexed in the background.';

export const assets = routes({
  list: {
    method: 'GET',
    path: '/projects/:project/assets',
    summary: 'List the assets of a project',
    description: `The assets of the current inventory, ordered by name, then type. Empty without an inventory. ${NOT_INDEXED}`,
    pathParams,
    query: z.strictObject({
      limit: pageQuery.limit,
      // Carries a name and a type of together 1,500 bytes.
      cursor: z
        .string()
        .regex(/^[A-Za-z0-9_-]{1,2100}$/, 'is not a valid cursor')
        .optional()
        .describe('The `nextCursor` of the previous page. Opaque.')
        .meta({ example: 'Ly9zdG9yYWdl' }),
      type: z
        .array(text(256))
        .max(50)
        .optional()
        .describe('Assets of any of these types.')
        .meta({ example: ['storage.googleapis.com/Bucket'] }),
      q: text(200)
        .optional()
        .describe('Assets whose name contains this text. Literal (no wildcards), case-insensitive.')
        .meta({ example: 'shop-uploads' }),
      location: z
        .array(text(64))
        .max(50)
        .optional()
        .describe('Assets at any of these locations, in any letter case.')
        .meta({ example: ['europe-west1'] }),
      hasFindings: z
        .boolean()
        .optional()
        .describe('True: only assets with open findings, muted or not. False: only the others.'),
    }),
    responses: { 200: pageOf(Asset) },
    metadata: policy({
      auth: 'any',
      permission: 'findings.read',
      idempotency: 'safe',
      tx: 'read',
      replica: true,
      problems: ['NOT_FOUND'],
    }),
  },
  lookup: {
    method: 'GET',
    path: '/projects/:project/assets/lookup',
    summary: 'Get an asset',
    description: `Returns the asset as it is stored in the current inventory, its findings, and the verdicts of the last completed scan. ${NOT_INDEXED}`,
    pathParams,
    query: z.strictObject({
      name: text(2048)
        .describe('The full resource name of the asset.')
        .meta({ example: '//storage.googleapis.com/shop-uploads' }),
      type: text(256)
        .optional()
        .describe('If omitted: of several assets with the name, the one with the first type.')
        .meta({ example: 'storage.googleapis.com/Bucket' }),
    }),
    responses: { 200: AssetDetails },
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
