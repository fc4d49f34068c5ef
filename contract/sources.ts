import { z } from 'zod';
import { jsonObject } from './json-object.ts';
import { pageOf, pageQuery } from './page.ts';
import { policy } from './policy.ts';
import { noBody, routes } from './route.ts';
import { id, projectName, text, timestamp } from './text.ts';

/** `partial`: Google refused a part, such as IAM policies. */
export const PULL_STATUSES = ['queued', 'running', 'completed', 'partial', 'failed'] as const;

export const PULL_CONTENT_TYPES = ['RESOURCE', 'IAM_POLICY', 'ORG_POLICY'] as const;

const parent = text(200)
  .describe(
    'What is pulled: `projects/<id or number>`, `folders/<number>` or `organizations/<number>`.',
  )
  .meta({ example: 'projects/shop-prod' });

const problem = z
  .string()
  .nullable()
  .describe('Why the pull failed, and what to do. Null if there was no problem.')
  .meta({ example: null });

const pullStatus = z.enum(PULL_STATUSES).meta({ example: 'completed' });

const assets = z
  .int()
  .nullable()
  .describe('Number of assets of the new inventory. Null until the pull has completed.')
  .meta({ example: 214 });

/** Free-form, because the file is refused by what is in it and not by what it lacks. */
const keyFile = jsonObject({ depth: 6, values: 200, characters: 32_768 })
  .describe(
    'The JSON of a key file of a service account. Only `client_email` and `private_key` are used: every address in it, such as `token_uri`, is ignored.',
  )
  .meta({
    example: {
      type: 'service_account',
      client_email: 'cspm-scanner@shop-prod.iam.gserviceaccount.com',
      private_key: '-----BEGIN PRIVATE KEY-----\n…\n-----END PRIVATE KEY-----\n',
    },
  });

const credential = z
  .discriminatedUnion('type', [
    z.strictObject({ type: z.literal('service_account_key'), key: keyFile }),
    z.strictObject({
      type: z.literal('impersonation'),
      serviceAccount: text(254)
        .describe(
          'A service account whose name begins with `googlePrincipalPrefix` of `GET /tenant`, and which the identity of this service may impersonate.',
        )
        .meta({ example: 'cspm-5f2c19a0d3e84b67@shop-prod.iam.gserviceaccount.com' }),
    }),
  ])
  .describe('Stored encrypted, and never returned.');

export const ProjectSource = z
  .object({
    kind: z.literal('google-cloud'),
    parent,
    credentialType: z.enum(['service_account_key', 'impersonation']),
    principal: z
      .string()
      .describe('The e-mail address of the service account that reads the assets.')
      .meta({ example: 'cspm-scanner@shop-prod.iam.gserviceaccount.com' }),
    createdBy: z
      .object({
        kind: z.string().meta({ example: 'jwt' }),
        id: id.nullable(),
        label: z.string().meta({ example: 'ada@example.com' }),
      })
      .describe('Who set the source.'),
    createdAt: timestamp.describe('When the source was set.'),
    lastPull: z
      .object({
        id,
        at: timestamp.describe('When the pull was requested.'),
        status: pullStatus,
        assets,
        problem,
      })
      .nullable()
      .describe('The newest pull of the project. Null before the first one.'),
  })
  .meta({
    id: 'ProjectSource',
    description: 'Where the inventory of a project is pulled from. Its credential is never shown.',
  });

export const SourceCheck = z
  .object({
    ok: z.boolean().describe('Whether a pull would be complete.'),
    checks: z.array(
      z.object({
        name: z
          .string()
          .describe('`credential`, `api`, `parent` or the name of a permission.')
          .meta({ example: 'cloudasset.assets.listIamPolicy' }),
        ok: z.boolean(),
        detail: z.string().meta({
          example: 'The credential has cloudasset.assets.listIamPolicy.',
        }),
        remedy: z
          .string()
          .describe('What to do; empty if there is nothing to do.')
          .meta({ example: '' }),
      }),
    ),
  })
  .meta({ id: 'SourceCheck', description: 'What the credential of a source can read.' });

export const Pull = z
  .object({
    id,
    status: pullStatus.describe(
      'A `partial` inventory lacks what `missing` lists; rules that need it give UNKNOWN.',
    ),
    parent,
    pages: z.int().describe('Number of pages read so far.').meta({ example: 3 }),
    records: z
      .int()
      .describe('Number of records read so far. An asset has one for each type of content.')
      .meta({ example: 428 }),
    assets,
    seconds: z
      .number()
      .nullable()
      .describe('From the start to the end, or until now. Null while queued.')
      .meta({ example: 12.4 }),
    readTime: timestamp.nullable().describe('The snapshot time of all pages. Null while queued.'),
    missing: z
      .array(
        z.object({
          contentType: z.enum(PULL_CONTENT_TYPES).meta({ example: 'IAM_POLICY' }),
          permission: z.string().meta({ example: 'cloudasset.assets.listIamPolicy' }),
          remedy: z.string().meta({ example: 'Grant roles/cloudasset.viewer.' }),
        }),
      )
      .describe('Content that Google refused for lack of a permission.')
      .meta({ example: [] }),
    problem,
    problemCode: z
      .string()
      .nullable()
      .describe('The same for programs, such as `permission_denied` or `credential_refused`.')
      .meta({ example: null }),
    inventoryId: id.nullable().describe('The new inventory. Null until the pull has completed.'),
    createdBy: z.object({
      kind: z.string().describe('`schedule`: for a scheduled scan.').meta({ example: 'jwt' }),
      id: id.nullable(),
      label: z.string().meta({ example: 'ada@example.com' }),
    }),
    createdAt: timestamp,
    startedAt: timestamp.nullable(),
    finishedAt: timestamp.nullable(),
  })
  .meta({
    id: 'Pull',
    description: 'A job that pulls a new inventory from the source of a project.',
  });

const byProject = { name: projectName.describe('The name of the project.') };
const pathParams = z.strictObject(byProject);
const access = { auth: 'any', permission: 'projects.write' } as const;

export const sources = routes({
  set: {
    method: 'PUT',
    path: '/projects/:name/source',
    summary: 'Set the inventory source of a project',
    description:
      'Returns 201 for a first source and 200 when it replaces another. Nothing is sent to Google; `POST /projects/{name}/source/check` tries the credential. A pull in progress with the former source fails. Files of workload identity federation (`external_account`) are refused with 422, because they can name files, addresses and executables.',
    pathParams,
    body: z.strictObject({ kind: z.literal('google-cloud'), parent, credential }),
    responses: { 200: ProjectSource, 201: ProjectSource },
    metadata: policy({
      ...access,
      idempotency: 'natural',
      audit: 'source.changed',
      tx: 'write',
      body: 'json',
      problems: ['NOT_FOUND', 'SOURCE_REFUSED'],
    }),
  },
  get: {
    method: 'GET',
    path: '/projects/:name/source',
    summary: 'Get the inventory source of a project',
    description: 'Returns the source without its credential, and the result of its last pull.',
    pathParams,
    responses: { 200: ProjectSource },
    metadata: policy({ ...access, idempotency: 'safe', tx: 'read', problems: ['NOT_FOUND'] }),
  },
  delete: {
    method: 'DELETE',
    path: '/projects/:name/source',
    summary: 'Delete the inventory source of a project',
    description:
      'Deletes the credential too. A pull in progress fails. Inventories that were pulled stay.',
    pathParams,
    responses: { 204: noBody },
    metadata: policy({
      ...access,
      idempotency: 'natural',
      audit: 'source.deleted',
      tx: 'write',
      problems: ['NOT_FOUND'],
    }),
  },
  check: {
    method: 'POST',
    path: '/projects/:name/source/check',
    summary: 'Check the inventory source of a project',
    description:
      'Asks Google for the smallest page of each content type, within 20 seconds. Changes nothing. Faults of Google are reported in the response, each with what to do.',
    pathParams,
    body: noBody,
    responses: { 200: SourceCheck },
    metadata: policy({
      ...access,
      limit: 'preflight',
      idempotency: 'safe',
      tx: 'none',
      problems: ['NOT_FOUND', 'SERVICE_UNAVAILABLE'],
    }),
  },
});

export const pulls = routes({
  start: {
    method: 'POST',
    path: '/projects/:name/inventory/pull',
    summary: 'Pull a new inventory',
    description:
      'Queues a job that reads all pages from the source. The new inventory replaces the old one when it is complete; until then, and after a failure, the old one stays current. A project has one pull at a time: 409 while another is queued or running, and without a source.',
    pathParams,
    body: noBody,
    responses: { 202: Pull },
    metadata: policy({
      ...access,
      limit: 'preflight',
      idempotency: 'accepted',
      audit: 'source.pull_requested',
      tx: 'write',
      problems: ['NOT_FOUND', 'CONFLICT'],
    }),
  },
  list: {
    method: 'GET',
    path: '/projects/:name/inventory/pulls',
    summary: 'List the pulls of a project',
    description: 'Newest first. The newest 100 are kept.',
    pathParams,
    query: z.strictObject({ ...pageQuery }),
    responses: { 200: pageOf(Pull) },
    metadata: policy({ ...access, idempotency: 'safe', tx: 'read', problems: ['NOT_FOUND'] }),
  },
  get: {
    method: 'GET',
    path: '/projects/:name/inventory/pulls/:id',
    summary: 'Get a pull',
    description: 'Returns the progress of the pull, or its result.',
    pathParams: z.strictObject({ ...byProject, id: id.describe('The id of the pull.') }),
    responses: { 200: Pull },
    metadata: policy({ ...access, idempotency: 'safe', tx: 'read', problems: ['NOT_FOUND'] }),
  },
});
