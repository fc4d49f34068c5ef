import pg from 'pg';
import type { TestDatabase } from './database.ts';

const ENDED_WITHIN_MS = 120_000;

/** An operator with a separate database connection and the privileges of the serving role over its own connections. */
export class Operator {
  readonly #client: pg.Client;

  private constructor(client: pg.Client) {
    this.#client = client;
  }

  static async at(database: TestDatabase): Promise<Operator> {
    const client = new pg.Client({ connectionString: database.appUrl });
    client.on('error', () => undefined);
    await client.connect();
    return new Operator(client);
  }

  /**
   * Waits until this many connections of the serving role wait for a lock.
   * @returns their backends.
   */
  async waiting(count: number): Promise<number[]> {
    for (;;) {
      const { rows } = await this.#client.query<{ pid: number }>(
        `SELECT pid FROM pg_stat_activity
         WHERE datname = current_database() AND usename = current_user AND wait_event_type = 'Lock'`,
      );
      if (rows.length >= count) return rows.map(({ pid }) => pid);
    }
  }

  /** Returns when the backends have ended: they report their end to the client before they give up their locks. */
  async kill(pids: readonly number[]): Promise<void> {
    await this.#client.query(
      `SELECT pg_terminate_backend(pid, ${ENDED_WITHIN_MS}) FROM unnest($1::int[]) AS pid`,
      [pids],
    );
  }

  /** Terminates every connection of the serving role except its own, as `kill` does. */
  async killAll(): Promise<void> {
    await this.#client.query(
      `SELECT pg_terminate_backend(pid, ${ENDED_WITHIN_MS}) FROM pg_stat_activity
       WHERE datname = current_database() AND usename = current_user AND pid <> pg_backend_pid()`,
    );
  }

  async leave(): Promise<void> {
    await this.#client.end();
  }
}
