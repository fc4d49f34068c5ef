import { z } from 'zod';
import { pageOf, pageQuery } from './page.ts';
import { policy } from './policy.ts';
import { roleName } from './roles.ts';
import { noBody, routes } from './route.ts';
import { email, id, text, timestamp } from './text.ts';

export const User = z
  .object({
    id,
    email: z.string().meta({ example: 'ada@example.com' }),
    name: z
      .string()
      .nullable()
      .describe('What your tenant calls the person.')
      .meta({ example: 'Ada Lovelace' }),
    role: z.string().meta({ example: 'analyst' }),
    status: z
      .enum(['invited', 'active', 'disabled'])
      .describe('`invited` until the person confirms; only `active` members get in.'),
    twoFactorEnabled: z.boolean().describe('False as long as the person is invited.'),
    lastLoginAt: timestamp.nullable().describe('The last sign-in to your tenant.'),
    createdAt: timestamp.describe('When the person was invited to your tenant.'),
  })
  .meta({ id: 'User', description: 'A member of your tenant.' });

const name = text(100).meta({ example: 'Ada Lovelace' });
const role = roleName.describe(
  'A built-in role or one of your tenant, holding no permission that you do not hold yourself.',
);
const pathParams = z.strictObject({ id: id.describe('The user.') });

export const users = routes({
  list: {
    method: 'GET',
    path: '/users',
    summary: 'List users',
    description: 'The members of your tenant, those who joined last first.',
    query: z.strictObject({ ...pageQuery }),
    responses: { 200: pageOf(User) },
    metadata: policy({ auth: 'any', permission: 'admin.users', idempotency: 'safe', tx: 'read' }),
  },
  create: {
    method: 'POST',
    path: '/users',
    summary: 'Invite a user',
    description:
      'Mails an invitation, which is good for 7 days. The person is a member once they confirm; the answer does not tell whether they have an account already.',
    body: z.strictObject({ email, name: name.optional(), role }),
    responses: { 201: User },
    metadata: policy({
      auth: 'any',
      permission: 'admin.users',
      mfa: true,
      idempotency: 'accepted',
      audit: 'user.invited',
      tx: 'write',
      body: 'json',
      problems: ['CONFLICT'],
    }),
  },
  get: {
    method: 'GET',
    path: '/users/:id',
    summary: 'Get a user',
    description: 'A member of your tenant.',
    pathParams,
    responses: { 200: User },
    metadata: policy({
      auth: 'any',
      permission: 'admin.users',
      idempotency: 'safe',
      tx: 'read',
      problems: ['NOT_FOUND'],
    }),
  },
  update: {
    method: 'PATCH',
    path: '/users/:id',
    summary: 'Change a user',
    description:
      'Takes effect with their next request. Disabling also ends their sessions. Answers 409 when it would leave the tenant without an active admin, for your own role and status, and for the status of somebody who has not confirmed the invitation yet.',
    pathParams,
    body: z.strictObject({
      name: name.optional(),
      role: role.optional(),
      status: z.enum(['active', 'disabled']).optional(),
    }),
    responses: { 200: User },
    metadata: policy({
      auth: 'any',
      permission: 'admin.users',
      mfa: true,
      idempotency: 'natural',
      audit: 'user.updated',
      tx: 'write',
      body: 'json',
      problems: ['NOT_FOUND', 'CONFLICT'],
    }),
  },
  delete: {
    method: 'DELETE',
    path: '/users/:id',
    summary: 'Remove a user',
    description:
      'Ends the membership, its sessions and its keys at once, and erases what is known of the person in your tenant: the audit trail keeps their id alone. Answers 409 for the last active admin and for yourself.',
    pathParams,
    responses: { 204: noBody },
    metadata: policy({
      auth: 'any',
      permission: 'admin.users',
      mfa: true,
      idempotency: 'natural',
      audit: 'user.removed',
      tx: 'write',
      problems: ['NOT_FOUND', 'CONFLICT'],
    }),
  },
});
