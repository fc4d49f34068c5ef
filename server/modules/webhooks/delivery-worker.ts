import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { type AttemptServices, attemptDelivery } from './attempt.ts';
import { endDeliveries, loadDeliveries, type ReadyDelivery } from './delivery-queries.ts';
import { DueListener } from './due-listener.ts';
import { EventBodies } from './event-bodies.ts';
import { type Lease, LeaseQueue } from './lease-queue.ts';
import { type OutcomeServices, OutcomeWriter } from './outcome-writer.ts';
import { QuickReceivers } from './quick-receivers.ts';

export interface DeliveryServices extends AttemptServices, OutcomeServices {
  /** Connections of the worker's role, which finds what is due in all tenants. */
  readonly pool: pg.Pool;
  /** How often it looks for further attempts, which become due without a notification. Default 0.5 s. */
  readonly pollEveryMs?: number;
  /** How long a quick receiver takes for its answer at most. Default 1 s. */
  readonly quickWithinMs?: number;
}

/** Concurrent attempts of one process. Each holds an event of at most 256 KiB. */
const CAPACITY = 512;
/** Concurrent attempts of one webhook; those of others than quick ones are bounded by their leases. */
const PER_WEBHOOK = 16;
/** Leases of one process, most of which wait for their attempt. */
const LEASES = 4_096;
/** The most that one claim takes. */
const CLAIMED = 1_024;
/** With so many waiting, it looks for more only when an event was committed, and at each poll. */
const PLENTY = 256;
/** Longer than the wait for an attempt, the attempt and its transactions; after that, another worker may take the delivery. */
const LEASE_SECONDS = 45;
/** A lease that has waited this long is given back: its receiver has become slow, or this process is busy. */
const WAIT_MS = 8_000;
const POLL_EVERY_MS = 500;
const QUICK_MS = 1_000;
/** At least this long between two claims, and at least as long as the claim took. */
const BREATH_MS = 10;
/** Attempts that end within this time are replaced together, by one statement. */
const GATHER_MS = 3;
/** At the end, attempts in progress get this long; an aborted one is repeated by another worker. */
const STOP_WITHIN_MS = 3_000;

interface Claimed {
  tenant_id: string;
  webhook_id: string;
  delivery_id: string;
}

/**
 * Delivers events to webhooks until it is stopped. Any number of workers may do so at the same time: each delivery is
 * leased to one of them, and the lease of a worker that dies ends by itself.
 */
export class DeliveryWorker {
  readonly #services: DeliveryServices;
  readonly #outcomes: OutcomeWriter;
  readonly #listener: DueListener;
  readonly #quick: QuickReceivers;
  readonly #bodies = new EventBodies();
  readonly #queue: LeaseQueue;
  /** The attempts in progress; aborting one gives it up. */
  readonly #attempts = new Set<AbortController>();
  readonly #working = new Set<Promise<void>>();
  /** Leases that wait, are attempted or have an outcome that is not recorded. */
  #leases = 0;
  #stopping = false;
  #loop: Promise<void> | null = null;
  /** Whether an outcome was recorded since the last claim, so that a webhook may get its next lease. */
  #isStirred = false;
  /** Whether a delivery was committed since then. */
  #isNotified = false;
  #wake: () => void = () => undefined;
  #filling: NodeJS.Timeout | null = null;

  constructor(services: DeliveryServices) {
    this.#services = services;
    const quickMs = services.quickWithinMs ?? QUICK_MS;
    this.#quick = new QuickReceivers(quickMs);
    this.#queue = new LeaseQueue({
      ...{ capacity: CAPACITY, perWebhook: PER_WEBHOOK, quickMs },
      isQuick: (id) => this.#quick.has(id),
    });
    this.#outcomes = new OutcomeWriter(services);
    this.#listener = new DueListener(services, () => {
      this.#isNotified = true;
      this.#stir();
    });
  }

  start(): void {
    this.#loop = this.#run();
  }

  /** Takes nothing more, and waits a little for the attempts in progress. */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#stir();
    await this.#loop;
    const timer = setTimeout(() => {
      for (const attempt of this.#attempts) attempt.abort();
    }, STOP_WITHIN_MS);
    while (this.#working.size > 0) await Promise.all(this.#working);
    clearTimeout(timer);
    // Other workers take over what was waiting.
    this.#listener.stop();
  }

  /**
   * Makes the attempts that are due now, and waits for them.
   * @returns how many there were.
   */
  async deliverDue(): Promise<number> {
    const count = await this.#claim();
    this.#fill();
    while (this.#working.size > 0) await Promise.all(this.#working);
    return count;
  }

  async #run(): Promise<void> {
    let polledAt = Number.NEGATIVE_INFINITY;
    while (!this.#stopping) {
      const since = performance.now();
      const everyMs = this.#services.pollEveryMs ?? POLL_EVERY_MS;
      // Also while it is busy: further attempts become due without a notification.
      const isPoll = !this.#isStirred || since - polledAt >= everyMs;
      if (isPoll) polledAt = since;
      const isWanted = isPoll || this.#isNotified || this.#queue.waiting < PLENTY;
      this.#isStirred = false;
      let count = 0;
      try {
        await this.#listener.start();
        if (isPoll) await this.#giveBack();
        if (isWanted && this.#leases < LEASES) {
          this.#isNotified = false;
          count = await this.#claim();
          this.#fill();
        }
      } catch (err) {
        this.#services.log.warn({ err }, 'Failed to query events to deliver; trying again');
      }
      await delay(Math.max(BREATH_MS, performance.now() - since));
      if (count === 0) await this.#pause();
    }
  }

  /** Ends early when a delivery may be ready: a webhook gets its next event after an outcome. */
  async #pause(): Promise<void> {
    if (this.#stopping || this.#isStirred) return;
    await new Promise<void>((done) => {
      const timer = setTimeout(done, this.#services.pollEveryMs ?? POLL_EVERY_MS);
      this.#wake = () => {
        clearTimeout(timer);
        done();
      };
    });
  }

  #stir(): void {
    this.#isStirred = true;
    this.#wake();
  }

  /** Leases due deliveries. */
  async #claim(): Promise<number> {
    const { pool, clock } = this.#services;
    const most = Math.min(CLAIMED, LEASES - this.#leases);
    const { rows } = await pool.query<Claimed>({
      name: 'webhook-leases',
      text: 'SELECT tenant_id, webhook_id, delivery_id FROM jobs.lease_deliveries($1, $2, $3, $4, $5)',
      values: [clock.now(), most, LEASE_SECONDS, this.#quick.ids, this.#listener.worker],
    });
    this.#leases += rows.length;
    const leasedAt = performance.now();
    for (const row of rows) {
      const { tenant_id: tenantId, webhook_id: webhookId, delivery_id: deliveryId } = row;
      this.#queue.add({ tenantId, webhookId, deliveryId, leasedAt });
    }
    return rows.length;
  }

  async #giveBack(): Promise<void> {
    const dropped = this.#queue.dropWaitingSince(performance.now() - WAIT_MS);
    if (dropped.length === 0) return;
    this.#leases -= dropped.length;
    await this.#release(dropped);
  }

  async #release(leases: readonly Lease[]): Promise<void> {
    await this.#services.pool.query('SELECT jobs.release_deliveries($1, $2, $3, $4)', [
      this.#listener.worker,
      leases.map(({ tenantId }) => tenantId),
      leases.map(({ webhookId }) => webhookId),
      leases.map(({ deliveryId }) => deliveryId),
    ]);
  }

  /** Begins as many attempts as may be in progress. */
  #fill(): void {
    if (this.#filling !== null) clearTimeout(this.#filling);
    this.#filling = null;
    if (this.#stopping) return;
    for (const [tenantId, leases] of this.#queue.take(performance.now())) {
      const work = this.#deliver(tenantId, leases).finally(() => {
        this.#working.delete(work);
      });
      this.#working.add(work);
    }
  }

  /** The attempts that end within a short time are replaced together. */
  #fillSoon(): void {
    if (this.#queue.waiting === 0) return;
    this.#filling ??= setTimeout(() => this.#fill(), GATHER_MS);
  }

  async #deliver(tenantId: string, leases: readonly Lease[]): Promise<void> {
    const deliveries = await this.#load(tenantId, leases);
    const attempts = leases.map((lease) =>
      this.#attempt(lease, deliveries.get(lease.deliveryId) ?? null),
    );
    await Promise.all(attempts);
    this.#fill();
  }

  /** Ends deliveries to webhooks that are disabled or deleted. After an error, the leases are given back. */
  async #load(tenantId: string, leases: readonly Lease[]): Promise<Map<string, ReadyDelivery>> {
    const { tenants, log } = this.#services;
    const ids = leases.map(({ deliveryId }) => deliveryId);
    try {
      const deliveries = await tenants.read(tenantId, (db) =>
        loadDeliveries(db, this.#bodies, ids),
      );
      const found = new Map(deliveries.map((delivery) => [delivery.id, delivery]));
      const ended = ids.filter((id) => !found.has(id));
      if (ended.length > 0) await tenants.write(tenantId, (db) => endDeliveries(db, ended));
      return found;
    } catch (err) {
      log.warn({ err, tenant: tenantId }, 'Failed to load events to deliver');
      await delay(POLL_EVERY_MS);
      // If that fails too, they end by themselves.
      await this.#release(leases).catch(() => undefined);
      return new Map();
    }
  }

  async #attempt(lease: Lease, delivery: ReadyDelivery | null): Promise<void> {
    const { tenantId } = lease;
    const controller = new AbortController();
    this.#attempts.add(controller);
    try {
      // An attempt that began now could be aborted after the receiver has accepted it, or by nothing at all.
      if (delivery === null || this.#stopping) return;
      const outcome = await attemptDelivery(
        this.#services,
        tenantId,
        delivery,
        controller.signal,
      ).finally(() => this.#queue.end(lease));
      this.#quick.note(outcome);
      this.#fillSoon();
      await this.#outcomes.record(tenantId, outcome);
    } catch (err) {
      if (controller.signal.aborted) return;
      this.#services.log.error({ err, tenant: tenantId }, 'Failed to deliver an event');
    } finally {
      this.#queue.end(lease);
      this.#attempts.delete(controller);
      this.#leases -= 1;
      this.#stir();
    }
  }
}
