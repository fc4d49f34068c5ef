import type pg from 'pg';
import type { Logger } from 'pino';
import type { Clock } from './clock.ts';
import { isOutage } from './database/unavailable.ts';

export interface DuePollServices {
  /** Connections of the worker's role, which finds what is due in all tenants. */
  readonly pool: pg.Pool;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Something of a tenant that is due. */
export interface DueItem {
  tenant_id: string;
}

export interface DueWork<Item extends DueItem> {
  /** In the log. */
  readonly what: string;
  /** What is due in all tenants, the first of every tenant before the second of any. */
  due(most: number): Promise<Item[]>;
  /** @returns `waiting` to be called again soon. */
  work(item: Item): Promise<'done' | 'waiting'>;
  /** Makes an item due later. */
  postpone(item: Item, until: Date): Promise<void>;
}

const POLL_EVERY_MS = 2_000;
/** Items are worked on one after the other; between two lists of this length others than the first tenants get their turn. */
const BATCH = 20;
const RETRY_AFTER_MS = 60_000;
/** How soon an item that waits for something is tried again. */
const LOOK_AGAIN_MS = 5_000;

/** Processes due items until it is stopped. An item that fails is tried again later and delays no other. */
export class DuePoll<Item extends DueItem> {
  readonly #services: DuePollServices;
  readonly #work: DueWork<Item>;
  #timer: NodeJS.Timeout | null = null;
  #current: Promise<void> | null = null;
  #stopping = false;

  constructor(services: DuePollServices, work: DueWork<Item>) {
    this.#services = services;
    this.#work = work;
  }

  start(): void {
    this.#timer = setInterval(() => {
      this.#current ??= this.#poll().finally(() => {
        this.#current = null;
      });
    }, POLL_EVERY_MS);
  }

  /** Finishes the item in progress. */
  async stop(): Promise<void> {
    this.#stopping = true;
    if (this.#timer !== null) clearInterval(this.#timer);
    await this.#current;
  }

  async #poll(): Promise<void> {
    const { what } = this.#work;
    try {
      for (let found = BATCH; found === BATCH && !this.#stopping; ) {
        found = await this.#runDue();
      }
    } catch (err) {
      this.#services.log.warn({ err, what }, 'Failed to query due items; trying again');
    }
  }

  /** @returns how many were due. */
  async #runDue(): Promise<number> {
    const { log } = this.#services;
    const items = await this.#work.due(BATCH);
    for (const item of items) {
      if (this.#stopping) break;
      try {
        const outcome = await this.#work.work(item);
        if (outcome === 'waiting') await this.#postpone(item, LOOK_AGAIN_MS);
      } catch (err) {
        if (isOutage(err)) throw err;
        const { what } = this.#work;
        log.error({ err, what, item }, 'Failed to process a due item; trying again later');
        await this.#postpone(item, RETRY_AFTER_MS);
      }
    }
    return items.length;
  }

  async #postpone(item: Item, ms: number): Promise<void> {
    await this.#work.postpone(item, new Date(this.#services.clock.now().getTime() + ms));
  }
}
