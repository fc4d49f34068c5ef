import { z } from 'zod';
import { pageOf } from './page.ts';
import { PERMISSIONS } from './permissions.ts';
import { policy } from './policy.ts';
import { noBody, routes } from './route.ts';

/** The name of a role: also its address, so it never changes. */
export const roleName = z
  .string()
  .regex(
    /^[a-z][a-z0-9._-]{0,62}$/,
    'must be 1 to 63 of a-z, 0-9, dot, underscore and hyphen, beginning with a letter',
  )
  .meta({ example: 'release-manager' });

const permissions = z
  .array(z.enum(PERMISSIONS))
  .min(1)
  .max(PERMISSIONS.length)
  .describe('What whoever has the role may do. You can put in no more than you hold yourself.')
  .meta({ example: ['scans.read', 'scans.launch'] });

export const Role = z
  .object({
    name: roleName,
    permissions: z.array(z.enum(PERMISSIONS)).meta({ example: ['scans.read', 'scans.launch'] }),
    builtIn: z
      .boolean()
      .describe('Built-in roles are the same in every tenant and never change.')
      .meta({ example: false }),
  })
  .meta({ id: 'Role', description: 'A set of permissions that members can be given.' });

const pathParams = z.strictObject({ name: roleName.describe('The role.') });

export const roles = routes({
  list: {
    method: 'GET',
    path: '/roles',
    summary: 'List roles',
    description: 'Whole in one answer: the built-in roles first, then those of the tenant by name.',
    responses: { 200: pageOf(Role) },
    metadata: policy({ auth: 'any', permission: 'admin.users', idempotency: 'safe', tx: 'read' }),
  },
  create: {
    method: 'POST',
    path: '/roles',
    summary: 'Define a role',
    description: 'It can hold no permission that you do not hold yourself.',
    body: z.strictObject({ name: roleName, permissions }),
    responses: { 201: Role },
    metadata: policy({
      auth: 'any',
      permission: 'admin.users',
      mfa: true,
      idempotency: 'accepted',
      audit: 'role.created',
      tx: 'write',
      body: 'json',
      problems: ['CONFLICT'],
    }),
  },
  update: {
    method: 'PUT',
    path: '/roles/:name',
    summary: 'Redefine a role',
    description:
      'Everybody who has the role gains and loses permissions with their next request. A built-in role answers 409.',
    pathParams,
    body: z.strictObject({ permissions }),
    responses: { 200: Role },
    metadata: policy({
      auth: 'any',
      permission: 'admin.users',
      mfa: true,
      idempotency: 'natural',
      audit: 'role.updated',
      tx: 'write',
      body: 'json',
      problems: ['NOT_FOUND', 'CONFLICT'],
    }),
  },
  delete: {
    method: 'DELETE',
    path: '/roles/:name',
    summary: 'Delete a role',
    description: 'A role that somebody has, and a built-in one, answers 409.',
    pathParams,
    responses: { 204: noBody },
    metadata: policy({
      auth: 'any',
      permission: 'admin.users',
      mfa: true,
      idempotency: 'natural',
      audit: 'role.deleted',
      tx: 'write',
      problems: ['NOT_FOUND', 'CONFLICT'],
    }),
  },
});
