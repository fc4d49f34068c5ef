import { z } from 'zod';
import { Compliance } from './findings.ts';
import { pageOf, pageQuery } from './page.ts';
import { policy } from './policy.ts';
import { routes } from './route.ts';
import { Severity } from './scans.ts';
import { text } from './text.ts';

export const Rule = z
  .object({
    id: z.string().meta({ example: 'bucket-public' }),
    version: z.int(),
    title: z.string(),
    severity: Severity,
    category: z.string().meta({ example: 'storage' }),
    assetTypes: z.array(z.string()),
    needs: z
      .array(z.string())
      .describe('The content of an export without which the verdict is UNKNOWN.'),
    description: z.string(),
    remediation: z.string(),
    compliance: z.array(Compliance),
  })
  .meta({ id: 'Rule', description: 'A condition that assets should meet.' });

export const Profile = z
  .object({
    name: z.string().meta({ example: 'full' }),
    title: z.string(),
    description: z.string(),
    digest: z.string().describe('SHA-256 over the rules, versions and parameters.'),
    ruleCount: z.int(),
    rules: z.array(z.string()),
  })
  .meta({ id: 'Profile', description: 'A named set of rules.' });

export const rules = routes({
  list: {
    method: 'GET',
    path: '/rules',
    summary: 'List rules',
    description: 'In the order of their ids.',
    query: z.strictObject({
      ...pageQuery,
      severity: z.array(Severity).max(5).optional().describe('Left out: all.'),
      category: z.array(text(50)).max(20).optional().describe('In any of these categories.'),
    }),
    responses: { 200: pageOf(Rule) },
    metadata: policy({ auth: 'any', permission: 'rules.read', idempotency: 'safe', tx: 'none' }),
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
      tx: 'none',
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
    metadata: policy({ auth: 'any', permission: 'rules.read', idempotency: 'safe', tx: 'none' }),
  },
});
