import { EVENT_FINDINGS_MAX, type WebhookEventType, type WebhookPayloads } from '@cspm/contract';
import { cutAt } from '@cspm/scanner';
import type { Statement, TenantConnection } from '../../platform/database/tenant-database.ts';
import { newId } from '../../platform/ids.ts';

export type EventData<T extends keyof WebhookPayloads> = WebhookPayloads[T]['data'];

/** Maximum size of the body of an event. */
export const MAX_BODY_BYTES = 256 * 1024;

/**
 * Queues an event for every webhook that subscribes to it, in the transaction of its cause: an event is sent if and
 * only if the cause is committed.
 * @param data or a function that is called only if there is such a webhook; null: there is no event after all.
 */
export async function queueEvent<T extends WebhookEventType>(
  db: TenantConnection,
  type: T,
  at: Date,
  data: EventData<T> | (() => Promise<EventData<T> | null>),
): Promise<void> {
  const { tenantId } = db;
  if (db.forwardEvent !== undefined && typeof data === 'object') {
    if (await db.forwardEvent({ type, at, data })) return;
  }
  const subscribed = await db.prisma.webhook.findMany({
    where: { tenantId, enabled: true, events: { has: type } },
    select: { id: true },
  });
  if (subscribed.length === 0) return;
  const content = typeof data === 'function' ? await data() : data;
  if (content === null) return;
  const webhookIds = subscribed.map(({ id }) => id);
  await queueFor(db, webhookIds, { type, at, data: content });
}

/**
 * Queues an event for these webhooks.
 * @returns the id of the first delivery.
 */
export async function queueFor(
  db: TenantConnection,
  webhookIds: readonly string[],
  event: { readonly type: string; readonly at: Date; readonly data: object },
): Promise<string> {
  const { tenantId } = db;
  const { type, at: createdAt } = event;
  const eventId = newId();
  const body = bodyOf(event);
  await db.prisma.webhookEvent.createMany({
    data: { tenantId, id: eventId, type, body, createdAt },
  });
  const ids = webhookIds.map(() => newId());
  await db.sql(QUEUE, [tenantId, ids, webhookIds, eventId, createdAt]);
  return ids[0] ?? '';
}

// Written by hand: set-based, and due by the clock of the database at the latest. Otherwise an event that a server queued
// while its clock was ahead would stay pending until that time.
const QUEUE: Statement = {
  name: 'webhook-deliveries-queue',
  reason: 'set',
  text: `INSERT INTO webhook_deliveries
           (tenant_id, id, webhook_id, event_id, status, next_attempt_at, created_at)
         SELECT $1, d.id, d.webhook_id, $4, 'pending', LEAST($5::timestamptz, now()), $5
         FROM unnest($2::uuid[], $3::uuid[]) AS d(id, webhook_id)`,
};

/** @throws {Error} for an event that is too large; its cause bounds it. */
function bodyOf({ type, at, data }: { type: string; at: Date; data: object }): string {
  const body = JSON.stringify({ type, timestamp: at.toISOString(), data });
  if (Buffer.byteLength(body) <= MAX_BODY_BYTES) return body;
  throw new Error(`An event of type ${type} has more than ${MAX_BODY_BYTES} bytes`);
}

/** A pull from the source of a project that failed. */
interface FailedPull {
  readonly project: string;
  readonly pullId: string;
  readonly problem: string;
}

/** Queues `source.failed`, in the transaction that ends the pull. */
export async function queueSourceFailed(
  db: TenantConnection,
  at: Date,
  { project, pullId, problem }: FailedPull,
): Promise<void> {
  await queueEvent(db, 'source.failed', at, { project, pullId, problem: shortened(problem) });
}

const MAX_TEXT = 500;

/** A text of any origin, short enough for an event. */
export function shortened(text: string): string {
  return text.length <= MAX_TEXT ? text : `${cutAt(text, MAX_TEXT - 1)}…`;
}

/** Room for everything of an event besides its findings. */
const FINDINGS_BYTES = MAX_BODY_BYTES - 16 * 1024;

/** The findings that fit into an event: names of assets have no maximum length. */
export function fitting<F extends object>(findings: readonly F[]): F[] {
  let bytes = 0;
  const fits = findings.slice(0, EVENT_FINDINGS_MAX).findIndex((finding) => {
    bytes += Buffer.byteLength(JSON.stringify(finding)) + 1;
    return bytes > FINDINGS_BYTES;
  });
  return findings.slice(0, fits === -1 ? EVENT_FINDINGS_MAX : fits);
}
