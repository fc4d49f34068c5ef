import { z } from 'zod';
import { pageOf, pageQuery } from './page.ts';
import { policy } from './policy.ts';
import { noBody, routes } from './route.ts';
import { id, projectName, text, timestamp } from './text.ts';

export const Project = z
  .object({
    id,
    name: projectName,
    description: z.string().nullable().meta({ example: 'The web shop, production' }),
    inventory: z
      .object({ id, assets: z.int().meta({ example: 214 }), createdAt: timestamp })
      .nullable()
      .describe(
        'The inventory in force: what the next scan looks at. Null: none was uploaded yet.',
      ),
    createdAt: timestamp,
  })
  .meta({
    id: 'Project',
    description: 'What is scanned as one: a cloud project and its inventory.',
  });

export const Inventory = z
  .object({
    id,
    assets: z
      .int()
      .describe('Assets after records of the same asset were merged.')
      .meta({ example: 214 }),
    assetTypes: z.array(
      z.object({
        type: z.string().meta({ example: 'storage.googleapis.com/Bucket' }),
        count: z.int().meta({ example: 12 }),
      }),
    ),
    bytes: z.int().describe('Size of the upload, inflated.').meta({ example: 1048576 }),
    warnings: z
      .array(z.object({ line: z.int(), message: z.string() }))
      .describe('What was set right on the way in; at most the first 100.')
      .meta({
        example: [
          {
            line: 17,
            message: 'The RESOURCE content of this record is not used: line 4 is newer.',
          },
        ],
      }),
    createdAt: timestamp,
  })
  .meta({ id: 'Inventory', description: 'A snapshot of the resources of a project.' });

const pathParams = z.strictObject({ name: projectName.describe('The project.') });

export const projects = routes({
  list: {
    method: 'GET',
    path: '/projects',
    summary: 'List projects',
    description: 'Newest first, each with the inventory that the next scan would look at.',
    query: z.strictObject({ ...pageQuery }),
    responses: { 200: pageOf(Project) },
    metadata: policy({ auth: 'any', permission: 'projects.read', idempotency: 'safe', tx: 'read' }),
  },
  create: {
    method: 'POST',
    path: '/projects',
    summary: 'Create a project',
    description: 'The name is its address: unique in the tenant, and never changed.',
    body: z.strictObject({
      name: projectName,
      description: text(500).optional().meta({ example: 'The web shop, production' }),
    }),
    responses: { 201: Project },
    metadata: policy({
      auth: 'any',
      permission: 'projects.write',
      idempotency: 'accepted',
      audit: 'project.created',
      tx: 'write',
      body: 'json',
      problems: ['CONFLICT'],
    }),
  },
  get: {
    method: 'GET',
    path: '/projects/:name',
    summary: 'Get a project',
    description: 'With the inventory that the next scan would look at.',
    pathParams,
    responses: { 200: Project },
    metadata: policy({
      auth: 'any',
      permission: 'projects.read',
      idempotency: 'safe',
      tx: 'read',
      problems: ['NOT_FOUND'],
    }),
  },
  update: {
    method: 'PATCH',
    path: '/projects/:name',
    summary: 'Change a project',
    description: 'What is left out stays as it is. The name is for good.',
    pathParams,
    body: z.strictObject({
      description: text(500)
        .nullable()
        .optional()
        .describe('Null takes it away.')
        .meta({ example: 'The web shop, production' }),
    }),
    responses: { 200: Project },
    metadata: policy({
      auth: 'any',
      permission: 'projects.write',
      idempotency: 'natural',
      audit: 'project.updated',
      tx: 'write',
      body: 'json',
      problems: ['NOT_FOUND'],
    }),
  },
  delete: {
    method: 'DELETE',
    path: '/projects/:name',
    summary: 'Delete a project',
    description:
      'Ends its scans and removes its inventories and findings. A new project of the same name starts afresh.',
    pathParams,
    responses: { 204: noBody },
    metadata: policy({
      auth: 'any',
      permission: 'projects.write',
      idempotency: 'natural',
      audit: 'project.deleted',
      tx: 'write',
      problems: ['NOT_FOUND'],
    }),
  },
  inventories: {
    method: 'GET',
    path: '/projects/:name/inventories',
    summary: 'List the inventories of a project',
    description:
      'Newest first. The first one is in force; older ones are kept up to a number that the operator sets.',
    pathParams,
    query: z.strictObject({ ...pageQuery }),
    responses: { 200: pageOf(Inventory) },
    metadata: policy({
      auth: 'any',
      permission: 'projects.read',
      idempotency: 'safe',
      tx: 'read',
      problems: ['NOT_FOUND'],
    }),
  },
  uploadInventory: {
    method: 'PUT',
    path: '/projects/:name/inventory',
    summary: 'Upload an inventory',
    description:
      'A Cloud Asset Inventory export: NDJSON (`application/x-ndjson`), or a JSON array (`application/json`), optionally with `Content-Encoding: gzip`, streamed. Blank lines and lines that begin with `#` are skipped. RESOURCE, IAM_POLICY, ORG_POLICY and ACCESS_POLICY records of one asset are merged. A JSON object is what `terraform show -json` writes of a plan or a state: its Google resources are judged as what they would become, and values that are known after apply only leave a verdict UNKNOWN. On a malformed record nothing changes: the inventory before it stays in force. Nor does anything change when the server has no room for it at the moment, which is 503.',
    pathParams,
    body: noBody,
    responses: { 201: Inventory },
    metadata: policy({
      auth: 'any',
      permission: 'projects.write',
      idempotency: 'natural',
      audit: 'inventory.uploaded',
      tx: 'none',
      body: 'inventory',
      problems: ['NOT_FOUND'],
    }),
  },
});
