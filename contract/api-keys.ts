import { z } from 'zod';
import { pageOf, pageQuery } from './page.ts';
import { policy } from './policy.ts';
import { noBody, routes } from './route.ts';
import { id, text, timestamp } from './text.ts';

export const ApiKey = z
  .object({
    id,
    name: z.string().meta({ example: 'nightly pipeline' }),
    prefix: z
      .string()
      .describe('The beginning of the key, enough to recognise it.')
      .meta({ example: 'cspm_8Fq2LmZx71Ba' }),
    userId: id,
    createdAt: timestamp,
    expiresAt: timestamp.nullable(),
    lastUsedAt: timestamp.nullable().describe('Kept to the minute.'),
  })
  .meta({
    id: 'ApiKey',
    description: 'A key for automation. It carries the current permissions of its owner.',
  });

export const NewApiKey = ApiKey.pick({
  id: true,
  name: true,
  prefix: true,
  createdAt: true,
  expiresAt: true,
})
  .extend({
    key: z
      .string()
      .describe('The key itself. Shown this once; only its hash is kept.')
      .meta({ example: 'cspm_8Fq2LmZx71Ba_4Nd9Yt0Kc7Wp2Xs5Vr8Gh1Jq6Zm3Lb0Te9Ua4Ei7Of2Dy5' }),
  })
  .meta({ id: 'NewApiKey', description: 'A key just made, with its secret.' });

export const apiKeys = routes({
  list: {
    method: 'GET',
    path: '/api-keys',
    summary: 'List API keys',
    description: 'Your own keys; with `admin.users` those of any user of the tenant.',
    query: z.strictObject({
      ...pageQuery,
      userId: id.optional().describe('Whose keys; needs `admin.users` unless it is yourself.'),
    }),
    responses: { 200: pageOf(ApiKey) },
    metadata: policy({ auth: 'any', permission: 'keys.own', idempotency: 'safe', tx: 'read' }),
  },
  create: {
    method: 'POST',
    path: '/api-keys',
    summary: 'Make an API key',
    description: 'Wants a session, so that a stolen key cannot breed. The key is shown this once.',
    body: z.strictObject({
      name: text(100).meta({ example: 'nightly pipeline' }),
      expiresAt: timestamp.optional().describe('In the future; left out: the key does not expire.'),
    }),
    responses: { 201: NewApiKey },
    metadata: policy({
      auth: 'session',
      permission: 'keys.own',
      idempotency: 'accepted',
      audit: 'api_key.created',
      tx: 'write',
      body: 'json',
    }),
  },
  revoke: {
    method: 'DELETE',
    path: '/api-keys/:id',
    summary: 'Revoke an API key',
    description:
      'The key is refused from the next request on. With `admin.users` also the key of another user of the tenant.',
    pathParams: z.strictObject({ id: id.describe('The key, by its id.') }),
    responses: { 204: noBody },
    metadata: policy({
      auth: 'any',
      permission: 'keys.own',
      idempotency: 'natural',
      audit: 'api_key.revoked',
      tx: 'write',
      problems: ['NOT_FOUND'],
    }),
  },
});
