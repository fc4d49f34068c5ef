import { z } from 'zod';
import { jsonMembers } from './json-object.ts';
import { pageOf, pageQuery } from './page.ts';
import { policy } from './policy.ts';
import { noBody, routes } from './route.ts';
import { emptyOrText, id, text, timestamp } from './text.ts';
import { WEBHOOK_EVENT_TYPES } from './webhook-events.ts';

/** Maximum number of webhooks of a tenant. */
export const WEBHOOKS_MAX = 100;

export const WEBHOOK_FORMATS = ['standard', 'slack'] as const;

/** Why the service disabled a webhook. */
export const WEBHOOK_DISABLED_CODES = ['GONE', 'FAILING'] as const;

const url = text(2048)
  .regex(/^https?:\/\/[^\s\\]+$/i, 'must be an https:// URL')
  .describe(
    'An https URL with port 443 or a port from 1024, without credentials or fragment. Its host must have public addresses only. Outside production, http and https URLs of this machine are accepted as well.',
  )
  .meta({ example: 'https://hooks.example.com/cspm' });

const events = z
  .array(z.enum(WEBHOOK_EVENT_TYPES))
  .min(1)
  .max(WEBHOOK_EVENT_TYPES.length)
  .describe('The events to send. Duplicates are ignored.')
  .meta({ example: ['scan.completed', 'findings.opened'] });

const description = emptyOrText(200)
  .describe('For your own use.')
  .meta({ example: 'Tickets for new findings' });

const FORMAT =
  '`standard`: a signed JSON event, see Standard Webhooks 1.0. `slack`: the message of an incoming webhook of Slack.';

const format = z.enum(WEBHOOK_FORMATS).describe(FORMAT);

const enabled = z.boolean().describe('False: no events are sent.');

const signingSecret = z
  .string()
  .describe('The signing secret. Shown only here; the server stores it encrypted.')
  .meta({ example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' });

export const Webhook = z
  .object({
    id,
    url: z.string().meta({ example: 'https://hooks.example.com/cspm' }),
    events: z.array(z.enum(WEBHOOK_EVENT_TYPES)),
    description,
    format,
    enabled,
    failingSince: timestamp
      .nullable()
      .describe('The time since which every attempt has failed. Null if the last one succeeded.'),
    disabledReason: z
      .object({ code: z.enum(WEBHOOK_DISABLED_CODES), message: z.string(), at: timestamp })
      .nullable()
      .describe('Why the service disabled the webhook. Null unless the service disabled it.'),
    previousSecretUntil: timestamp
      .nullable()
      .describe(
        'The time until which the secret before the last rotation also signs, unless the secret is rotated again.',
      ),
    createdAt: timestamp,
  })
  .meta({
    id: 'Webhook',
    description: 'Sends events to a URL.',
    example: {
      id: '0199c2a4-9b60-7d41-a3f2-58c1e7d90b36',
      url: 'https://hooks.example.com/cspm',
      events: ['scan.completed', 'findings.opened'],
      description: 'Tickets for new findings',
      format: 'standard',
      enabled: true,
      failingSince: null,
      disabledReason: null,
      previousSecretUntil: null,
      createdAt: '2026-11-20T08:00:00.000Z',
    },
  });

export const NewWebhook = Webhook.extend({ secret: signingSecret }).meta({
  id: 'NewWebhook',
  description: 'A newly created webhook with its signing secret.',
});

export const WebhookSecret = z
  .object({
    secret: signingSecret,
    previousSecretUntil: timestamp.describe('Until then the previous secret signs as well.'),
  })
  .meta({ id: 'WebhookSecret', description: 'A new signing secret of a webhook.' });

const attempt = z.object({
  at: timestamp,
  status: z
    .int()
    .nullable()
    .describe('The HTTP status of the response. Null: there was none.')
    .meta({ example: 200 }),
  milliseconds: z.int().meta({ example: 84 }),
  problem: z
    .string()
    .nullable()
    .describe('Why the attempt failed. Null: it succeeded.')
    .meta({ example: null }),
});

export const WebhookDelivery = z
  .object({
    id,
    messageId: z
      .string()
      .describe('The header `webhook-id`: the same for all attempts of an event.')
      .meta({ example: 'msg_0199c2a47c1e7a539d5e2f6f8f1f4b11' }),
    type: z.enum([...WEBHOOK_EVENT_TYPES, 'webhook.test']),
    status: z
      .enum(['pending', 'delivered', 'failed'])
      .describe('`failed`: no further attempt is made.'),
    createdAt: timestamp.describe('When the event took place.'),
    nextAttemptAt: timestamp.nullable().describe('Null unless the status is `pending`.'),
    attempts: z.array(attempt).describe('The last 20 attempts, oldest first.'),
    payload: jsonMembers
      .describe('The event. Webhooks of format `slack` send a message that is made from it.')
      .meta({
        example: {
          type: 'webhook.test',
          timestamp: '2026-11-20T08:00:00.000Z',
          data: { webhookId: '0199c2a4-9b60-7d41-a3f2-58c1e7d90b36', message: 'This is a test.' },
        },
      }),
  })
  .meta({
    id: 'WebhookDelivery',
    description: 'An event for a webhook, and the attempts to deliver it. Kept for 30 days.',
  });

const pathParams = z.strictObject({ id: id.describe('The id of the webhook.') });

const example = {
  url: 'https://hooks.example.com/cspm',
  events: ['scan.completed', 'findings.opened'],
  description: 'Tickets for new findings',
  format: 'standard',
  enabled: true,
};

const PERMISSION = { auth: 'any', permission: 'admin.settings' } as const;

export const webhooks = routes({
  list: {
    method: 'GET',
    path: '/webhooks',
    summary: 'List webhooks',
    description: 'The webhooks of your tenant, newest first.',
    query: z.strictObject(pageQuery),
    responses: { 200: pageOf(Webhook) },
    metadata: policy({ ...PERMISSION, idempotency: 'safe', tx: 'read' }),
  },
  create: {
    method: 'POST',
    path: '/webhooks',
    summary: 'Create a webhook',
    description: `The signing secret is shown only in this response. A tenant has at most ${WEBHOOKS_MAX} webhooks; returns 409 beyond that.`,
    body: z
      .strictObject({
        url,
        events,
        description: description.default(''),
        format: format.default('standard'),
        enabled: enabled.default(true),
      })
      .meta({ example }),
    responses: { 201: NewWebhook },
    metadata: policy({
      ...PERMISSION,
      idempotency: 'accepted',
      audit: 'webhook.created',
      tx: 'write',
      body: 'json',
      problems: ['CONFLICT'],
    }),
  },
  get: {
    method: 'GET',
    path: '/webhooks/:id',
    summary: 'Get a webhook',
    description: 'The signing secret is not shown again.',
    pathParams,
    responses: { 200: Webhook },
    metadata: policy({
      ...PERMISSION,
      idempotency: 'safe',
      tx: 'read',
      problems: ['NOT_FOUND'],
    }),
  },
  update: {
    method: 'PUT',
    path: '/webhooks/:id',
    summary: 'Change a webhook',
    description:
      'Deliveries that wait for their next attempt go to the new URL. Disabling a webhook marks its waiting deliveries as failed.',
    pathParams,
    body: z
      .strictObject({
        url,
        events,
        description: description.default(''),
        format: format.optional().describe(`${FORMAT} If it is omitted, it stays as it is.`),
        enabled,
      })
      .meta({ example }),
    responses: { 200: Webhook },
    metadata: policy({
      ...PERMISSION,
      idempotency: 'natural',
      audit: 'webhook.updated',
      tx: 'write',
      body: 'json',
      problems: ['NOT_FOUND'],
    }),
  },
  delete: {
    method: 'DELETE',
    path: '/webhooks/:id',
    summary: 'Delete a webhook',
    description: 'Its deliveries are deleted with it.',
    pathParams,
    responses: { 204: noBody },
    metadata: policy({
      ...PERMISSION,
      idempotency: 'natural',
      audit: 'webhook.deleted',
      tx: 'write',
      problems: ['NOT_FOUND'],
    }),
  },
  rotateSecret: {
    method: 'POST',
    path: '/webhooks/:id/rotate-secret',
    summary: 'Rotate the signing secret',
    description:
      'Returns a new secret. For 24 hours each event has two signatures, one by the new and one by the previous secret. Another rotation in that time ends the older of the two secrets at once.',
    pathParams,
    body: noBody,
    responses: { 201: WebhookSecret },
    metadata: policy({
      ...PERMISSION,
      idempotency: 'accepted',
      audit: 'webhook.secret_rotated',
      tx: 'write',
      problems: ['NOT_FOUND'],
    }),
  },
  test: {
    method: 'POST',
    path: '/webhooks/:id/test',
    summary: 'Send a test event',
    description:
      'Queues an event of type `webhook.test`, whatever events the webhook subscribes to. Returns 409 for a disabled webhook.',
    pathParams,
    body: noBody,
    responses: { 202: WebhookDelivery },
    metadata: policy({
      ...PERMISSION,
      idempotency: 'accepted',
      audit: 'webhook.tested',
      tx: 'write',
      problems: ['CONFLICT', 'NOT_FOUND'],
    }),
  },
  deliveries: {
    method: 'GET',
    path: '/webhooks/:id/deliveries',
    summary: 'List deliveries',
    description: 'The events for a webhook, newest first.',
    pathParams,
    query: z.strictObject(pageQuery),
    responses: { 200: pageOf(WebhookDelivery) },
    metadata: policy({
      ...PERMISSION,
      idempotency: 'safe',
      tx: 'read',
      problems: ['NOT_FOUND'],
    }),
  },
  redeliver: {
    method: 'POST',
    path: '/webhooks/:id/deliveries/:deliveryId/redeliver',
    summary: 'Deliver an event again',
    description:
      'Starts the attempts again, with the same `webhook-id`. Returns 409 for a disabled webhook.',
    pathParams: pathParams.extend({ deliveryId: id.describe('The id of the delivery.') }),
    body: noBody,
    responses: { 202: WebhookDelivery },
    metadata: policy({
      ...PERMISSION,
      idempotency: 'accepted',
      audit: 'webhook.redelivered',
      tx: 'write',
      problems: ['CONFLICT', 'NOT_FOUND'],
    }),
  },
});
