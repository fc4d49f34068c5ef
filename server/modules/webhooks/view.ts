import type { WEBHOOK_EVENT_TYPES, WebhookEventType } from '@cspm/contract';
import type { DeliveryRow, WebhookRow } from './queries.ts';

export type DisabledCode = 'GONE' | 'FAILING';

/** Why the service disables webhooks, and what to do. */
const DISABLED_MESSAGES: Readonly<Record<DisabledCode, string>> = {
  GONE: 'The receiver answered with status 410, which asks for no further events.',
  FAILING: 'Every attempt of five days has failed.',
};

const REMEDY = 'Repair the receiver and enable the webhook again.';

/** An attempt as it is stored. */
export interface StoredAttempt {
  readonly at: string;
  readonly status: number | null;
  readonly milliseconds: number;
  readonly problem: string | null;
}

/** Maps a webhook to its contract type. */
export function webhookView(row: WebhookRow, now: Date) {
  const { disabledCode, disabledAt, previousSecretUntil: until } = row;
  return {
    id: row.id,
    url: row.url,
    // The contract checked them when they were stored.
    events: [...row.events] as WebhookEventType[],
    description: row.description,
    format: row.format as 'standard' | 'slack',
    enabled: row.enabled,
    failingSince: row.failingSince?.toISOString() ?? null,
    disabledReason:
      disabledCode === null || disabledAt === null ? null : reasonOf(disabledCode, disabledAt),
    previousSecretUntil: until !== null && until > now ? until.toISOString() : null,
    createdAt: row.createdAt.toISOString(),
  };
}

function reasonOf(stored: string, at: Date) {
  const code = stored as DisabledCode;
  return { code, message: `${DISABLED_MESSAGES[code]} ${REMEDY}`, at: at.toISOString() };
}

/** Maps a delivery to its contract type. */
export function deliveryView(row: DeliveryRow) {
  return {
    id: row.id,
    messageId: messageIdOf(row.eventId),
    type: row.type as (typeof WEBHOOK_EVENT_TYPES)[number] | 'webhook.test',
    status: row.status as 'pending' | 'delivered' | 'failed',
    createdAt: row.createdAt.toISOString(),
    nextAttemptAt: row.nextAttemptAt?.toISOString() ?? null,
    attempts: row.history as StoredAttempt[],
    payload: JSON.parse(row.body),
  };
}

/** The header `webhook-id`: the same for every webhook and every attempt. */
export function messageIdOf(eventId: string): string {
  return `msg_${eventId.replaceAll('-', '')}`;
}
