import { z } from 'zod';
import { pageOf, pageQuery } from './page.ts';
import { policy } from './policy.ts';
import { noBody, routes } from './route.ts';
import { id, timestamp } from './text.ts';

export const Session = z
  .object({
    id,
    tenantId: id.describe('The tenant that was entered.'),
    current: z.boolean().describe('Whether this request came from it.'),
    mfa: z.boolean().describe('Whether it has passed a second factor.'),
    createdAt: timestamp.describe('When it was opened.'),
    lastUsedAt: timestamp.describe('When it was last renewed.'),
    expiresAt: timestamp.describe('When it ends, unless it is renewed before.'),
  })
  .meta({ id: 'Session', description: 'A sign-in that can still be used.' });

export const sessions = routes({
  list: {
    method: 'GET',
    path: '/sessions',
    summary: 'List your sessions',
    description: 'Your own in every tenant, newest first. Those that have ended are not listed.',
    query: z.strictObject(pageQuery),
    responses: { 200: pageOf(Session) },
    metadata: policy({ auth: 'session', idempotency: 'safe', tx: 'read' }),
  },
  revoke: {
    method: 'DELETE',
    path: '/sessions/:id',
    summary: 'End one of your sessions',
    description: 'Its tokens are refused from the next request on.',
    pathParams: z.strictObject({ id: id.describe('The session, by its id.') }),
    responses: { 204: noBody },
    metadata: policy({
      auth: 'session',
      idempotency: 'natural',
      audit: 'session.revoked',
      tx: 'write',
      problems: ['NOT_FOUND'],
    }),
  },
});
