import { z } from 'zod';
import { wholeListOf } from './page.ts';
import { PERMISSIONS } from './permissions.ts';
import { policy } from './policy.ts';
import { noBody, routes } from './route.ts';

/** The name of a role. It identifies the role in URLs and cannot be changed. */
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
  .describe('Permissions of the role. You can only include permissions that you have yourself.')
  .meta({ example: ['scans.read', 'scans.launch'] });

export const Role = z
  .object({
    name: roleName,
    permissions: z.array(z.enum(PERMISSIONS)).meta({ example: ['scans.read', 'scans.launch'] }),
    builtIn: z
      .boolean()
      .describe('Built-in roles are the same in every tenant and cannot be changed.')
      .meta({ example: false }),
  })
  .meta({ id: 'Role', description: 'A set of permissions that can be assigned to members.' });

const pathParams = z.strictObject({ name: roleName.describe('The name of the role.') });

export const roles = routes({
  list: {
    method: 'GET',
    path: '/roles',
    summary: 'List roles',
    description:
      'Returns all roles in one response: the built-in roles first, then the roles of the tenant by name.',
    responses: { 200: wholeListOf(Role) },
    metadata: policy({
      auth: 'any',
      permission: 'admin.users',
      idempotency: 'safe',
      tx: 'read',
      identity: true,
      cache: 'revalidate',
    }),
  },
  create: {
    method: 'POST',
    path: '/roles',
    summary: 'Create a role',
    description:
      'You can only include permissions that you have yourself. A tenant can have up to 500 roles besides the built-in ones.',
    body: z.strictObject({ name: roleName, permissions }),
    responses: { 201: Role },
    metadata: policy({
      auth: 'any',
      permission: 'admin.users',
      mfa: true,
      idempotency: 'accepted',
      audit: 'role.created',
      tx: 'write',
      identity: true,
      body: 'json',
      problems: ['CONFLICT'],
    }),
  },
  update: {
    method: 'PUT',
    path: '/roles/:name',
    summary: 'Replace a role',
    description:
      'The permissions of every member with the role change with their next request. Returns 409 for a built-in role.',
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
      identity: true,
      body: 'json',
      problems: ['NOT_FOUND', 'CONFLICT'],
    }),
  },
  delete: {
    method: 'DELETE',
    path: '/roles/:name',
    summary: 'Delete a role',
    description: 'Returns 409 for a built-in role and for a role that is assigned to a member.',
    pathParams,
    responses: { 204: noBody },
    metadata: policy({
      auth: 'any',
      permission: 'admin.users',
      mfa: true,
      idempotency: 'natural',
      audit: 'role.deleted',
      tx: 'write',
      identity: true,
      problems: ['NOT_FOUND', 'CONFLICT'],
    }),
  },
});
