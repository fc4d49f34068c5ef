import type { Outcome } from './delivery-queries.ts';

/** A receiver that answers within this time is quick. */
const QUICK_MS = 1_000;
/** The most that `jobs.claim_deliveries` accepts. */
const REMEMBERED = 1_000;

/**
 * The webhooks whose last attempt by this process was answered quickly. They get more attempts at a time: they give them
 * back soon, while a receiver that hangs keeps each for 15 s.
 */
export class QuickReceivers {
  readonly #ids = new Set<string>();

  note({ webhookId, status, attempt }: Outcome): void {
    this.#ids.delete(webhookId);
    if (status !== 'delivered' || attempt.milliseconds > QUICK_MS) return;
    this.#ids.add(webhookId);
    // A set keeps the order in which its members were added.
    const [oldest] = this.#ids;
    if (this.#ids.size > REMEMBERED && oldest !== undefined) this.#ids.delete(oldest);
  }

  get ids(): string[] {
    return [...this.#ids];
  }
}
