import { z } from 'zod';
import { jsonMembers } from './json-object.ts';
import { policy } from './policy.ts';
import { PROBLEM_CODES, PROBLEMS, problemSlug, problemType } from './problem.ts';
import { routes, textResponse } from './route.ts';

const open = { auth: 'public', idempotency: 'safe', tx: 'none' } as const;

export const Health = z
  .object({
    status: z.enum(['ok']),
    checks: z
      .record(z.string(), z.enum(['ok', 'failing']))
      .meta({ example: { database: 'ok', migrations: 'ok', traffic: 'ok' } }),
  })
  .meta({ id: 'Health', description: 'The state of one server process.' });

export const ProblemPage = z
  .object({
    code: z.enum(PROBLEM_CODES),
    type: z.string(),
    status: z.int(),
    title: z.string(),
    help: z.string(),
  })
  .meta({
    id: 'ProblemPage',
    description: 'Explains a problem code and its remedy.',
    example: { code: 'NOT_FOUND', type: problemType('NOT_FOUND'), ...PROBLEMS.NOT_FOUND },
  });

export const meta = routes({
  live: {
    method: 'GET',
    path: '/health/live',
    summary: 'Liveness probe',
    description: 'For the liveness probe of an orchestrator. Checks only the process itself.',
    responses: { 200: Health },
    metadata: policy({ ...open, limit: 'none' }),
  },
  ready: {
    method: 'GET',
    path: '/health/ready',
    summary: 'Readiness probe',
    description:
      'Returns 503 while the database is unreachable or lacks migrations, or while the process shuts down. Members `health` and `missing` of the problem give the reason.',
    responses: { 200: Health },
    metadata: policy({ ...open, limit: 'none', problems: ['SERVICE_UNAVAILABLE'] }),
  },
  openapi: {
    method: 'GET',
    path: '/openapi.json',
    summary: 'Get the OpenAPI document',
    description: 'The OpenAPI 3.1 document of the running service.',
    responses: {
      200: jsonMembers.meta({ example: { openapi: '3.1.0', paths: {} } }),
    },
    metadata: policy({ ...open, cache: 'revalidate' }),
  },
  docs: {
    method: 'GET',
    path: '/docs',
    summary: 'Get the API reference page',
    description: 'A page that loads nothing from other origins.',
    responses: { 200: textResponse('text/html; charset=utf-8') },
    metadata: policy({ ...open, cache: 'revalidate' }),
  },
  docsScript: {
    method: 'GET',
    path: '/docs/script.js',
    summary: 'Get the script of the API reference page',
    responses: { 200: textResponse('text/javascript; charset=utf-8') },
    metadata: policy({ ...open, cache: 'revalidate' }),
  },
  docsStyle: {
    method: 'GET',
    path: '/docs/style.css',
    summary: 'Get the style sheet of the API reference page',
    responses: { 200: textResponse('text/css; charset=utf-8') },
    metadata: policy({ ...open, cache: 'revalidate' }),
  },
  problem: {
    method: 'GET',
    path: '/problems/:code',
    summary: 'Get the page of a problem',
    description: 'The page that the `type` of every error links to.',
    pathParams: z.strictObject({
      code: z.enum(PROBLEM_CODES.map(problemSlug)).describe('The problem code in kebab case.'),
    }),
    responses: { 200: ProblemPage },
    metadata: policy(open),
  },
});
