import type pg from 'pg';
import { missingMigrations } from './database/migrate.ts';

type State = 'ok' | 'failing';

export interface HealthChecks {
  readonly checks: Record<'database' | 'migrations' | 'traffic', State>;
  /** Migrations of this release that are not applied; absent if there are none or the database cannot be read. */
  readonly missing?: readonly string[];
}

/** Whether this process can serve, for load balancers and orchestrators. */
export class Health {
  readonly #pool: pg.Pool;
  #isMigrated = false;
  #draining = false;
  #underWay: Promise<HealthChecks> | null = null;

  /** @param pool a separate pool, so requests never take the connection of the readiness check. */
  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  /** Reports not ready from now on. */
  drain(): void {
    this.#draining = true;
  }

  get isDraining(): boolean {
    return this.#draining;
  }

  /** Concurrent probes share one answer, so any number of them uses at most one connection. */
  check(): Promise<HealthChecks> {
    this.#underWay ??= this.#check().finally(() => {
      this.#underWay = null;
    });
    return this.#underWay;
  }

  async #check(): Promise<HealthChecks> {
    const database = await this.#pool.query('SELECT 1').then(
      () => true,
      () => false,
    );
    const missing = database ? await this.#missing() : [];
    const checks = {
      database: stateOf(database),
      migrations: stateOf(this.#isMigrated),
      traffic: stateOf(!this.#draining),
    };
    return missing.length === 0 ? { checks } : { checks, missing };
  }

  /** Applied migrations stay applied, so one successful check is enough. */
  async #missing(): Promise<string[]> {
    if (this.#isMigrated) return [];
    const missing = await missingMigrations(this.#pool).catch(() => null);
    this.#isMigrated = missing?.length === 0;
    return missing ?? [];
  }
}

function stateOf(ok: boolean): State {
  return ok ? 'ok' : 'failing';
}
