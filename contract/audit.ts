import { z } from 'zod';
import { pageOf, pageQuery } from './page.ts';
import { AUDIT_ACTIONS, policy } from './policy.ts';
import { routes, textResponse } from './route.ts';
import { id, timestamp } from './text.ts';

export const AuditEvent = z
  .object({
    id,
    at: timestamp,
    action: z.string().meta({ example: 'api_key.created' }),
    outcome: z.enum(['success', 'failure']),
    actor: z.object({
      kind: z.string().meta({ example: 'jwt' }).describe('The kind of credential, or `person`.'),
      id: id.nullable().describe('The person; null: nobody in particular, or nobody known.'),
      label: z
        .string()
        .nullable()
        .describe('A name for it; null once the person is erased.')
        .meta({ example: 'ada@example.com' }),
    }),
    tenantId: id,
    targetTenantId: id
      .nullable()
      .describe('The tenant acted upon, where it is another one.')
      .meta({ example: null }),
    ip: z.string().meta({ example: '198.51.100.7' }),
    correlationId: z.string().meta({ example: '0199c2a4-7c1e-7a53-9d5e-2f6f8f1f4b11' }),
    subject: z
      .string()
      .nullable()
      .describe('What it was done to: an id or a name.')
      .meta({ example: '0199c2a4-9b60-7d41-a3f2-58c1e7d90b36' }),
    detail: z.record(z.string(), z.json()).meta({ example: { name: 'nightly pipeline' } }),
  })
  .meta({ id: 'AuditEvent', description: 'What happened, by whom, from where.' });

const filters = {
  actor: z
    .array(z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be an id or a kind of credential'))
    .max(20)
    .optional()
    .describe('By any of these people, by id, or any of these kinds of credential.')
    .meta({ example: ['api_key'] }),
  action: z.array(z.enum(AUDIT_ACTIONS)).max(50).optional().describe('Any of these.'),
  from: timestamp.optional().describe('At this moment or later.'),
  to: timestamp.optional().describe('Before this moment.'),
};

export const auditEvents = routes({
  list: {
    method: 'GET',
    path: '/audit-events',
    summary: 'List audit events',
    description:
      'Newest first: every change and every sign-in, those that were refused included. Events are never changed; the name of a person who was erased is gone from them.',
    query: z.strictObject({ ...pageQuery, ...filters }),
    responses: { 200: pageOf(AuditEvent) },
    metadata: policy({ auth: 'any', permission: 'admin.audit', idempotency: 'safe', tx: 'read' }),
  },
  export: {
    method: 'GET',
    path: '/audit-events/export',
    summary: 'Export audit events',
    description:
      'As NDJSON, one event a line, the oldest first, up to the moment of the request. Streamed: an answer that ends before its last chunk was cut and is not whole.',
    query: z.strictObject(filters),
    responses: { 200: textResponse('application/x-ndjson; charset=utf-8') },
    metadata: policy({
      auth: 'any',
      permission: 'admin.audit',
      feature: 'audit_export',
      idempotency: 'safe',
      tx: 'none',
      stream: true,
      problems: ['SERVICE_UNAVAILABLE'],
    }),
  },
});
