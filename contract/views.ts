import { z } from 'zod';
import { pageOf, pageQuery } from './page.ts';
import { policy } from './policy.ts';
import { noBody, routes } from './route.ts';
import { id, text, timestamp } from './text.ts';

/** Maximum number of views that one person owns. */
export const VIEWS_MAX = 100;

const name = text(100)
  .describe('Unique among the views of the owner.')
  .meta({ example: 'Public buckets in production' });

/** RFC 3986 §3.4, and square brackets, which browsers leave as they are. */
const query = z
  .string()
  .max(2000)
  .regex(/^([\w\-.~!$&'()*+,;=:@/?[\]]|%[0-9A-Fa-f]{2})*$/, 'must be the query string of a URL')
  .describe(
    'The query string of a URL of the console, without the question mark. A question mark before it is removed.',
  )
  .meta({ example: 'severity=critical&project=shop-prod&sort=severity' });

const shared = z
  .boolean()
  .describe(
    'True: visible to all members who may read findings. False: visible to the owner alone.',
  );

export const View = z
  .object({
    id,
    name,
    query,
    shared,
    createdBy: z.object({
      id,
      label: z.string().meta({ example: 'ada@example.com' }),
    }),
    createdAt: timestamp,
  })
  .meta({
    id: 'View',
    description: 'A saved view of the console: filters under a name.',
    example: {
      id: '0199c2a4-9b60-7d41-a3f2-58c1e7d90b36',
      name: 'Public buckets in production',
      query: 'severity=critical&project=shop-prod&sort=severity',
      shared: true,
      createdBy: { id: '0199c2a4-51d2-7e02-8b0c-6f1d0c3a9e27', label: 'ada@example.com' },
      createdAt: '2026-11-20T08:00:00.000Z',
    },
  });

const pathParams = z.strictObject({ id: id.describe('The id of the view.') });

const example = {
  name: 'Public buckets in production',
  query: 'severity=critical&project=shop-prod&sort=severity',
  shared: true,
};

export const views = routes({
  list: {
    method: 'GET',
    path: '/views',
    summary: 'List saved views',
    description: 'Your own views and the shared views of your tenant, newest first.',
    query: z.strictObject(pageQuery),
    responses: { 200: pageOf(View) },
    metadata: policy({ auth: 'any', permission: 'findings.read', idempotency: 'safe', tx: 'read' }),
  },
  create: {
    method: 'POST',
    path: '/views',
    summary: 'Save a view',
    description: `A person owns at most ${VIEWS_MAX} views. Returns 409 beyond that, and when you have a view of that name. Only credentials of persons are accepted, because views belong to persons.`,
    body: z.strictObject({ name, query, shared: shared.default(false) }).meta({ example }),
    responses: { 201: View },
    metadata: policy({
      auth: 'person',
      permission: 'findings.read',
      idempotency: 'accepted',
      audit: 'view.created',
      tx: 'write',
      body: 'json',
      problems: ['CONFLICT'],
    }),
  },
  update: {
    method: 'PUT',
    path: '/views/:id',
    summary: 'Change a saved view',
    description:
      'Its owner can change it. Everybody with the permission `admin.settings` can also change a shared view. The owner stays the same.',
    pathParams,
    body: z.strictObject({ name, query, shared }).meta({ example }),
    responses: { 200: View },
    metadata: policy({
      auth: 'any',
      permission: 'findings.read',
      idempotency: 'natural',
      audit: 'view.updated',
      tx: 'write',
      body: 'json',
      problems: ['CONFLICT', 'FORBIDDEN', 'NOT_FOUND'],
    }),
  },
  delete: {
    method: 'DELETE',
    path: '/views/:id',
    summary: 'Delete a saved view',
    description:
      'Its owner can delete it. Anyone with the permission `admin.settings` can also delete a shared view.',
    pathParams,
    responses: { 204: noBody },
    metadata: policy({
      auth: 'any',
      permission: 'findings.read',
      idempotency: 'natural',
      audit: 'view.deleted',
      tx: 'write',
      problems: ['FORBIDDEN', 'NOT_FOUND'],
    }),
  },
});
