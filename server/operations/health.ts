import type pg from 'pg';
import { missingMigrations } from '../database/migrate.ts';

type State = 'ok' | 'failing';

export interface HealthChecks {
  readonly checks: Record<'database' | 'migrations' | 'traffic', State>;
  /** Migrations of this release that are not applied; left out where there is none, or nobody can tell. */
  readonly missing?: readonly string[];
}

/** Whether this process can serve: asked by whoever sends it traffic. */
export class Health {
  readonly #pool: pg.Pool;
  #isMigrated = false;
  #draining = false;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  /** From now on no new traffic is wanted. */
  drain(): void {
    this.#draining = true;
  }

  get isDraining(): boolean {
    return this.#draining;
  }

  async check(): Promise<HealthChecks> {
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

  /** Migrations only ever come to be applied, so that once seen is enough. */
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
