import { WEBHOOKS_MAX } from '@cspm/contract';
import { idAfter, pageFrom, pageOfRows } from '../../platform/cursor.ts';
import type { TenantConnection } from '../../platform/database/tenant-database.ts';
import type { HandlersOf } from '../../platform/handler.ts';
import { newId } from '../../platform/ids.ts';
import { notFound, ProblemError, validationFailed } from '../../platform/problem.ts';
import { lockTenant } from '../tenants/index.ts';
import { queueFor } from './events.ts';
import {
  countWebhooks,
  type DeliveryRow,
  deleteWebhook,
  endPending,
  findDelivery,
  findWebhook,
  insertWebhook,
  listDeliveries,
  listWebhooks,
  lockWebhook,
  queueAgain,
  replaceSecret,
  updateWebhook,
  type WebhookContent,
  type WebhookRow,
} from './queries.ts';
import { newSigningSecret, sealSecret } from './secret.ts';
import { targetFault } from './target-url.ts';
import { deliveryView, webhookView } from './view.ts';
import type { WebhookConfig } from './webhook-config.ts';

interface WebhookServices {
  readonly webhooks: WebhookConfig;
}

/** How long the previous secret signs after a rotation. */
const PREVIOUS_SECRET_MS = 24 * 3_600_000;
/** Bytes of the events in a page of deliveries. More would occupy the event loop for too long. */
const PAGE_BODIES = 1024 * 1024;

export const webhooks: HandlersOf<'webhooks', WebhookServices> = {
  async list({ input: { query }, db, origin }) {
    const page = { before: idAfter(query.cursor), limit: query.limit + 1 };
    const rows = await listWebhooks(db, page);
    const view = (row: WebhookRow) => webhookView(row, origin.at);
    return { status: 200, body: pageFrom(rows, query.limit, (row) => row.id, view) };
  },

  async create({ input: { body }, services, db, origin, audit }) {
    demandTarget(body, services);
    // One at a time for a tenant, so that requests at the same moment cannot exceed the limit.
    await lockTenant(db);
    if ((await countWebhooks(db)) >= WEBHOOKS_MAX) {
      throw new ProblemError(
        'CONFLICT',
        `Your tenant has ${WEBHOOKS_MAX} webhooks, which is the limit. Delete one first.`,
      );
    }
    const id = newId();
    const secret = newSigningSecret();
    const content = contentOf(body);
    const sealed = sealSecret(services.webhooks.keys, id, secret);
    await insertWebhook(db, { id, ...content, secret: sealed, createdAt: origin.at });
    audit({ subject: id, detail: auditedOf(content) });
    const row = await find(db, id);
    return { status: 201, body: { ...webhookView(row, origin.at), secret } };
  },

  async get({ input: { params }, db, origin }) {
    return { status: 200, body: webhookView(await find(db, params.id), origin.at) };
  },

  async update({ input: { params, body }, services, db, origin, audit }) {
    demandTarget(body, services);
    const before = await lockWebhook(db, params.id);
    if (before === null) throw notFound();
    const content = contentOf({ ...body, format: body.format ?? before.format });
    await updateWebhook(db, params.id, content);
    if (!content.enabled) await endPending(db, params.id);
    audit({ subject: params.id, detail: auditedOf(content) });
    return { status: 200, body: webhookView(await find(db, params.id), origin.at) };
  },

  async delete({ input: { params }, db, audit }) {
    if (!(await deleteWebhook(db, params.id))) throw notFound();
    audit({ subject: params.id });
    return { status: 204, body: undefined };
  },

  async rotateSecret({ input: { params }, services, db, origin, audit }) {
    const row = await lockWebhook(db, params.id);
    if (row === null) throw notFound();
    const secret = newSigningSecret();
    const until = new Date(origin.at.getTime() + PREVIOUS_SECRET_MS);
    await replaceSecret(db, row, sealSecret(services.webhooks.keys, row.id, secret), until);
    audit({ subject: row.id });
    return { status: 201, body: { secret, previousSecretUntil: until.toISOString() } };
  },

  async test({ input: { params }, db, origin, audit }) {
    const webhook = await find(db, params.id);
    demandEnabled(webhook);
    const data = {
      webhookId: webhook.id,
      message: 'This is a test. The webhook was asked to send it.',
    };
    const id = await queueFor(db, [webhook.id], { type: 'webhook.test', at: origin.at, data });
    audit({ subject: webhook.id });
    return { status: 202, body: deliveryView(await delivery(db, webhook.id, id)) };
  },

  async deliveries({ input: { params, query }, db }) {
    const { id } = await find(db, params.id);
    const page = { before: idAfter(query.cursor), limit: query.limit };
    const { rows, hasMore } = await listDeliveries(db, id, page, PAGE_BODIES);
    return { status: 200, body: pageOfRows(rows, hasMore, (row) => row.id, deliveryView) };
  },

  async redeliver({ input: { params }, db, origin, audit }) {
    const webhook = await lockWebhook(db, params.id);
    if (webhook === null) throw notFound();
    const { id } = await delivery(db, webhook.id, params.deliveryId);
    demandEnabled(webhook);
    await queueAgain(db, id, origin.at);
    audit({ subject: webhook.id, detail: { delivery: id } });
    return { status: 202, body: deliveryView(await delivery(db, webhook.id, id)) };
  },
};

/** @throws {ProblemError} VALIDATION_FAILED for a URL that no webhook can have. */
function demandTarget({ url }: { readonly url: string }, { webhooks }: WebhookServices): void {
  const fault = targetFault(url, webhooks.addresses);
  if (fault !== null) throw validationFailed([{ path: 'body.url', message: fault }]);
}

/** @throws {ProblemError} CONFLICT for a disabled webhook. */
function demandEnabled({ enabled }: WebhookRow): void {
  if (enabled) return;
  throw new ProblemError('CONFLICT', 'The webhook is disabled. Enable it first.');
}

function contentOf({ url, events, description, format, enabled }: WebhookContent): WebhookContent {
  return { url: new URL(url).href, events: [...new Set(events)], description, format, enabled };
}

/** The path of a URL is left out: that of a Slack webhook is a secret. */
function auditedOf({ url, events, format, enabled }: WebhookContent) {
  return { host: new URL(url).host, events, format, enabled };
}

async function find(db: TenantConnection, id: string): Promise<WebhookRow> {
  const webhook = await findWebhook(db, id);
  if (webhook === null) throw notFound();
  return webhook;
}

async function delivery(db: TenantConnection, webhookId: string, id: string): Promise<DeliveryRow> {
  const row = await findDelivery(db, webhookId, id);
  if (row === null) throw notFound();
  return row;
}
