import type pg from 'pg';
import { isMigrated } from '../database/migrate.ts';

type State = 'ok' | 'failing';

/** Whether this process can serve: asked by whoever sends it traffic. */
export class Health {
  readonly #pool: pg.Pool;
  #migrated = false;
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

  async check(): Promise<Record<'database' | 'migrations' | 'traffic', State>> {
    const database = await this.#pool.query('SELECT 1').then(
      () => true,
      () => false,
    );
    // Migrations only ever come to be applied, so that once seen is enough.
    this.#migrated ||= database && (await isMigrated(this.#pool).catch(() => false));
    return {
      database: stateOf(database),
      migrations: stateOf(this.#migrated),
      traffic: stateOf(!this.#draining),
    };
  }
}

function stateOf(ok: boolean): State {
  return ok ? 'ok' : 'failing';
}
