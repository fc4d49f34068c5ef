import { randomInt } from 'node:crypto';
import type pg from 'pg';
import type { Logger } from 'pino';

/** The trigger of `webhook_deliveries` notifies it when a transaction with new deliveries commits. */
const CHANNEL = 'webhook_dues';

/** The class of the advisory locks by which `jobs.lease_deliveries` knows the workers that are alive. */
const LOCK_CLASS = 7303;
const LARGEST_LOCK = 2 ** 31 - 1;

/**
 * Listens for new deliveries, with a connection of its own from the pool. The connection holds an advisory lock: when the
 * process is killed, Postgres releases it, and other workers take over its leases at once.
 */
export class DueListener {
  readonly #services: { readonly pool: pg.Pool; readonly log: Logger };
  readonly #onDue: () => void;
  #client: pg.PoolClient | null = null;
  #worker: number | null = null;

  constructor(services: { readonly pool: pg.Pool; readonly log: Logger }, onDue: () => void) {
    this.#services = services;
    this.#onDue = onDue;
  }

  /** The number of the lock. Null: there is no connection. */
  get worker(): number | null {
    return this.#worker;
  }

  /** Listens, unless it does already. It has to be called again from time to time, because connections break. */
  async start(): Promise<void> {
    if (this.#client !== null) return;
    const client = await this.#services.pool.connect();
    const lost = (err?: Error) => {
      if (this.#client !== client) return;
      this.#services.log.warn({ err }, 'The connection that listens for events broke');
      this.#client = null;
      this.#worker = null;
      client.release(true);
    };
    client
      .on('notification', this.#onDue)
      .once('error', lost)
      .once('end', () => lost());
    this.#client = client;
    try {
      await client.query(`LISTEN ${CHANNEL}`);
      // A new number for each connection, because the server may not have noticed yet that the former one is gone.
      const worker = randomInt(1, LARGEST_LOCK);
      await client.query('SELECT pg_advisory_lock($1, $2)', [LOCK_CLASS, worker]);
      this.#worker = worker;
    } catch (error) {
      this.stop();
      throw error;
    }
  }

  /** Closes the connection: given back, it would still listen. */
  stop(): void {
    const client = this.#client;
    this.#client = null;
    this.#worker = null;
    client?.release(true);
  }
}
