import type pg from 'pg';
import {
  type TenantConnection,
  TenantDatabase,
} from '../../server/platform/database/tenant-database.ts';

/** When a worker crashes, counted in its calls to the database, and how. */
export interface Fate {
  /** The first call is number 1. */
  readonly at: number;
  /**
   * `before` the call reaches the database; `within` its transaction, which is rolled back; `after` its commit, without
   * an answer to the worker; or `asleep`: the worker stops before the call until it is woken.
   */
  readonly how: 'before' | 'within' | 'after' | 'asleep';
  /** Resolves when a sleeping worker should continue. */
  readonly woken?: Promise<unknown>;
}

export class Killed extends Error {}

/** The real database, used by a worker that crashes at a given call, or sleeps there and is presumed dead. */
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
    // Calls in progress when the worker crashed took effect, but nobody received the result.
    if (this.#dead) throw new Killed();
    return result;
  }

  #die(): Killed {
    this.#dead = true;
    return new Killed();
  }
}
