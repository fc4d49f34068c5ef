import type { Outcome } from './delivery-queries.ts';

/** The most that `jobs.lease_deliveries` accepts. */
const REMEMBERED = 1_000;

/**
 * The webhooks whose last attempt by this process was answered quickly. They get more attempts at a time: they give them
 * back soon, while a receiver that hangs keeps each for 15 s.
 */
export class QuickReceivers {
  readonly #withinMs: number;
  readonly #ids = new Set<string>();

  /** @param withinMs how long a quick receiver takes for its answer at most. */
  constructor(withinMs: number) {
    this.#withinMs = withinMs;
  }

  note({ webhookId, status, attempt }: Outcome): void {
    this.#ids.delete(webhookId);
    if (status !== 'delivered' || attempt.milliseconds > this.#withinMs) return;
    this.#ids.add(webhookId);
    // A set keeps the order in which its members were added.
    const [oldest] = this.#ids;
    if (this.#ids.size > REMEMBERED && oldest !== undefined) this.#ids.delete(oldest);
  }

  has(webhookId: string): boolean {
    return this.#ids.has(webhookId);
  }

  get ids(): string[] {
    return [...this.#ids];
  }
}
