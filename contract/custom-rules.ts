import { z } from 'zod';
import { pageOf, pageQuery } from './page.ts';
import { policy } from './policy.ts';
import { noBody, routes } from './route.ts';
import { Severity } from './scans.ts';
import { jsonObject, projectName, text, timestamp } from './text.ts';

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
      'CEL; true: the asset violates the rule. `resource.data` is the content of the asset, whose members are also directly below `resource`; `iam_policy` the policy on it; `asset` its `name`, `type` and `ancestors`; `now` the moment of the scan. Besides the functions of CEL and those of its extension for strings there are `isPublic(x)` for a member, a list of them or a policy, `coversInternet(x)` for a range, a list of them or a firewall, `portOpen(resource, "tcp", 22)` and `flag(resource, "name")`, which is null for a database flag that is not set. What is not in the inventory makes the verdict UNKNOWN; ask with `has()` first. Numbers are doubles.',
    )
    .meta({ example: PREDICATE }),
  recommendation: text(2000)
    .default('')
    .or(z.literal(''))
    .meta({ example: 'Set the label owner.' }),
  enabled: z
    .boolean()
    .default(true)
    .describe('Whether `full` and the profiles that include it evaluate it.'),
  tests: z
    .array(
      z.strictObject({
        asset: jsonObject.describe('A record as an export has it.'),
        verdict: z.enum(['pass', 'fail', 'unknown']),
      }),
    )
    .max(50)
    .default([])
    .describe('What the rule is to say of these assets; it is refused if it says otherwise.')
    .meta({ example: [TEST] }),
};

const Definition = z
  .strictObject({
    id: customRuleId.optional().describe('Left out: made of the title.'),
    ...definition,
  })
  .meta({ id: 'CustomRuleDefinition', description: 'A rule of your own.' });

export const CustomRule = z
  .object({
    id: customRuleId,
    version: z.int().describe('Counts up with every change of what it says.'),
    title: z.string(),
    description: z.string(),
    severity: Severity,
    assetTypes: z.array(z.string()),
    predicate: z.string(),
    recommendation: z.string(),
    enabled: z.boolean(),
    tests: z.array(
      z.object({
        asset: z.record(z.string(), z.json()),
        verdict: z.enum(['pass', 'fail', 'unknown']),
      }),
    ),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({
    id: 'CustomRule',
    description: 'A rule that a tenant has written.',
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
            .describe('Of an embedded test; null: an asset of the project.'),
          message: z.string().describe('For `unknown`: what is missing.'),
        }),
      )
      .describe(
        'Of each embedded test, then of the assets of the project: at most 1,000 of them, violations first.',
      ),
    errors: z
      .array(z.object({ path: z.string(), message: z.string() }))
      .describe('What is wrong with the rule, or with which test; empty: it may be saved.'),
    evaluated: z.int().describe('How many assets of the project it was evaluated on.'),
    complete: z
      .boolean()
      .describe(
        'False: the project has more assets of its types, which there was no time for, or more verdicts than are listed.',
      ),
  })
  .meta({
    id: 'RuleTrial',
    description: 'What a rule would say, without saving anything.',
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

const pathParams = z.strictObject({ id: customRuleId.describe('The rule.') });

export const customRules = routes({
  list: {
    method: 'GET',
    path: '/custom-rules',
    summary: 'List custom rules',
    description: 'Newest first.',
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
      'A condition in CEL on assets of some types; a tenant has up to 100. It is compiled and its embedded tests are run first; what does not hold is refused with its place.',
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
      'Under the same id; scans that were launched before go on with the rule as it was.',
    pathParams,
    body: z
      .strictObject(definition)
      .meta({ id: 'CustomRuleReplacement', description: 'A rule of your own, but for its id.' }),
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
      feature: 'custom_rules',
      idempotency: 'natural',
      audit: 'custom_rule.deleted',
      tx: 'write',
      problems: ['NOT_FOUND'],
    }),
  },
  test: {
    method: 'POST',
    path: '/custom-rules/test',
    summary: 'Try a custom rule',
    description:
      'Compiles it, runs its embedded tests, and with a project evaluates it on the inventory in force, for some seconds at most. Nothing is saved.',
    body: z.strictObject({
      rule: Definition,
      project: projectName.optional().describe('On whose inventory to try it.'),
    }),
    responses: { 200: RuleTrial },
    metadata: policy({
      auth: 'any',
      permission: 'rules.write',
      feature: 'custom_rules',
      limit: 'preflight',
      idempotency: 'safe',
      tx: 'none',
      body: 'json',
      problems: ['NOT_FOUND', 'CONFLICT'],
    }),
  },
});
