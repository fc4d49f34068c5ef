import { z } from 'zod';
import { JSON_OBJECT_LIMITS, jsonMembers, jsonObject } from './json-object.ts';
import { pageOf, pageQuery } from './page.ts';
import { policy } from './policy.ts';
import { noBody, routes } from './route.ts';
import { Severity } from './severity.ts';
import { projectName, text, timestamp } from './text.ts';

export const customRuleId = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9._-]{0,62}$/,
    'must be 1 to 63 of a-z, 0-9, dot, underscore and hyphen, beginning with a letter or a digit',
  )
  .meta({ example: 'bucket-has-owner' });

const PREDICATE = '!has(resource.data.labels) || !has(resource.data.labels.owner)';

const TEST = {
  asset: {
    name: '//storage.googleapis.com/shop-uploads',
    asset_type: 'storage.googleapis.com/Bucket',
    resource: { data: { labels: {} } },
  },
  verdict: 'fail',
};

const definition = {
  title: text(200).meta({ example: 'Bucket without an owner' }),
  description: text(2000)
    .default('')
    .or(z.literal(''))
    .meta({ example: 'Every bucket names its team in the label owner.' }),
  severity: Severity,
  assetTypes: z
    .array(text(200))
    .min(1)
    .max(20)
    .meta({ example: ['storage.googleapis.com/Bucket'] }),
  predicate: text(5000)
    .describe(
      'A CEL expression; true means that the asset violates the rule. `resource.data` is the content of the asset; its members are also available directly under `resource`. `iam_policy` is the IAM policy of the asset, `asset` has its `name`, `type` and `ancestors`, and `now` is the time of the scan. Besides the standard CEL functions and the string extension there are `isPublic(x)` for a member, a binding, an access entry, a list of them or a policy, `coversInternet(x)` for a range, a list of ranges or a firewall, `portOpen(resource, "tcp", 22)` and `flag(resource, "name")`, which is null for an unset database flag. Data missing from the inventory makes the verdict UNKNOWN; test with `has()` first. Numbers are doubles.',
    )
    .meta({ example: PREDICATE }),
  recommendation: text(2000)
    .default('')
    .or(z.literal(''))
    .meta({ example: 'Set the label owner.' }),
  enabled: z
    .boolean()
    .default(true)
    .describe('Whether `full` and the profiles that include it evaluate the rule.'),
  tests: z
    .array(
      z.strictObject({
        asset: jsonObject(JSON_OBJECT_LIMITS.testAsset).describe(
          'A record in the format of a Cloud Asset Inventory export.',
        ),
        verdict: z.enum(['pass', 'fail', 'unknown']),
      }),
    )
    .max(50)
    .default([])
    .describe(
      'Assets with the verdict that the rule must return for each. The rule is refused if a verdict differs.',
    )
    .meta({ example: [TEST] }),
};

const Definition = z
  .strictObject({
    id: customRuleId.optional().describe('If omitted, derived from the title.'),
    ...definition,
  })
  .meta({ id: 'CustomRuleDefinition', description: 'The id of a custom rule.' });

export const CustomRule = z
  .object({
    id: customRuleId,
    version: z.int().describe('Incremented whenever the definition changes.'),
    title: z.string(),
    description: z.string(),
    severity: Severity,
    assetTypes: z.array(z.string()),
    predicate: z.string(),
    recommendation: z.string(),
    enabled: z.boolean(),
    tests: z.array(
      z.object({
        asset: jsonMembers,
        verdict: z.enum(['pass', 'fail', 'unknown']),
      }),
    ),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({
    id: 'CustomRule',
    description: 'A rule written by a tenant.',
    example: {
      id: 'bucket-has-owner',
      version: 1,
      title: 'Bucket without an owner',
      description: 'Every bucket names its team in the label owner.',
      severity: 'medium',
      assetTypes: ['storage.googleapis.com/Bucket'],
      predicate: PREDICATE,
      recommendation: 'Set the label owner.',
      enabled: true,
      tests: [TEST],
      createdAt: '2026-11-20T08:00:00.000Z',
      updatedAt: '2026-11-20T08:00:00.000Z',
    },
  });

export const RuleTrial = z
  .object({
    verdicts: z
      .array(
        z.object({
          asset: z.object({ name: z.string(), type: z.string() }),
          verdict: z.enum(['pass', 'fail', 'unknown']),
          expected: z
            .enum(['pass', 'fail', 'unknown'])
            .nullable()
            .describe('The name of an embedded test; null for an asset of the project.'),
          message: z.string().describe('The missing data, if the verdict is `unknown`.'),
        }),
      )
      .describe(
        'The verdicts of the embedded tests, then of the assets of the project: at most 1,000, violations first.',
      ),
    errors: z
      .array(z.object({ path: z.string(), message: z.string() }))
      .describe('Errors in the rule or in its tests. Empty if the rule can be saved.'),
    evaluated: z.int().describe('The number of assets of the project that were evaluated.'),
    complete: z
      .boolean()
      .describe(
        'False if the time limit was reached before all matching assets were evaluated, if one was left out because its JSON is longer than 262,144 characters, or if there are more verdicts than listed.',
      ),
  })
  .meta({
    id: 'RuleTrial',
    description: 'The result of a rule that is not saved.',
    example: {
      verdicts: [
        {
          asset: {
            name: '//storage.googleapis.com/shop-uploads',
            type: 'storage.googleapis.com/Bucket',
          },
          verdict: 'fail',
          expected: 'fail',
          message: '',
        },
      ],
      errors: [],
      evaluated: 0,
      complete: true,
    },
  });

export const AssetFields = z
  .object({
    fields: z
      .array(
        z.object({
          path: z
            .array(z.string())
            .describe(
              'Member names from the outermost in; `[]` stands for the elements of a list.',
            ),
          kinds: z.array(z.enum(['string', 'number', 'boolean', 'null', 'object', 'list'])),
          assets: z.int().describe('The number of sampled assets that have the field.'),
        }),
      )
      .describe('At most 500, the most frequent first; at most 8 levels deep.'),
    sampled: z.int().describe('The number of assets that were read.'),
    complete: z
      .boolean()
      .describe('False if there are more assets than were read, or more fields than are listed.'),
  })
  .meta({
    id: 'AssetFields',
    description: 'The fields of assets, without their values.',
    example: {
      fields: [
        { path: ['labels'], kinds: ['object'], assets: 12 },
        { path: ['labels', 'owner'], kinds: ['string'], assets: 9 },
      ],
      sampled: 12,
      complete: true,
    },
  });

const pathParams = z.strictObject({ id: customRuleId.describe('The rule.') });

export const customRules = routes({
  list: {
    method: 'GET',
    path: '/custom-rules',
    summary: 'List custom rules',
    description:
      'Newest first. A page has fewer rules than `limit` if their tests together exceed 1 MiB.',
    query: z.strictObject({ ...pageQuery }),
    responses: { 200: pageOf(CustomRule) },
    metadata: policy({
      auth: 'any',
      permission: 'rules.read',
      feature: 'custom_rules',
      idempotency: 'safe',
      tx: 'read',
    }),
  },
  create: {
    method: 'POST',
    path: '/custom-rules',
    summary: 'Create a custom rule',
    description:
      'A condition in CEL on assets of given types. A tenant can have up to 100 custom rules. The rule is compiled and its embedded tests are run first; errors are refused with their location.',
    body: Definition,
    responses: { 201: CustomRule },
    metadata: policy({
      auth: 'any',
      permission: 'rules.write',
      feature: 'custom_rules',
      idempotency: 'accepted',
      audit: 'custom_rule.created',
      tx: 'write',
      body: 'json',
      problems: ['CONFLICT'],
    }),
  },
  update: {
    method: 'PUT',
    path: '/custom-rules/:id',
    summary: 'Replace a custom rule',
    description:
      'Keeps the id. Scans that are already launched continue with the previous version.',
    pathParams,
    body: z
      .strictObject(definition)
      .meta({ id: 'CustomRuleReplacement', description: 'A custom rule without its id.' }),
    responses: { 200: CustomRule },
    metadata: policy({
      auth: 'any',
      permission: 'rules.write',
      feature: 'custom_rules',
      idempotency: 'natural',
      audit: 'custom_rule.updated',
      tx: 'write',
      body: 'json',
      problems: ['NOT_FOUND'],
    }),
  },
  delete: {
    method: 'DELETE',
    path: '/custom-rules/:id',
    summary: 'Delete a custom rule',
    description: 'The next scan resolves its findings as `rule_retired`.',
    pathParams,
    responses: { 204: noBody },
    metadata: policy({
      auth: 'any',
      permission: 'rules.write',
      idempotency: 'natural',
      audit: 'custom_rule.deleted',
      tx: 'write',
      problems: ['NOT_FOUND'],
    }),
  },
  test: {
    method: 'POST',
    path: '/custom-rules/test',
    summary: 'Test a custom rule',
    description:
      'Compiles the rule, runs its embedded tests and, if a project is given, evaluates it on the current inventory for a few seconds at most, which also requires `findings.read`. Saves nothing.',
    body: z.strictObject({
      rule: Definition,
      project: projectName
        .optional()
        .describe('The project whose inventory the rule is evaluated on.'),
    }),
    responses: { 200: RuleTrial },
    metadata: policy({
      auth: 'any',
      permission: 'rules.write',
      feature: 'custom_rules',
      limit: 'custom-rule-test',
      idempotency: 'safe',
      tx: 'none',
      body: 'json',
      problems: ['NOT_FOUND', 'CONFLICT'],
    }),
  },
  fields: {
    method: 'GET',
    path: '/custom-rules/fields',
    summary: 'List the fields of assets',
    description:
      'The members of `resource.data` that a predicate can read, from a sample of the current inventory: at most 100 assets of each type. Names and kinds, no values.',
    query: z.strictObject({
      project: projectName.describe('The project whose inventory is sampled.'),
      assetType: z
        .array(text(200))
        .min(1)
        .max(20)
        .describe('The types of the assets.')
        .meta({ example: ['storage.googleapis.com/Bucket'] }),
    }),
    responses: { 200: AssetFields },
    metadata: policy({
      auth: 'any',
      permission: 'rules.write',
      feature: 'custom_rules',
      idempotency: 'safe',
      tx: 'none',
      problems: ['NOT_FOUND', 'CONFLICT'],
    }),
  },
});
