import type pg from 'pg';
import { type TenantConnection, TenantDatabase } from '../database/tenant-database.ts';

/** When a worker meets its end, counted in the calls that it makes to the database, and how. */
export interface Fate {
  /** The first call is number 1. */
  readonly at: number;
  /**
   * `before` the call reaches the database; `within` its transaction, which is then rolled back; `after` it was committed,
   * of which the worker never hears; or it falls `asleep` before the call, until it is woken.
   */
  readonly how: 'before' | 'within' | 'after' | 'asleep';
  /** Settles when a sleeper is to wake. */
  readonly woken?: Promise<unknown>;
}

export class Killed extends Error {}

/** The real database, in the hands of a worker that dies at a given moment, or sleeps through it and is thought dead. */
export class MortalDatabase extends TenantDatabase {
  readonly #fate: Fate | null;
  #calls = 0;
  #dead = false;

  constructor(pool: pg.Pool, fate: Fate | null) {
    super(pool);
    this.#fate = fate;
  }

  override read<T>(tenantId: string, work: (db: TenantConnection) => Promise<T>): Promise<T> {
    return this.#live((how) =>
      how === 'within' ? Promise.reject(this.#die()) : super.read(tenantId, work),
    );
  }

  override write<T>(tenantId: string, work: (db: TenantConnection) => Promise<T>): Promise<T> {
    return this.#live((how) =>
      super.write(tenantId, async (db) => {
        const result = await work(db);
        if (how === 'within') throw this.#die();
        return result;
      }),
    );
  }

  async #live<T>(call: (how: Fate['how'] | null) => Promise<T>): Promise<T> {
    if (this.#dead) throw new Killed();
    this.#calls += 1;
    const how = this.#fate?.at === this.#calls ? this.#fate.how : null;
    if (how === 'before') throw this.#die();
    if (how === 'asleep') await this.#fate?.woken;
    const result = await call(how);
    if (how === 'after') throw this.#die();
    // What was under way when the worker died took effect, and nobody was told.
    if (this.#dead) throw new Killed();
    return result;
  }

  #die(): Killed {
    this.#dead = true;
    return new Killed();
  }
}
