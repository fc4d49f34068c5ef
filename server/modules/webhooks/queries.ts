import { BY_INDEX } from '../../platform/database/by-index.ts';
import type { Statement, TenantConnection } from '../../platform/database/tenant-database.ts';
import { AFTER_ALL_IDS, BEFORE_ALL_IDS } from '../../platform/ids.ts';

/** What a person can set. */
export interface WebhookContent {
  readonly url: string;
  readonly events: readonly string[];
  readonly description: string;
  readonly format: string;
  readonly enabled: boolean;
}

export interface WebhookRow extends WebhookContent {
  readonly id: string;
  readonly secret: Uint8Array;
  readonly failingSince: Date | null;
  readonly previousSecretUntil: Date | null;
  readonly disabledCode: string | null;
  readonly disabledAt: Date | null;
  readonly createdAt: Date;
}

/** A delivery with the event that it delivers. */
export interface DeliveryRow {
  readonly id: string;
  readonly webhookId: string;
  readonly eventId: string;
  readonly status: string;
  readonly nextAttemptAt: Date | null;
  readonly history: unknown;
  readonly createdAt: Date;
  readonly type: string;
  readonly body: string;
}

const SELECT = {
  id: true,
  url: true,
  events: true,
  description: true,
  format: true,
  enabled: true,
  secret: true,
  failingSince: true,
  previousSecretUntil: true,
  disabledCode: true,
  disabledAt: true,
  createdAt: true,
} as const;

interface Page {
  readonly before: string | null;
  readonly limit: number;
}

/** Newest first. */
export function listWebhooks(db: TenantConnection, { before, limit }: Page): Promise<WebhookRow[]> {
  return db.prisma.webhook.findMany({
    where: { tenantId: db.tenantId, id: { lt: before ?? AFTER_ALL_IDS } },
    select: SELECT,
    orderBy: { id: 'desc' },
    take: limit,
  });
}

export function findWebhook(db: TenantConnection, id: string): Promise<WebhookRow | null> {
  return db.prisma.webhook.findUnique({
    where: { tenantId_id: { tenantId: db.tenantId, id } },
    select: SELECT,
  });
}

/** The same, held until the transaction ends. */
export async function lockWebhook(db: TenantConnection, id: string): Promise<WebhookRow | null> {
  const held = await db.sql<{ id: string }>(LOCK, [db.tenantId, id]);
  return held.length === 0 ? null : findWebhook(db, id);
}

export function countWebhooks(db: TenantConnection): Promise<number> {
  return db.prisma.webhook.count({ where: { tenantId: db.tenantId } });
}

export async function insertWebhook(
  db: TenantConnection,
  webhook: WebhookContent & {
    readonly id: string;
    readonly secret: Buffer;
    readonly createdAt: Date;
  },
): Promise<void> {
  await db.prisma.webhook.createMany({
    data: {
      tenantId: db.tenantId,
      ...webhook,
      events: [...webhook.events],
      secret: new Uint8Array(webhook.secret),
    },
  });
}

/** Replaces what a person can set. The reason why the service disabled it ends with that. */
export async function updateWebhook(
  db: TenantConnection,
  id: string,
  content: WebhookContent,
): Promise<void> {
  await db.prisma.webhook.updateMany({
    where: { tenantId: db.tenantId, id },
    data: {
      ...content,
      events: [...content.events],
      failingSince: null,
      disabledCode: null,
      disabledAt: null,
    },
  });
}

/** @param previousUntil until when the secret before signs as well. */
export async function replaceSecret(
  db: TenantConnection,
  { id, secret: previous }: WebhookRow,
  secret: Buffer,
  previousUntil: Date,
): Promise<void> {
  await db.prisma.webhook.updateMany({
    where: { tenantId: db.tenantId, id },
    data: {
      secret: new Uint8Array(secret),
      previousSecret: new Uint8Array(previous),
      previousSecretUntil: previousUntil,
    },
  });
}

/** @returns false when there is no such webhook. */
export async function deleteWebhook(db: TenantConnection, id: string): Promise<boolean> {
  const { tenantId } = db;
  const { count } = await db.prisma.webhook.deleteMany({ where: { tenantId, id } });
  if (count === 0) return false;
  await inParts(db, id, DELETE_PART);
  // Again for what was queued meanwhile. The worker deletes what is queued until the commit.
  await inParts(db, id, DELETE_PART);
  return true;
}

/** Disables a webhook in the name of the service. */
export async function disableWebhook(
  db: TenantConnection,
  id: string,
  { code, at }: { readonly code: string; readonly at: Date },
): Promise<void> {
  await db.prisma.webhook.updateMany({
    where: { tenantId: db.tenantId, id },
    data: { enabled: false, disabledCode: code, disabledAt: at },
  });
  await endPending(db, id);
}

/** Ends all deliveries of a webhook that wait for an attempt. */
export async function endPending(db: TenantConnection, webhookId: string): Promise<void> {
  await inParts(db, webhookId, END_PART);
}

/** Deliveries that one statement changes. One that changed all of a failing webhook would exceed its time limit. */
const DELIVERIES_AT_ONCE = 10_000;

/** @param part changes the deliveries whose ids are at least $3 and below $4. */
async function inParts(db: TenantConnection, webhookId: string, part: Statement): Promise<void> {
  const webhook = [db.tenantId, webhookId];
  await db.sql(BY_INDEX);
  let before: string | null = AFTER_ALL_IDS;
  while (before !== null) {
    const values: unknown[] = [...webhook, before, DELIVERIES_AT_ONCE - 1];
    const [last] = await db.sql<{ id: string }>(LAST_OF_PART, values);
    await db.sql(part, [...webhook, last?.id ?? BEFORE_ALL_IDS, before]);
    before = last?.id ?? null;
  }
}

const LAST_OF_PART: Statement = {
  name: 'webhook-deliveries-last',
  reason: 'set',
  text: `SELECT id FROM webhook_deliveries WHERE tenant_id = $1 AND webhook_id = $2 AND id < $3
         ORDER BY id DESC OFFSET $4 LIMIT 1`,
};

const PART = 'tenant_id = $1 AND webhook_id = $2 AND id >= $3 AND id < $4';

const END_PART: Statement = {
  name: 'webhook-deliveries-end-part',
  reason: 'set',
  text: `UPDATE webhook_deliveries SET status = 'failed', next_attempt_at = NULL
         WHERE ${PART} AND status = 'pending'`,
};

const DELETE_PART: Statement = {
  name: 'webhook-deliveries-delete',
  reason: 'set',
  text: `DELETE FROM webhook_deliveries WHERE ${PART}`,
};

/**
 * Newest first.
 * @param bodyBytes the most bytes that the bodies of a page have together, unless the first one alone has more; others are not read.
 */
export async function listDeliveries(
  db: TenantConnection,
  webhookId: string,
  { before, limit }: Page,
  bodyBytes: number,
): Promise<{ rows: DeliveryRow[]; hasMore: boolean }> {
  const found = await db.prisma.webhookDelivery.findMany({
    where: { tenantId: db.tenantId, webhookId, id: { lt: before ?? AFTER_ALL_IDS } },
    orderBy: { id: 'desc' },
    take: limit + 1,
  });
  const idsOf = (rows: typeof found) => rows.map(({ eventId }) => eventId);
  const sizes = await db.sql<{ id: string; bytes: number }>(EVENT_SIZES, [
    db.tenantId,
    idsOf(found),
  ]);
  const bytesOf = new Map(sizes.map(({ id, bytes }) => [id, bytes]));
  const fits = fitting(
    found.slice(0, limit).map(({ eventId }) => bytesOf.get(eventId) ?? 0),
    bodyBytes,
  );
  const shown = found.slice(0, fits);
  const events = await db.prisma.webhookEvent.findMany({
    where: { tenantId: db.tenantId, id: { in: idsOf(shown) } },
    select: { id: true, type: true, body: true },
  });
  const eventOf = new Map(events.map((event) => [event.id, event]));
  const rows = shown.flatMap((row) => {
    const event = eventOf.get(row.eventId);
    // Retention deletes an event and its deliveries together.
    return event === undefined ? [] : [{ ...row, type: event.type, body: event.body }];
  });
  return { rows, hasMore: found.length > shown.length };
}

/** How many of the first bodies have so many bytes together: at least one. */
function fitting(sizes: readonly number[], most: number): number {
  let sum = 0;
  const after = sizes.findIndex((bytes) => {
    sum += bytes;
    return sum > most;
  });
  return after < 0 ? sizes.length : Math.max(after, 1);
}

/** Hand-written: Prisma Client cannot measure a column. Postgres does not read long bodies for this. */
const EVENT_SIZES: Statement = {
  name: 'webhook-event-sizes',
  reason: 'set',
  text: `SELECT e.id, octet_length(e.body) AS bytes FROM unnest($2::uuid[]) AS listed (id)
         JOIN webhook_events e ON e.tenant_id = $1 AND e.id = listed.id`,
};

export async function findDelivery(
  db: TenantConnection,
  webhookId: string,
  id: string,
): Promise<DeliveryRow | null> {
  const { tenantId } = db;
  const row = await db.prisma.webhookDelivery.findFirst({ where: { tenantId, webhookId, id } });
  if (row === null) return null;
  const event = await db.prisma.webhookEvent.findUnique({
    where: { tenantId_id: { tenantId, id: row.eventId } },
  });
  return event === null ? null : { ...row, type: event.type, body: event.body };
}

/** Starts the attempts of a delivery again. */
export async function queueAgain(db: TenantConnection, id: string, at: Date): Promise<void> {
  await db.sql(QUEUE_AGAIN, [db.tenantId, id, at]);
}

// Written by hand: due by the clock of the database at the latest, as for new deliveries.
const QUEUE_AGAIN: Statement = {
  name: 'webhook-delivery-queue-again',
  reason: 'set',
  text: `UPDATE webhook_deliveries
         SET status = 'pending', attempts = 0, next_attempt_at = LEAST($3::timestamptz, now())
         WHERE tenant_id = $1 AND id = $2`,
};

// Written by hand because Prisma Client takes no row locks.
const LOCK: Statement = {
  name: 'webhook-lock',
  reason: 'lock',
  text: 'SELECT id FROM webhooks WHERE tenant_id = $1 AND id = $2 FOR NO KEY UPDATE',
};
