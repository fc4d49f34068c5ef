import { z } from 'zod';
import { pageOf, pageQuery } from './page.ts';
import { policy } from './policy.ts';
import { roleName } from './roles.ts';
import { noBody, routes } from './route.ts';
import { displayName, email, id, timestamp } from './text.ts';

export const User = z
  .object({
    id,
    email: z.string().meta({ example: 'ada@example.com' }),
    name: z
      .string()
      .nullable()
      .describe('The display name of the person in your tenant.')
      .meta({ example: 'Ada Lovelace' }),
    role: z.string().meta({ example: 'analyst' }),
    status: z
      .enum(['invited', 'active', 'disabled'])
      .describe(
        '`invited` until the person accepts. Only `active` members can sign in to the tenant.',
      ),
    twoFactorEnabled: z.boolean().describe('False while the person is invited.'),
    lastLoginAt: timestamp.nullable().describe('The last sign-in to your tenant.'),
    createdAt: timestamp.describe('When the person was invited to your tenant.'),
  })
  .meta({ id: 'User', description: 'A member of your tenant.' });

const name = displayName(100).meta({ example: 'Ada Lovelace' });
const role = roleName.describe(
  'A built-in role or a role of your tenant. It must not include a permission that you do not have.',
);
const pathParams = z.strictObject({ id: id.describe('The id of the user.') });

export const users = routes({
  list: {
    method: 'GET',
    path: '/users',
    summary: 'List users',
    description: 'Members of your tenant, most recently added first.',
    query: z.strictObject({ ...pageQuery }),
    responses: { 200: pageOf(User) },
    metadata: policy({
      auth: 'any',
      permission: 'admin.users',
      idempotency: 'safe',
      tx: 'read',
      identity: true,
    }),
  },
  create: {
    method: 'POST',
    path: '/users',
    summary: 'Invite a user',
    description:
      'Sends an invitation by mail, valid for 7 days. The person becomes a member by accepting it. The response does not reveal whether the person already has an account. Returns 409 if your tenant already has a user with the address, and if the mailbox has been sent three invitations within 15 minutes.',
    body: z.strictObject({ email, name: name.optional(), role }),
    responses: { 201: User },
    metadata: policy({
      auth: 'any',
      permission: 'admin.users',
      mfa: true,
      idempotency: 'accepted',
      audit: 'user.invited',
      tx: 'write',
      identity: true,
      body: 'json',
      problems: ['CONFLICT'],
    }),
  },
  resendInvitation: {
    method: 'POST',
    path: '/users/:id/resend-invitation',
    summary: 'Send an invitation again',
    description:
      'Sends a new link, valid for 7 days; earlier links are void. Returns 409 if the user has accepted the invitation, for 10 minutes after the invitation was sent, and if the mailbox has been sent three invitations within 15 minutes.',
    pathParams,
    body: noBody,
    responses: { 202: User },
    metadata: policy({
      auth: 'any',
      permission: 'admin.users',
      mfa: true,
      idempotency: 'accepted',
      audit: 'user.invitation_resent',
      tx: 'write',
      identity: true,
      problems: ['NOT_FOUND', 'CONFLICT'],
    }),
  },
  get: {
    method: 'GET',
    path: '/users/:id',
    summary: 'Get a user',
    description: 'Returns a member of your tenant.',
    pathParams,
    responses: { 200: User },
    metadata: policy({
      auth: 'any',
      permission: 'admin.users',
      idempotency: 'safe',
      tx: 'read',
      identity: true,
      problems: ['NOT_FOUND'],
    }),
  },
  update: {
    method: 'PATCH',
    path: '/users/:id',
    summary: 'Change a user',
    description:
      "Takes effect with the user's next request. Disabling also ends the user's sessions. Returns 409 if the tenant would be left without an active admin, for your own role and status, and for the status of a user who has not accepted the invitation yet.",
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
      identity: true,
      body: 'json',
      problems: ['NOT_FOUND', 'CONFLICT'],
    }),
  },
  delete: {
    method: 'DELETE',
    path: '/users/:id',
    summary: 'Remove a user',
    description:
      'Ends the membership and deletes its sessions and API keys immediately. Erases the personal data of the user in your tenant; the audit trail keeps only the id. Returns 409 for the last active admin and for yourself.',
    pathParams,
    responses: { 204: noBody },
    metadata: policy({
      auth: 'any',
      permission: 'admin.users',
      mfa: true,
      idempotency: 'natural',
      audit: 'user.removed',
      tx: 'write',
      identity: true,
      problems: ['NOT_FOUND', 'CONFLICT'],
    }),
  },
});
