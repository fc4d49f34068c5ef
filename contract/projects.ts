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
        'The current inventory, which the next scan evaluates. Null before the first upload.',
      ),
    hasSource: z
      .boolean()
      .describe(
        'Whether `GET /projects/{name}/source` has a source, from which inventories are pulled.',
      )
      .meta({ example: false }),
    createdAt: timestamp,
  })
  .meta({
    id: 'Project',
    description: 'The unit of scanning: a cloud project and its inventory.',
  });

/** Maximum number of asset types listed for an inventory. */
export const INVENTORY_TYPES_SHOWN = 100;

/** Maximum number of locations listed for an inventory. */
export const INVENTORY_LOCATIONS_SHOWN = 100;

export const Inventory = z
  .object({
    id,
    assets: z
      .int()
      .describe('Number of assets after merging the records of each asset.')
      .meta({ example: 214 }),
    assetTypes: z
      .array(
        z.object({
          type: z.string().meta({ example: 'storage.googleapis.com/Bucket' }),
          count: z.int().meta({ example: 12 }),
        }),
      )
      .describe(
        `Number of assets of each type, largest first; at most ${INVENTORY_TYPES_SHOWN} types.`,
      ),
    locations: z
      .array(
        z.object({
          location: z.string().meta({ example: 'europe-west1' }),
          count: z.int().meta({ example: 96 }),
        }),
      )
      .describe(
        `Number of assets at each location, largest first; at most ${INVENTORY_LOCATIONS_SHOWN} locations. Empty for inventories of release 0.1.`,
      ),
    bytes: z
      .int()
      .describe('Size of the upload after decompression, in bytes.')
      .meta({ example: 1048576 }),
    warnings: z
      .array(z.object({ line: z.int(), message: z.string() }))
      .describe(
        'Corrections made during the upload, IAM policies that cannot be read, resources of a Terraform document that are skipped, and an inventory without assets; at most the first 100.',
      )
      .meta({
        example: [
          {
            line: 17,
            message: 'The RESOURCE content of this record is not used: line 4 is newer.',
          },
        ],
      }),
    truncated: z
      .boolean()
      .describe('`assetTypes` or `warnings` is truncated.')
      .meta({ example: false }),
    createdAt: timestamp,
  })
  .meta({ id: 'Inventory', description: 'A snapshot of the resources of a project.' });

const pathParams = z.strictObject({ name: projectName.describe('The name of the project.') });

export const projects = routes({
  list: {
    method: 'GET',
    path: '/projects',
    summary: 'List projects',
    description: 'Newest first, each with its current inventory.',
    query: z.strictObject({ ...pageQuery }),
    responses: { 200: pageOf(Project) },
    metadata: policy({
      auth: 'any',
      permission: 'projects.read',
      idempotency: 'safe',
      tx: 'read',
      replica: true,
    }),
  },
  create: {
    method: 'POST',
    path: '/projects',
    summary: 'Create a project',
    description:
      'The name identifies the project in URLs. It is unique in the tenant and cannot be changed.',
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
    description: 'Returns the project with its current inventory.',
    pathParams,
    responses: { 200: Project },
    metadata: policy({
      auth: 'any',
      permission: 'projects.read',
      idempotency: 'safe',
      tx: 'read',
      replica: true,
      problems: ['NOT_FOUND'],
    }),
  },
  update: {
    method: 'PATCH',
    path: '/projects/:name',
    summary: 'Change a project',
    description: 'Omitted members keep their value. The name cannot be changed.',
    pathParams,
    body: z.strictObject({
      description: text(500)
        .nullable()
        .optional()
        .describe('Null removes it.')
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
      'Cancels its scans and deletes its inventories and findings. A new project with the same name starts empty.',
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
      'Newest first. The first is the current inventory. The operator sets how many are kept.',
    pathParams,
    query: z.strictObject({ ...pageQuery }),
    responses: { 200: pageOf(Inventory) },
    metadata: policy({
      auth: 'any',
      permission: 'projects.read',
      idempotency: 'safe',
      tx: 'read',
      replica: true,
      problems: ['NOT_FOUND'],
    }),
  },
  uploadInventory: {
    method: 'PUT',
    path: '/projects/:name/inventory',
    summary: 'Upload an inventory',
    description:
      'Accepts a Cloud Asset Inventory export as NDJSON (`application/x-ndjson`) or as a JSON array (`application/json`), optionally with `Content-Encoding: gzip`, streamed. Blank lines and lines that begin with `#` are skipped. RESOURCE, IAM_POLICY, ORG_POLICY and ACCESS_POLICY records of one asset are merged. A JSON object is read as the output of `terraform show -json` for a plan or a state: its Google resources are evaluated in their planned state, and values known only after apply leave a verdict UNKNOWN. If a record is malformed, nothing changes and the previous inventory stays current. The same applies if the server has no capacity at the moment (503). Limits: 4 MiB, 64 levels, 250,000 values and 50,000 object members per record; 8 MiB for all records of one asset; 16 MiB for a Terraform document; 1,000 asset types per inventory. A tenant can run two uploads at the same time; another waits up to 20 seconds and is then refused with 429. An upload that delivers too few bytes is refused with 408: fewer than 16 KiB in 30 seconds, or fewer than 64 KiB/s over 10 seconds while the server has no free slot, or for more than 4 MiB no free process, and another tenant needs one. While the other tenant has no upload, the bound is 1 MiB/s for the slower of two uploads of your tenant, and for one that has taken more than 5 minutes.',
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
