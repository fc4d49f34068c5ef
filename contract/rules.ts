import { z } from 'zod';
import { Compliance } from './findings.ts';
import { pageOf, pageQuery } from './page.ts';
import { policy } from './policy.ts';
import { noBody, routes } from './route.ts';
import { Severity } from './scans.ts';
import { jsonObject, text } from './text.ts';

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
      .describe('The content of an export without which the verdict is UNKNOWN.')
      .meta({ example: ['IAM_POLICY'] }),
    description: z
      .string()
      .meta({ example: 'A bucket that gives a role to allUsers is open to the world.' }),
    remediation: z
      .string()
      .meta({ example: 'Remove the grant, then rule it out with public access prevention.' }),
    compliance: z.array(Compliance),
    parameters: z
      .record(z.string(), z.json())
      .describe('What a profile of your tenant may set, at the default.')
      .meta({ example: {} }),
  })
  .meta({ id: 'Rule', description: 'A condition that assets should meet.' });

export const Profile = z
  .object({
    name: z.string().meta({ example: 'full' }),
    title: z.string().meta({ example: 'Every rule' }),
    description: z.string().meta({ example: 'All that we know to look for.' }),
    digest: z
      .string()
      .describe('SHA-256 over the rules, versions and parameters.')
      .meta({ example: '9f2c6a1e0b7d43582f6c9e1a4b8d7035c2f1e6a9d0b3478596c7e8f1a2b3c4d5' }),
    ruleCount: z.int().meta({ example: 64 }),
    rules: z.array(z.string()).meta({ example: ['bucket-public', 'bucket-ubla'] }),
    definition: z
      .object({
        include: z.array(z.string()),
        exclude: z.array(z.string()),
        parameters: z.record(z.string(), z.record(z.string(), z.json())),
      })
      .nullable()
      .describe('What your tenant has written; null: a profile of the product.')
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

const selectors = z.array(text(100)).max(200);

const definition = {
  include: selectors
    .min(1)
    .describe(
      'Rules by id (`*` stands for any characters), or `category:…`, `severity:…`, `framework:…`, `profile:…`. Those that your tenant has written have the category `custom`.',
    )
    .meta({ example: ['category:storage', 'category:kms', 'severity:critical'] }),
  exclude: selectors
    .default([])
    .describe('Rules to leave out, named likewise.')
    .meta({ example: ['bucket-logging'] }),
  parameters: z
    .record(text(100), jsonObject)
    .default({})
    .describe(
      'By rule id: parameters that are not to be at their default. Unknown ones are refused.',
    )
    .meta({ example: { 'kms-rotation-90d': { days: 30 } } }),
};

export const rules = routes({
  list: {
    method: 'GET',
    path: '/rules',
    summary: 'List rules',
    description:
      'Those of the product, and those of your tenant (category `custom`) that are enabled, in the order of their ids.',
    query: z.strictObject({
      ...pageQuery,
      severity: z.array(Severity).max(5).optional().describe('Left out: all.'),
      category: z
        .array(text(50))
        .max(20)
        .optional()
        .describe('In any of these categories.')
        .meta({ example: ['storage'] }),
    }),
    responses: { 200: pageOf(Rule) },
    metadata: policy({ auth: 'any', permission: 'rules.read', idempotency: 'safe', tx: 'read' }),
  },
  get: {
    method: 'GET',
    path: '/rules/:id',
    summary: 'Get a rule',
    description:
      'What it checks, why, what mends a violation, and which requirements it stands for.',
    pathParams: z.strictObject({
      id: text(100).meta({ description: 'The rule.', example: 'bucket-public' }),
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
    description: 'Whole in one answer.',
    responses: { 200: pageOf(Profile) },
    metadata: policy({ auth: 'any', permission: 'rules.read', idempotency: 'safe', tx: 'read' }),
  },
  create: {
    method: 'POST',
    path: '/profiles',
    summary: 'Create a profile',
    description:
      'A choice of rules with parameters, under a name that begins with `custom:`; a tenant has up to 100. Where it names rules that are deleted later, the others stay chosen.',
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
    description: 'Scans that were launched before go on with the rules as they were.',
    pathParams: z.strictObject({ name: profileName.describe('The profile.') }),
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
    description: 'Scans that were launched with it keep their rules.',
    pathParams: z.strictObject({ name: profileName.describe('The profile.') }),
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
