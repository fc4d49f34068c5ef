import { z } from 'zod';
import { jsonMembers } from './json-object.ts';
import { pageOf, pageQuery } from './page.ts';
import { AUDIT_ACTIONS, policy } from './policy.ts';
import { routes, textResponse } from './route.ts';
import { givenTime, id, timestamp } from './text.ts';

export const AUDIT_OUTCOMES = ['success', 'failure'] as const;

export const AuditEvent = z
  .object({
    id,
    at: timestamp,
    action: z.string().meta({ example: 'api_key.created' }),
    outcome: z.enum(AUDIT_OUTCOMES),
    actor: z.object({
      kind: z.string().meta({ example: 'jwt' }).describe('The kind of credential, or `person`.'),
      id: id
        .nullable()
        .describe(
          'The id of the user. Null if the request was anonymous or the credential belongs to no user.',
        ),
      label: z
        .string()
        .nullable()
        .describe('A name of the actor. Null after the person was erased.')
        .meta({ example: 'ada@example.com' }),
    }),
    tenantId: id,
    targetTenantId: id
      .nullable()
      .describe('The affected tenant, if it differs from the tenant of the actor.')
      .meta({ example: null }),
    ip: z.string().meta({ example: '198.51.100.7' }),
    correlationId: z.string().meta({ example: '0199c2a4-7c1e-7a53-9d5e-2f6f8f1f4b11' }),
    subject: z
      .string()
      .nullable()
      .describe('What the action was applied to: an id or a name.')
      .meta({ example: '0199c2a4-9b60-7d41-a3f2-58c1e7d90b36' }),
    detail: jsonMembers
      .describe(
        'More about the action. If an API key sent the request, `apiKeyId` is the id of the key.',
      )
      .meta({ example: { name: 'nightly pipeline' } }),
  })
  .meta({
    id: 'AuditEvent',
    description: 'An audit event: what happened, who did it, and from where.',
  });

const filters = {
  actor: z
    .array(z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be an id or a kind of credential'))
    .max(20)
    .optional()
    .describe('Events by any of these users (ids) or kinds of credential.')
    .meta({ example: ['api_key'] }),
  action: z
    .array(z.enum(AUDIT_ACTIONS))
    .max(50)
    .optional()
    .describe('Events with any of these actions.'),
  outcome: z
    .array(z.enum(AUDIT_OUTCOMES))
    .max(2)
    .optional()
    .describe('If omitted: all. `failure`: refused changes and sign-ins.')
    .meta({ example: ['failure'] }),
  from: givenTime.optional().describe('Events at or after this time.'),
  to: givenTime.optional().describe('Events before this time.'),
};

export const auditEvents = routes({
  list: {
    method: 'GET',
    path: '/audit-events',
    summary: 'List audit events',
    description:
      'Newest first: every change and every sign-in of your members, including refused ones. A refused sign-in or change that names a tenant which the person does not belong to is listed in the tenant of the person. Events never change, except that the names of erased people are removed.',
    query: z.strictObject({ ...pageQuery, ...filters }),
    responses: { 200: pageOf(AuditEvent) },
    metadata: policy({
      auth: 'any',
      permission: 'admin.audit',
      idempotency: 'safe',
      tx: 'read',
      replica: true,
    }),
  },
  export: {
    method: 'GET',
    path: '/audit-events/export',
    summary: 'Export audit events',
    description:
      'Exports NDJSON, one event per line, oldest first, up to the time of the request. The response is streamed: if it ends before its last chunk, it is incomplete. Events become visible shortly after their time. To continue an earlier export, begin a few minutes before its end and skip the ids that you have.',
    query: z.strictObject(filters),
    responses: { 200: textResponse('application/x-ndjson; charset=utf-8') },
    metadata: policy({
      auth: 'any',
      permission: 'admin.audit',
      feature: 'audit_export',
      idempotency: 'safe',
      tx: 'none',
      replica: true,
      stream: 'export',
      problems: ['SERVICE_UNAVAILABLE'],
    }),
  },
});
