import type { Clock } from '../../platform/clock.ts';
import type { KeyRing } from '../../platform/crypto/app-secrets.ts';
import type { Outcome, ReadyDelivery } from './delivery-queries.ts';
import type { Answer } from './exchange.ts';
import { retryAfterMs } from './retry-after.ts';
import { nextAttemptAt } from './retry-ladder.ts';
import { openSecret, signatureHeaders } from './secret.ts';
import type { Outgoing, Sender } from './sender.ts';
import { slackMessage } from './slack-message.ts';
import { messageIdOf } from './view.ts';

export interface AttemptServices {
  readonly sender: Pick<Sender, 'send'>;
  readonly keys: KeyRing;
  readonly clock: Clock;
}

/** The receiver wants no further events (Standard Webhooks 1.0). */
export const GONE = 410;

/**
 * Makes one attempt to deliver an event of a tenant.
 * @param signal aborts it; then it throws, and its outcome is unknown.
 */
export async function attemptDelivery(
  { sender, keys, clock }: AttemptServices,
  tenantId: string,
  delivery: ReadyDelivery,
  signal: AbortSignal,
): Promise<Outcome> {
  const at = clock.now();
  const since = performance.now();
  const outgoing = outgoingOf(keys, delivery, at);
  const { status, problem, retryAfter }: Answer =
    outgoing === null
      ? { status: null, problem: 'The signing secret cannot be decrypted. Rotate it.' }
      : await sender.send({ ...outgoing, tenantId }, signal);
  const attempts = delivery.attempts + 1;
  const now = clock.now();
  const askedMs = retryAfter === undefined ? null : retryAfterMs(retryAfter, now);
  const next =
    problem === null || status === GONE ? null : nextAttemptAt(attempts, now, { askedMs });
  return {
    deliveryId: delivery.id,
    webhookId: delivery.webhook_id,
    url: delivery.url,
    attemptsBefore: delivery.attempts,
    status: problem === null ? 'delivered' : next === null ? 'failed' : 'pending',
    nextAttemptAt: next,
    attempt: {
      at: at.toISOString(),
      status,
      milliseconds: Math.round(performance.now() - since),
      problem,
    },
  };
}

/** @returns null when the signing secret was sealed under a secret that is no longer configured. */
function outgoingOf(keys: KeyRing, delivery: ReadyDelivery, at: Date): Outgoing | null {
  const { webhook_id: webhookId, previous_secret: previous } = delivery;
  const isBoth = previous !== null && at < (delivery.previous_secret_until ?? at);
  const sealed = isBoth ? [delivery.secret, previous] : [delivery.secret];
  const secrets = sealed.flatMap((one) => openSecret(keys, webhookId, one) ?? []);
  if (secrets.length === 0) return null;
  const body =
    delivery.format === 'slack'
      ? JSON.stringify(slackMessage(JSON.parse(delivery.body)))
      : delivery.body;
  return {
    url: delivery.url,
    body,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'cspm-webhooks/1.0',
      ...signatureHeaders(secrets, { id: messageIdOf(delivery.event_id), at, body }),
    },
  };
}
