import { z } from 'zod';
import { pageOf, pageQuery } from './page.ts';
import { policy } from './policy.ts';
import { noBody, routes } from './route.ts';
import { id, timestamp } from './text.ts';

export const Session = z
  .object({
    id,
    tenantId: id.describe('The tenant of the session.'),
    current: z.boolean().describe('Whether this request was made with the session.'),
    mfa: z.boolean().describe('Whether the session has passed a second factor.'),
    createdAt: timestamp.describe('When the session started.'),
    lastUsedAt: timestamp.describe('When the session was last renewed.'),
    expiresAt: timestamp.describe('When the session ends unless it is renewed.'),
  })
  .meta({ id: 'Session', description: 'An active sign-in.' });

export const sessions = routes({
  list: {
    method: 'GET',
    path: '/sessions',
    summary: 'List your sessions',
    description: 'Your active sessions in every tenant, newest first.',
    query: z.strictObject(pageQuery),
    responses: { 200: pageOf(Session) },
    metadata: policy({ auth: 'session', idempotency: 'safe', tx: 'read', identity: true }),
  },
  revoke: {
    method: 'DELETE',
    path: '/sessions/:id',
    summary: 'End one of your sessions',
    description: 'Its tokens are refused from the next request on.',
    pathParams: z.strictObject({ id: id.describe('The id of the session.') }),
    responses: { 204: noBody },
    metadata: policy({
      auth: 'session',
      idempotency: 'natural',
      audit: 'session.revoked',
      tx: 'write',
      identity: true,
      problems: ['NOT_FOUND'],
    }),
  },
});
