import type pg from 'pg';
import type { Logger } from 'pino';

/** The trigger of `webhook_deliveries` notifies it when a transaction with new deliveries commits. */
const CHANNEL = 'webhook_dues';

/** Listens for new deliveries, with a connection of its own from the pool. */
export class DueListener {
  readonly #services: { readonly pool: pg.Pool; readonly log: Logger };
  readonly #onDue: () => void;
  #client: pg.PoolClient | null = null;

  constructor(services: { readonly pool: pg.Pool; readonly log: Logger }, onDue: () => void) {
    this.#services = services;
    this.#onDue = onDue;
  }

  /** Listens, unless it does already. It has to be called again from time to time, because connections break. */
  async start(): Promise<void> {
    if (this.#client !== null) return;
    const client = await this.#services.pool.connect();
    const lost = (err?: Error) => {
      if (this.#client !== client) return;
      this.#services.log.warn({ err }, 'The connection that listens for events broke');
      this.#client = null;
      client.release(true);
    };
    client
      .on('notification', this.#onDue)
      .once('error', lost)
      .once('end', () => lost());
    this.#client = client;
    try {
      await client.query(`LISTEN ${CHANNEL}`);
    } catch (error) {
      this.stop();
      throw error;
    }
  }

  /** Closes the connection: given back, it would still listen. */
  stop(): void {
    const client = this.#client;
    this.#client = null;
    client?.release(true);
  }
}
