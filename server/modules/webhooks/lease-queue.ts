/** A delivery that this process may attempt. */
export interface Lease {
  readonly tenantId: string;
  readonly webhookId: string;
  readonly deliveryId: string;
  /** `performance.now()` when it was leased. */
  readonly leasedAt: number;
}

interface Webhook {
  readonly waiting: Lease[];
  /** When each attempt in progress began, oldest first. */
  readonly begun: Map<Lease, number>;
}

type Webhooks = Map<string, Webhook>;

interface LeaseQueueOptions {
  /** Concurrent attempts. */
  readonly capacity: number;
  /** Concurrent attempts of a webhook. */
  readonly perWebhook: number;
  /** An attempt that takes longer shows that a receiver is not quick at present. */
  readonly quickMs: number;
  readonly isQuick: (webhookId: string) => boolean;
}

/**
 * The deliveries that this process has leased, in the order in which it attempts them: in turns by tenant, and within a
 * tenant by webhook.
 *
 * A tenant may have as many attempts for quick receivers as there are free ones, and half as many for others. So a lone
 * tenant gets half of all, several get equal shares, a few are always free for the next tenant, and receivers that hang
 * do not take those of quick receivers of their tenant.
 */
export class LeaseQueue {
  readonly #options: LeaseQueueOptions;
  readonly #tenants = new Map<string, Webhooks>();
  #waiting = 0;
  #inProgress = 0;

  constructor(options: LeaseQueueOptions) {
    this.#options = options;
  }

  /** Leases that no attempt has been made for. */
  get waiting(): number {
    return this.#waiting;
  }

  add(lease: Lease): void {
    this.#waiting += 1;
    const webhooks = this.#tenants.get(lease.tenantId) ?? new Map();
    this.#tenants.set(lease.tenantId, webhooks);
    const webhook = webhooks.get(lease.webhookId) ?? { waiting: [], begun: new Map() };
    webhooks.set(lease.webhookId, webhook);
    webhook.waiting.push(lease);
  }

  /** The leases whose attempts begin now, by tenant. `end` has to be called for each. */
  take(now: number): Map<string, Lease[]> {
    const taken = new Map<string, Lease[]>();
    let turns = [...this.#tenants].map(([id, webhooks]) => this.#turnsOf(id, webhooks, now));
    while (turns.length > 0) {
      turns = turns.filter((turn) => {
        const lease = turn.next();
        if (lease === null) return false;
        const leases = taken.get(lease.tenantId);
        if (leases === undefined) taken.set(lease.tenantId, [lease]);
        else leases.push(lease);
        return true;
      });
    }
    return taken;
  }

  /** The attempt ended; its outcome may not be recorded yet. */
  end(lease: Lease): void {
    if (this.#webhookOf(lease)?.begun.delete(lease) !== true) return;
    this.#inProgress -= 1;
    this.#forgetIdle(lease);
  }

  /** Takes out the leases that have waited since that time. */
  dropWaitingSince(before: number): Lease[] {
    const dropped: Lease[] = [];
    for (const webhooks of this.#tenants.values()) {
      for (const { waiting } of webhooks.values()) {
        const fresh = waiting.findIndex(({ leasedAt }) => leasedAt > before);
        dropped.push(...waiting.splice(0, fresh === -1 ? waiting.length : fresh));
      }
    }
    this.#waiting -= dropped.length;
    for (const lease of dropped) this.#forgetIdle(lease);
    return dropped;
  }

  #turnsOf(tenantId: string, webhooks: Webhooks, now: number): { next(): Lease | null } {
    const { capacity, perWebhook } = this.#options;
    const inProgress = { quick: 0, other: 0 };
    const kinds = new Map<string, 'quick' | 'other'>();
    for (const [id, webhook] of webhooks) {
      const kind = this.#isQuick(id, webhook, now) ? 'quick' : 'other';
      kinds.set(id, kind);
      inProgress[kind] += webhook.begun.size;
    }
    const order = [...webhooks].filter(([, { waiting }]) => waiting.length > 0);
    let at = 0;
    const next = (): Lease | null => {
      for (let passed = 0; passed < order.length; passed += 1) {
        const [id, webhook] = order[at % order.length] as [string, Webhook];
        at += 1;
        const kind = kinds.get(id) ?? 'other';
        const free = capacity - this.#inProgress;
        const limit = kind === 'quick' ? free : free / 2;
        if (inProgress[kind] >= limit || webhook.begun.size >= perWebhook) continue;
        const lease = webhook.waiting.shift();
        if (lease === undefined) continue;
        webhook.begun.set(lease, now);
        inProgress[kind] += 1;
        this.#inProgress += 1;
        this.#waiting -= 1;
        // The next round of turns begins with another one.
        webhooks.delete(id);
        webhooks.set(id, webhook);
        return lease;
      }
      return null;
    };
    // The same for tenants.
    this.#tenants.delete(tenantId);
    this.#tenants.set(tenantId, webhooks);
    return { next };
  }

  #isQuick(id: string, { begun }: Webhook, now: number): boolean {
    const [oldest = now] = begun.values();
    return now - oldest <= this.#options.quickMs && this.#options.isQuick(id);
  }

  #webhookOf({ tenantId, webhookId }: Lease): Webhook | undefined {
    return this.#tenants.get(tenantId)?.get(webhookId);
  }

  #forgetIdle(lease: Lease): void {
    const webhook = this.#webhookOf(lease);
    if (webhook === undefined || webhook.waiting.length > 0 || webhook.begun.size > 0) return;
    const webhooks = this.#tenants.get(lease.tenantId);
    webhooks?.delete(lease.webhookId);
    if (webhooks?.size === 0) this.#tenants.delete(lease.tenantId);
  }
}
