import { z } from 'zod';
import { pageOf, pageQuery } from './page.ts';
import { policy } from './policy.ts';
import { noBody, routes } from './route.ts';
import { givenTime, id, text, timestamp } from './text.ts';

/** Maximum number of active keys that one person has in a tenant: neither revoked nor expired. */
export const API_KEYS_MAX = 100;

export const ApiKey = z
  .object({
    id,
    name: z.string().meta({ example: 'nightly pipeline' }),
    prefix: z
      .string()
      .describe('The first characters of the key, enough to recognize it.')
      .meta({ example: 'cspm_8Fq2LmZx71Ba' }),
    userId: id,
    createdAt: timestamp,
    expiresAt: timestamp.nullable(),
    lastUsedAt: timestamp.nullable().describe('Accurate to the minute.'),
  })
  .meta({
    id: 'ApiKey',
    description: 'An API key for automation. It has the current permissions of its owner.',
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
      .describe('The secret key. Shown only once; the server stores only its hash.')
      .meta({ example: 'cspm_8Fq2LmZx71Ba_4Nd9Yt0Kc7Wp2Xs5Vr8Gh1Jq6Zm3Lb0Te9Ua4Ei7Of2Dy5' }),
  })
  .meta({ id: 'NewApiKey', description: 'A newly created key with its secret.' });

export const apiKeys = routes({
  list: {
    method: 'GET',
    path: '/api-keys',
    summary: 'List API keys',
    description:
      'Lists your own keys that are not revoked, including expired ones. With `admin.users`, lists the keys of any user of the tenant. Keys are deleted 90 days after their expiry.',
    query: z.strictObject({
      ...pageQuery,
      userId: id
        .optional()
        .describe('The owner of the keys. Anyone but yourself requires `admin.users`.'),
    }),
    responses: { 200: pageOf(ApiKey) },
    metadata: policy({
      auth: 'any',
      permission: 'keys.own',
      idempotency: 'safe',
      tx: 'read',
      identity: true,
    }),
  },
  create: {
    method: 'POST',
    path: '/api-keys',
    summary: 'Create an API key',
    description: `Requires a session, so that a stolen key cannot create further keys. The secret is shown only once. A person has at most ${API_KEYS_MAX} active keys in a tenant; returns 409 beyond that. Revoked and expired keys do not count.`,
    body: z.strictObject({
      name: text(100).meta({ example: 'nightly pipeline' }),
      expiresAt: givenTime
        .optional()
        .describe('A time in the future. If omitted, the key does not expire.')
        .meta({ example: '2036-11-20T08:00:00.000Z' }),
    }),
    responses: { 201: NewApiKey },
    metadata: policy({
      auth: 'session',
      permission: 'keys.own',
      idempotency: 'accepted',
      audit: 'api_key.created',
      tx: 'write',
      identity: true,
      body: 'json',
      problems: ['CONFLICT'],
    }),
  },
  revoke: {
    method: 'DELETE',
    path: '/api-keys/:id',
    summary: 'Revoke an API key',
    description:
      'The key is refused from the next request on. With `admin.users` you can also revoke keys of other users of the tenant.',
    pathParams: z.strictObject({ id: id.describe('The id of the key.') }),
    responses: { 204: noBody },
    metadata: policy({
      auth: 'any',
      permission: 'keys.own',
      idempotency: 'natural',
      audit: 'api_key.revoked',
      tx: 'write',
      identity: true,
      problems: ['NOT_FOUND'],
    }),
  },
});
