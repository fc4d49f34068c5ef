import { createHmac, randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import {
  ConnectionError,
  type Cspm,
  RateLimitError,
  TimeoutError,
  UnavailableError,
  type Webhook,
  type WebhookDelivery,
} from '@cspm/sdk';
import { printable } from './table.ts';
import { say, type Terminal } from './terminal.ts';

/** A pause for each webhook: 24 requests a minute, well within the default rate limit of the service. */
const POLL_MS = 2_500;
const ANSWER_WITHIN_MS = 15_000;
/** Errors that a later poll may not meet. */
const OUTAGES = [ConnectionError, RateLimitError, TimeoutError, UnavailableError];
const PAGE = 50;

interface Forwarding {
  readonly webhooks: readonly Webhook[];
  readonly url: string;
  /** Ends after this many events. */
  readonly count: number;
}

/**
 * Polls the deliveries of webhooks and sends each new event to a receiver on this machine, signed with a secret that
 * exists only now: the secrets of the webhooks are not known here.
 */
export async function forwardDeliveries(
  cspm: Cspm,
  { webhooks, url, count }: Forwarding,
  terminal: Terminal,
): Promise<void> {
  const key = randomBytes(32);
  const seen = new Set<string>();
  const listed = new Set<string>();
  // What was queued before is not news.
  for (const { id } of webhooks) {
    const { items } = await cspm.webhooks.deliveries({ id, limit: PAGE });
    for (const delivery of items) {
      seen.add(delivery.messageId);
      listed.add(delivery.id);
    }
  }
  say(terminal, `Forwarding events to ${url}. Press Ctrl-C to end.`);
  say(terminal, `Signing secret for this session: whsec_${key.toString('base64')}`);
  const { interrupted } = terminal;
  const pauseMs = POLL_MS * webhooks.length;
  let isOut = false;
  const fresh = async () => {
    try {
      const found = await unlisted(cspm, webhooks, listed);
      isOut = false;
      return found;
    } catch (error) {
      const outage = OUTAGES.find((kind) => error instanceof kind);
      if (outage === undefined) throw error;
      const reason = printable((error as Error).message);
      if (!isOut) say(terminal, `The service is not available (${reason}). Trying again.`);
      isOut = true;
      return [];
    }
  };
  for (let forwarded = 0; ; await delay(pauseMs, undefined, { signal: interrupted })) {
    for (const delivery of await fresh()) {
      // Several webhooks may deliver the same event.
      if (seen.has(delivery.messageId)) continue;
      seen.add(delivery.messageId);
      const outcome = await forward(delivery, url, { key, interrupted });
      terminal.output.write(`${delivery.createdAt}  ${delivery.type}  ${outcome}\n`);
      forwarded += 1;
      if (forwarded >= count) return;
    }
  }
}

/**
 * What was queued since the last poll, oldest first. A message that another webhook has delivered says nothing about the
 * older deliveries of this one, so pages are read until one ends with a delivery that was listed before.
 */
async function unlisted(
  cspm: Cspm,
  webhooks: readonly Webhook[],
  listed: Set<string>,
): Promise<WebhookDelivery[]> {
  const found: WebhookDelivery[] = [];
  for (const { id } of webhooks) {
    const fresh: WebhookDelivery[] = [];
    for (let cursor: string | undefined; ; ) {
      const { items, nextCursor } = await cspm.webhooks.deliveries({ id, limit: PAGE, cursor });
      fresh.push(...items.filter((delivery) => !listed.has(delivery.id)));
      const last = items.at(-1);
      if (last === undefined || listed.has(last.id) || nextCursor === null) break;
      cursor = nextCursor;
    }
    found.push(...fresh);
  }
  // After the last request, because what was found before a failed one is not forwarded yet.
  for (const delivery of found) listed.add(delivery.id);
  return found.sort((a, b) => (a.createdAt < b.createdAt ? -1 : 1));
}

async function forward(
  delivery: WebhookDelivery,
  url: string,
  { key, interrupted }: { readonly key: Buffer; readonly interrupted: AbortSignal },
): Promise<string> {
  const { messageId, payload } = delivery;
  const body = JSON.stringify(payload);
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signed = `${messageId}.${timestamp}.${body}`;
  try {
    const response = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      body,
      headers: {
        'content-type': 'application/json',
        'webhook-id': messageId,
        'webhook-timestamp': timestamp,
        'webhook-signature': `v1,${createHmac('sha256', key).update(signed).digest('base64')}`,
      },
      signal: AbortSignal.any([interrupted, AbortSignal.timeout(ANSWER_WITHIN_MS)]),
    });
    await response.body?.cancel();
    return String(response.status);
  } catch {
    interrupted.throwIfAborted();
    return 'no answer';
  }
}
