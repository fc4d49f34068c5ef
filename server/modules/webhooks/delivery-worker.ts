import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { type AttemptServices, attemptDelivery } from './attempt.ts';
import { endDeliveries, loadDeliveries, type ReadyDelivery } from './delivery-queries.ts';
import { DueListener } from './due-listener.ts';
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
/** Longer than an attempt and its transactions take; after that, another worker may take the delivery. */
const LEASE_SECONDS = 45;
const POLL_EVERY_MS = 500;
const QUICK_MS = 1_000;
/** At least this long between two claims. */
const BREATH_MS = 10;
/** At the end, attempts in progress get this long; an aborted one is repeated by another worker. */
const STOP_WITHIN_MS = 3_000;

interface Claimed {
  tenant_id: string;
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
  /** The attempts in progress; aborting one gives it up. */
  readonly #attempts = new Set<AbortController>();
  readonly #working = new Set<Promise<void>>();
  #claimed = 0;
  #stopping = false;
  #loop: Promise<void> | null = null;
  /** Whether a delivery may have become ready since the last claim: one is new, or an outcome was recorded. */
  #isStirred = false;
  #wake: () => void = () => undefined;

  constructor(services: DeliveryServices) {
    this.#services = services;
    this.#quick = new QuickReceivers(services.quickWithinMs ?? QUICK_MS);
    this.#outcomes = new OutcomeWriter(services);
    this.#listener = new DueListener(services, () => this.#stir());
  }

  start(): void {
    this.#loop = this.#run();
  }

  /** Takes nothing more, and waits a little for the attempts in progress. */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#stir();
    await this.#loop;
    this.#listener.stop();
    const timer = setTimeout(() => {
      for (const attempt of this.#attempts) attempt.abort();
    }, STOP_WITHIN_MS);
    await Promise.all(this.#working);
    clearTimeout(timer);
  }

  /**
   * Makes the attempts that are due now, and waits for them.
   * @returns how many there were.
   */
  async deliverDue(): Promise<number> {
    const count = await this.#claim();
    await Promise.all(this.#working);
    return count;
  }

  async #run(): Promise<void> {
    while (!this.#stopping) {
      let count = 0;
      this.#isStirred = false;
      try {
        await this.#listener.start();
        if (this.#claimed < CAPACITY) count = await this.#claim();
      } catch (err) {
        this.#services.log.warn({ err }, 'Failed to look for events to deliver; trying again');
      }
      await delay(BREATH_MS);
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

  /** Leases due deliveries and begins with them. */
  async #claim(): Promise<number> {
    const { pool, clock } = this.#services;
    const { rows } = await pool.query<Claimed>(
      'SELECT tenant_id, delivery_id FROM jobs.claim_deliveries($1, $2, $3, $4)',
      [clock.now(), CAPACITY - this.#claimed, LEASE_SECONDS, this.#quick.ids],
    );
    this.#claimed += rows.length;
    const byTenant = new Map<string, string[]>();
    for (const { tenant_id: tenantId, delivery_id: id } of rows) {
      byTenant.set(tenantId, [...(byTenant.get(tenantId) ?? []), id]);
    }
    for (const [tenantId, ids] of byTenant) this.#track(tenantId, ids);
    return rows.length;
  }

  #track(tenantId: string, ids: readonly string[]): void {
    const work = this.#deliver(tenantId, ids).finally(() => {
      this.#working.delete(work);
    });
    this.#working.add(work);
  }

  async #deliver(tenantId: string, ids: readonly string[]): Promise<void> {
    const deliveries = await this.#load(tenantId, ids);
    this.#claimed -= ids.length - deliveries.length;
    await Promise.all(deliveries.map((delivery) => this.#attempt(tenantId, delivery)));
  }

  /** Ends deliveries to webhooks that are disabled or deleted. After an error, others are claimed when the leases end. */
  async #load(tenantId: string, ids: readonly string[]): Promise<ReadyDelivery[]> {
    const { tenants, log } = this.#services;
    try {
      const deliveries = await tenants.read(tenantId, (db) => loadDeliveries(db, ids));
      const found = new Set(deliveries.map(({ id }) => id));
      const ended = ids.filter((id) => !found.has(id));
      if (ended.length > 0) await tenants.write(tenantId, (db) => endDeliveries(db, ended));
      return deliveries;
    } catch (err) {
      log.warn({ err, tenant: tenantId }, 'Failed to load events to deliver');
      return [];
    }
  }

  async #attempt(tenantId: string, delivery: ReadyDelivery): Promise<void> {
    const controller = new AbortController();
    this.#attempts.add(controller);
    try {
      const outcome = await attemptDelivery(this.#services, delivery, controller.signal);
      this.#quick.note(outcome);
      await this.#outcomes.record(tenantId, outcome);
    } catch (err) {
      if (controller.signal.aborted) return;
      this.#services.log.error({ err, tenant: tenantId }, 'Failed to deliver an event');
    } finally {
      this.#attempts.delete(controller);
      this.#claimed -= 1;
      this.#stir();
    }
  }
}
