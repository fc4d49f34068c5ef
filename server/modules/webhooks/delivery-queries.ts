import type { Statement, TenantConnection } from '../../platform/database/tenant-database.ts';
import type { EventBodies } from './event-bodies.ts';
import type { StoredAttempt } from './view.ts';

/** A delivery with everything that an attempt needs. */
export interface ReadyDelivery {
  id: string;
  event_id: string;
  body: string;
  attempts: number;
  webhook_id: string;
  url: string;
  format: string;
  secret: Buffer;
  previous_secret: Buffer | null;
  previous_secret_until: Date | null;
}

/** The outcome of an attempt. */
export interface Outcome {
  readonly deliveryId: string;
  readonly webhookId: string;
  /** The URL of the webhook at the attempt. */
  readonly url: string;
  /** Attempts before this one: if another worker has recorded it meanwhile, this outcome is ignored. */
  readonly attemptsBefore: number;
  readonly status: 'pending' | 'delivered' | 'failed';
  readonly nextAttemptAt: Date | null;
  readonly attempt: StoredAttempt;
}

interface EventRow {
  id: string;
  type: string;
  body: string;
}

/** The deliveries that are still to be sent, to webhooks that are enabled. */
export async function loadDeliveries(
  db: TenantConnection,
  bodies: EventBodies,
  ids: readonly string[],
): Promise<ReadyDelivery[]> {
  const rows = await db.sql<Omit<ReadyDelivery, 'body'>>(LOAD, [db.tenantId, ids]);
  const read = new Map<string, string>();
  for (const { event_id: id } of rows) {
    const kept = bodies.get(id);
    if (kept !== undefined) read.set(id, kept);
  }
  const missing = new Set(rows.map((row) => row.event_id).filter((id) => !read.has(id)));
  if (missing.size > 0) {
    const found = await db.sql<EventRow>(BODIES, [db.tenantId, [...missing]]);
    for (const { id, type, body } of found) {
      read.set(id, body);
      bodies.add(id, type, body);
    }
  }
  return rows.flatMap((row) => {
    const body = read.get(row.event_id);
    return body === undefined ? [] : [{ ...row, body }];
  });
}

/**
 * Ends deliveries that no attempt is made for. Those whose webhook is deleted are deleted too: their event was queued while
 * the webhook and its other deliveries were.
 */
export async function endDeliveries(db: TenantConnection, ids: readonly string[]): Promise<void> {
  await db.sql(DELETE_ORPHANS, [db.tenantId, ids]);
  await db.sql(END, [db.tenantId, ids]);
}

/** Records outcomes, and moves each delivery to its next attempt or its end. */
export async function recordOutcomes(
  db: TenantConnection,
  outcomes: readonly Outcome[],
): Promise<void> {
  const inOrder = outcomes.toSorted((a, b) => (a.deliveryId < b.deliveryId ? -1 : 1));
  await db.sql(RECORD, [
    db.tenantId,
    inOrder.map(({ deliveryId }) => deliveryId),
    inOrder.map(({ attemptsBefore }) => attemptsBefore),
    inOrder.map(({ status }) => status),
    inOrder.map(({ nextAttemptAt }) => nextAttemptAt),
    inOrder.map(({ attempt }) => JSON.stringify(attempt)),
  ]);
}

/**
 * Webhooks that a success or a failure changes. Locks them in one order, and before their deliveries, as requests that change
 * a webhook do; a failure may disable it later in the transaction.
 * @returns their present URLs, by id
 */
export async function noteHealth(
  db: TenantConnection,
  {
    succeeded,
    failed,
    gone,
  }: {
    readonly succeeded: readonly string[];
    readonly failed: readonly string[];
    /** Those that are disabled, even if a delivery succeeded too. */
    readonly gone: readonly string[];
  },
  at: Date,
): Promise<ReadonlyMap<string, string>> {
  const mayChange = [...failed, ...gone];
  const held = await db.sql<{ id: string; url: string }>(HOLD, [db.tenantId, succeeded, mayChange]);
  const recovered = held.map(({ id }) => id).filter((id) => succeeded.includes(id));
  if (recovered.length > 0) await db.sql(HEALTHY, [db.tenantId, recovered]);
  if (failed.length > 0) await db.sql(FAILING, [db.tenantId, failed, at]);
  return new Map(held.map(({ id, url }) => [id, url]));
}

/** The enabled ones of these webhooks that have failed since that time. `noteHealth` has locked them. */
export async function failingSince(
  db: TenantConnection,
  ids: readonly string[],
  since: Date,
): Promise<{ id: string; url: string }[]> {
  return db.sql<{ id: string; url: string }>(LONG_FAILING, [db.tenantId, ids, since]);
}

// Written by hand: set-based, for all deliveries of a tenant at once.
const LOAD: Statement = {
  name: 'webhook-deliveries-load',
  reason: 'set',
  text: `SELECT d.id, d.event_id, d.attempts, w.id AS webhook_id, w.url, w.format, w.secret,
                w.previous_secret, w.previous_secret_until
         FROM webhook_deliveries d
         JOIN webhooks w ON w.tenant_id = $1 AND w.id = d.webhook_id AND w.enabled
         WHERE d.tenant_id = $1 AND d.id = ANY($2::uuid[]) AND d.status = 'pending'`,
};
const BODIES: Statement = {
  name: 'webhook-event-bodies',
  reason: 'hot path',
  text: 'SELECT id, type, body FROM webhook_events WHERE tenant_id = $1 AND id = ANY($2::uuid[])',
};
const DELETE_ORPHANS: Statement = {
  name: 'webhook-deliveries-orphans',
  reason: 'set',
  text: `DELETE FROM webhook_deliveries d WHERE d.tenant_id = $1 AND d.id = ANY($2::uuid[])
         AND NOT EXISTS (SELECT 1 FROM webhooks w WHERE w.tenant_id = $1 AND w.id = d.webhook_id)`,
};
const END: Statement = {
  name: 'webhook-deliveries-end',
  reason: 'hot path',
  text: `UPDATE webhook_deliveries SET status = 'failed', next_attempt_at = NULL
         WHERE tenant_id = $1 AND id = ANY($2::uuid[]) AND status = 'pending'`,
};
const RECORD: Statement = {
  name: 'webhook-deliveries-record',
  reason: 'set',
  text: `UPDATE webhook_deliveries d
         SET status = o.status, attempts = d.attempts + 1, next_attempt_at = o.next_attempt_at,
             history = CASE WHEN jsonb_array_length(d.history) < 20 THEN d.history ELSE d.history - 0 END
                       || o.attempt::jsonb
         FROM unnest($2::uuid[], $3::int[], $4::text[], $5::timestamptz[], $6::text[])
           AS o(id, attempts, status, next_attempt_at, attempt)
         WHERE d.tenant_id = $1 AND d.id = o.id AND d.status = 'pending' AND d.attempts = o.attempts`,
};
// Healthy webhooks are not locked: workers record successes of the same webhook at the same time.
const HOLD: Statement = {
  name: 'webhooks-hold',
  reason: 'lock',
  text: `SELECT id, url FROM webhooks
         WHERE tenant_id = $1 AND (
           id = ANY($2::uuid[]) AND failing_since IS NOT NULL OR id = ANY($3::uuid[]))
         ORDER BY id FOR NO KEY UPDATE`,
};
const HEALTHY: Statement = {
  name: 'webhooks-healthy',
  reason: 'hot path',
  text: `UPDATE webhooks SET failing_since = NULL
         WHERE tenant_id = $1 AND id = ANY($2::uuid[]) AND failing_since IS NOT NULL`,
};
const FAILING: Statement = {
  name: 'webhooks-failing',
  reason: 'hot path',
  text: `UPDATE webhooks SET failing_since = $3
         WHERE tenant_id = $1 AND id = ANY($2::uuid[]) AND failing_since IS NULL AND enabled`,
};
const LONG_FAILING: Statement = {
  name: 'webhooks-long-failing',
  reason: 'set',
  text: `SELECT id, url FROM webhooks
         WHERE tenant_id = $1 AND id = ANY($2::uuid[]) AND enabled AND failing_since <= $3
         ORDER BY id`,
};
