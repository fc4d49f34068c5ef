import type pg from 'pg';

const RESOLUTION_MS = 60_000;
/** When this many keys are cached, the cache is cleared. */
const MAX_REMEMBERED = 10_000;

/** Records when API keys were last used, to the minute. Requests do not wait for the write. */
export class KeyUse {
  readonly #pool: pg.Pool;
  readonly #onError: (error: unknown) => void;
  readonly #noted = new Map<string, number>();
  readonly #writing = new Set<Promise<unknown>>();

  constructor(pool: pg.Pool, onError: (error: unknown) => void) {
    this.#pool = pool;
    this.#onError = onError;
  }

  note(keyId: string, at: Date): void {
    const last = this.#noted.get(keyId);
    if (last !== undefined && at.getTime() - last < RESOLUTION_MS) return;
    if (this.#noted.size >= MAX_REMEMBERED) this.#noted.clear();
    this.#noted.set(keyId, at.getTime());
    const writing = this.#pool
      .query('SELECT identity.touch_key($1, $2)', [keyId, at])
      .catch(this.#onError)
      .finally(() => this.#writing.delete(writing));
    this.#writing.add(writing);
  }

  /** Waits until all pending writes are done. */
  async settle(): Promise<void> {
    await Promise.all(this.#writing);
  }
}
