import { z } from 'zod';
import { policy } from './policy.ts';
import { PROBLEM_CODES, PROBLEMS, problemSlug, problemType } from './problem.ts';
import { routes, textResponse } from './route.ts';

const open = { auth: 'public', idempotency: 'safe', tx: 'none' } as const;

export const Health = z
  .object({
    status: z.enum(['ok', 'unavailable']),
    checks: z
      .record(z.string(), z.enum(['ok', 'failing']))
      .meta({ example: { database: 'ok', migrations: 'ok', traffic: 'ok' } }),
    missing: z
      .array(z.string())
      .optional()
      .meta({
        description:
          'The migrations that this release needs and that are not applied. Those of a later release do no harm.',
        example: ['20261120130000_scans_of_projects'],
      }),
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
    description: 'What a problem code means and what to do about it.',
    example: { code: 'NOT_FOUND', type: problemType('NOT_FOUND'), ...PROBLEMS.NOT_FOUND },
  });

export const meta = routes({
  live: {
    method: 'GET',
    path: '/health/live',
    summary: 'Is the process alive?',
    description:
      'For the liveness probe of an orchestrator: looks at nothing but the process itself.',
    responses: { 200: Health },
    metadata: policy({ ...open, limit: 'none' }),
  },
  ready: {
    method: 'GET',
    path: '/health/ready',
    summary: 'Can the process serve?',
    description:
      'Unavailable while the database is out of reach, behind in migrations, or the process is draining.',
    responses: { 200: Health, 503: Health },
    metadata: policy({ ...open, limit: 'none' }),
  },
  openapi: {
    method: 'GET',
    path: '/openapi.json',
    summary: 'This document',
    description: 'The OpenAPI 3.1 document of the service as it runs.',
    responses: {
      200: z.record(z.string(), z.json()).meta({ example: { openapi: '3.1.0', paths: {} } }),
    },
    metadata: policy(open),
  },
  docs: {
    method: 'GET',
    path: '/docs',
    summary: 'This document, for reading in a browser',
    description: 'A page that needs nothing from any other origin.',
    responses: { 200: textResponse('text/html; charset=utf-8') },
    metadata: policy(open),
  },
  docsScript: {
    method: 'GET',
    path: '/docs/script.js',
    summary: 'The script of the documentation page',
    responses: { 200: textResponse('text/javascript; charset=utf-8') },
    metadata: policy(open),
  },
  docsStyle: {
    method: 'GET',
    path: '/docs/style.css',
    summary: 'The style sheet of the documentation page',
    responses: { 200: textResponse('text/css; charset=utf-8') },
    metadata: policy(open),
  },
  problem: {
    method: 'GET',
    path: '/problems/:code',
    summary: 'What a problem means',
    description: 'The page that `type` of every error points to.',
    pathParams: z.strictObject({
      code: z.enum(PROBLEM_CODES.map(problemSlug)).describe('The code in kebab case.'),
    }),
    responses: { 200: ProblemPage },
    metadata: policy(open),
  },
});
