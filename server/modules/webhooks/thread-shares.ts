/** Shorter work is not counted: almost all of it is. */
const LONG_MS = 5;
/** A tenant may use this part of the thread with long work. */
const SHARE = 1 / 5;
/** Long work of a tenant that is done at once, in ms. */
const BURST_MS = 100;
const REMEMBERED = 1_000;

/**
 * Shares a thread among tenants: one whose receivers cause long computations, as with hostile certificates, waits
 * between them, and the others do not.
 */
export class ThreadShares {
  /** When the work of a tenant would be done if it took only its share of the thread. */
  readonly #doneAt = new Map<string, number>();

  /** How long the tenant has to wait before its next work. */
  waitMs(tenantId: string, now: number): number {
    const doneAt = this.#doneAt.get(tenantId);
    return doneAt === undefined ? 0 : Math.max(0, doneAt - BURST_MS / SHARE - now);
  }

  /** Counts work of a tenant. */
  take(tenantId: string, since: number, now: number): void {
    const ms = now - since;
    if (ms < LONG_MS) return;
    const doneAt = Math.max(this.#doneAt.get(tenantId) ?? 0, since) + ms / SHARE;
    // A map keeps the order in which its keys were added.
    this.#doneAt.delete(tenantId);
    this.#doneAt.set(tenantId, doneAt);
    const [oldest] = this.#doneAt.keys();
    if (this.#doneAt.size > REMEMBERED && oldest !== undefined) this.#doneAt.delete(oldest);
  }
}
