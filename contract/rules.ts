import { z } from 'zod';
import { Compliance } from './findings.ts';
import {
  checkedBefore,
  JSON_OBJECT_LIMITS,
  jsonMembers,
  jsonObject,
  withoutProto,
} from './json-object.ts';
import { pageOf, pageQuery, wholeListOf } from './page.ts';
import { policy } from './policy.ts';
import { noBody, routes } from './route.ts';
import { Severity } from './severity.ts';
import { text } from './text.ts';

export const Rule = z
  .object({
    id: z.string().meta({ example: 'bucket-public' }),
    version: z.int().meta({ example: 1 }),
    title: z.string().meta({ example: 'Bucket is public' }),
    severity: Severity,
    category: z.string().meta({ example: 'storage' }),
    assetTypes: z.array(z.string()).meta({ example: ['storage.googleapis.com/Bucket'] }),
    needs: z
      .array(z.string())
      .describe(
        'The content type of the export that the rule requires; without it the verdict is UNKNOWN.',
      )
      .meta({ example: ['IAM_POLICY'] }),
    description: z.string().meta({ example: 'A bucket that grants a role to allUsers is public.' }),
    remediation: z
      .string()
      .meta({ example: 'Remove the grant, then enforce public access prevention.' }),
    noFix: z
      .string()
      .nullable()
      .describe(
        'Why findings of the rule have no automatic fix, as a clause. Null: those whose asset can be repaired have one.',
      )
      .meta({ example: null }),
    compliance: z.array(Compliance),
    parameters: jsonMembers
      .describe('Parameters that a profile of your tenant can set, with their defaults.')
      .meta({ example: {} }),
  })
  .meta({ id: 'Rule', description: 'A condition that assets should meet.' });

export const Profile = z
  .object({
    name: z.string().meta({ example: 'full' }),
    aliasOf: z
      .string()
      .nullable()
      .describe(
        'The profile that this name stands for, such as `cis-gcp-4.0` for `cis-gcp`. A later release may change it. Null if the profile is no alias.',
      )
      .meta({ example: null }),
    title: z.string().meta({ example: 'Every rule' }),
    description: z.string().meta({ example: 'All built-in rules.' }),
    digest: z
      .string()
      .describe('SHA-256 of the rules, versions and parameters.')
      .meta({ example: '9f2c6a1e0b7d43582f6c9e1a4b8d7035c2f1e6a9d0b3478596c7e8f1a2b3c4d5' }),
    ruleCount: z.int().meta({ example: 64 }),
    rules: z.array(z.string()).meta({ example: ['bucket-public', 'bucket-uniform-access'] }),
    definition: z
      .object({
        include: z.array(z.string()),
        exclude: z.array(z.string()),
        parameters: z.record(z.string(), jsonMembers),
      })
      .nullable()
      .describe('The definition of a custom profile. Null for a built-in profile.')
      .meta({ example: null }),
  })
  .meta({ id: 'Profile', description: 'A named set of rules.' });

const profileName = z
  .string()
  .regex(
    /^custom:[a-z0-9][a-z0-9._-]{0,62}$/,
    'must be custom: and 1 to 63 of a-z, 0-9, dot, underscore and hyphen',
  )
  .meta({ example: 'custom:web-tier' });

/** Maximum number of rules in each member of a profile. */
const MAX_RULES = 200;

const selectors = z.array(text(100)).max(MAX_RULES);

const definition = {
  include: selectors
    .min(1)
    .describe(
      'Rule ids (`*` matches any characters), or `category:…`, `severity:…`, `framework:…`, `profile:…`. Custom rules have the category `custom`.',
    )
    .meta({ example: ['category:storage', 'category:kms', 'severity:critical'] }),
  exclude: selectors
    .default([])
    .describe('Rules to exclude, in the same syntax.')
    .meta({ example: ['bucket-logging'] }),
  parameters: checkedBefore(
    withoutProto(z.record(text(100), jsonObject(JSON_OBJECT_LIMITS.parameters))),
    tooManyRules,
  )
    .default({})
    .describe('Parameters by rule id that differ from the default. Unknown parameters are refused.')
    .meta({ example: { 'kms-rotation-90d': { days: 30 } } }),
};

function tooManyRules(parameters: unknown): string | null {
  const names =
    typeof parameters === 'object' && parameters !== null ? Object.keys(parameters) : [];
  return names.length > MAX_RULES ? `must name at most ${MAX_RULES} rules` : null;
}

export const rules = routes({
  list: {
    method: 'GET',
    path: '/rules',
    summary: 'List rules',
    description:
      'Built-in rules and the enabled custom rules of your tenant (category `custom`), ordered by id.',
    query: z.strictObject({
      ...pageQuery,
      limit: z.int().min(1).max(500).default(25).describe('Maximum number of items to return.'),
      severity: z.array(Severity).max(5).optional().describe('If omitted: all.'),
      category: z
        .array(text(50))
        .max(20)
        .optional()
        .describe('Rules in any of these categories.')
        .meta({ example: ['storage'] }),
    }),
    responses: { 200: pageOf(Rule) },
    metadata: policy({
      auth: 'any',
      permission: 'rules.read',
      idempotency: 'safe',
      tx: 'read',
      cache: 'revalidate',
    }),
  },
  get: {
    method: 'GET',
    path: '/rules/:id',
    summary: 'Get a rule',
    description:
      'Returns what the rule checks, the rationale, the remediation, and the requirements that it covers.',
    pathParams: z.strictObject({
      id: text(100).meta({ description: 'The id of the rule.', example: 'bucket-public' }),
    }),
    responses: { 200: Rule },
    metadata: policy({
      auth: 'any',
      permission: 'rules.read',
      idempotency: 'safe',
      tx: 'read',
      problems: ['NOT_FOUND'],
    }),
  },
});

export const profiles = routes({
  list: {
    method: 'GET',
    path: '/profiles',
    summary: 'List profiles',
    description: 'Returns all profiles in one response.',
    responses: { 200: wholeListOf(Profile) },
    metadata: policy({
      auth: 'any',
      permission: 'rules.read',
      idempotency: 'safe',
      tx: 'read',
      cache: 'revalidate',
    }),
  },
  create: {
    method: 'POST',
    path: '/profiles',
    summary: 'Create a profile',
    description:
      'Creates a selection of rules with parameters, with a name that begins with `custom:`. A tenant can have up to 100 custom profiles. If a selected rule is deleted later, the others stay selected.',
    body: z.strictObject({ name: profileName, ...definition }),
    responses: { 201: Profile },
    metadata: policy({
      auth: 'any',
      permission: 'rules.write',
      idempotency: 'accepted',
      audit: 'profile.created',
      tx: 'write',
      body: 'json',
      problems: ['CONFLICT'],
    }),
  },
  update: {
    method: 'PUT',
    path: '/profiles/:name',
    summary: 'Replace a profile',
    description:
      'Scans that are already launched continue with the previous rules. Built-in profiles cannot be changed: their names return 404.',
    pathParams: z.strictObject({ name: profileName.describe('The name of the profile.') }),
    body: z.strictObject(definition),
    responses: { 200: Profile },
    metadata: policy({
      auth: 'any',
      permission: 'rules.write',
      idempotency: 'natural',
      audit: 'profile.updated',
      tx: 'write',
      body: 'json',
      problems: ['NOT_FOUND'],
    }),
  },
  delete: {
    method: 'DELETE',
    path: '/profiles/:name',
    summary: 'Delete a profile',
    description:
      'Scans that were launched with it keep their rules. Built-in profiles cannot be deleted: their names return 404.',
    pathParams: z.strictObject({ name: profileName.describe('The name of the profile.') }),
    responses: { 204: noBody },
    metadata: policy({
      auth: 'any',
      permission: 'rules.write',
      idempotency: 'natural',
      audit: 'profile.deleted',
      tx: 'write',
      problems: ['NOT_FOUND'],
    }),
  },
});
