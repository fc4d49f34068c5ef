import type pg from 'pg';
import type { Clock } from '../../../platform/clock.ts';
import type { MembershipRow, UserRow } from '../../../platform/principal.ts';
import { isTracing } from '../../../platform/tracing/tracer.ts';
import { type ApiKeySecret, parseApiKey } from './api-key.ts';

interface KeyRow extends UserRow, MembershipRow {
  key_id: string;
  expires_at: Date | null;
}

interface NumberedKeyRow extends KeyRow {
  position: number;
}

/** Statements at the same time. Under load, the keys of further requests wait and share the next statement. */
const STATEMENTS = 2;
/** The next statement does not wait for one that takes longer. */
const SLOW_MS = 50;
/** Keys of one statement. */
const MAX_KEYS = 50;

/** The requests that wait for one key. */
interface Waiting {
  readonly secret: ApiKeySecret;
  readonly found: Promise<KeyRow | null>;
  readonly resolve: (row: KeyRow | null) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Looks API keys up in the database. Requests that arrive in the same turn of the event loop share a statement, and
 * those with the same key share its row. Each statement is sent after the requests that it serves have arrived, so a
 * revoked key is refused from the next request on.
 */
export class KeyLookup {
  readonly #pool: pg.Pool;
  readonly #clock: Clock;
  readonly #waiting = new Map<string, Waiting>();
  #running = 0;
  #scheduled = false;

  constructor(pool: pg.Pool, clock: Clock) {
    this.#pool = pool;
    this.#clock = clock;
  }

  /** @returns null for a key that does not have the form of one, is unknown, or is not in force. */
  find(key: string): Promise<KeyRow | null> {
    const waiting = this.#waiting.get(key);
    if (waiting !== undefined) return waiting.found;
    const secret = parseApiKey(key);
    if (secret === null) return Promise.resolve(null);
    // A trace has the statements of one request.
    if (isTracing) return this.#rowsOf([secret]).then(([row]) => row ?? null);
    let settle: Pick<Waiting, 'resolve' | 'reject'> | undefined;
    const found = new Promise<KeyRow | null>((resolve, reject) => {
      settle = { resolve, reject };
    });
    if (settle === undefined) throw new Error('A promise did not run its executor');
    this.#waiting.set(key, { secret, found, ...settle });
    this.#schedule();
    return found;
  }

  #schedule(): void {
    if (this.#scheduled || this.#running >= STATEMENTS || this.#waiting.size === 0) return;
    this.#scheduled = true;
    // After the sockets of this turn were read.
    setImmediate(() => {
      this.#scheduled = false;
      void this.#run([...this.#waiting].slice(0, MAX_KEYS));
    });
  }

  async #run(keys: readonly (readonly [string, Waiting])[]): Promise<void> {
    for (const [key] of keys) this.#waiting.delete(key);
    const end = this.#begin();
    try {
      const rows = await this.#rowsOf(keys.map(([, { secret }]) => secret));
      for (const [index, [, { resolve }]] of keys.entries()) resolve(rows[index] ?? null);
    } catch (error) {
      for (const [, { reject }] of keys) reject(error);
    } finally {
      end();
    }
  }

  /**
   * Counts a statement until it ends or turns out to be slow. While Postgres is silent, keys would otherwise wait for one
   * timeout after the other.
   * @returns ends it.
   */
  #begin(): () => void {
    this.#running += 1;
    this.#schedule();
    let isCounted = true;
    const release = () => {
      if (!isCounted) return;
      isCounted = false;
      this.#running -= 1;
      this.#schedule();
    };
    const slow = setTimeout(release, SLOW_MS);
    return () => {
      clearTimeout(slow);
      release();
    };
  }

  /** The rows in the order of the keys; undefined: no key in force. */
  async #rowsOf(secrets: readonly ApiKeySecret[]): Promise<(KeyRow | undefined)[]> {
    const now = this.#clock.now();
    const [only] = secrets;
    if (only !== undefined && secrets.length === 1) {
      const { rows } = await this.#pool.query<KeyRow>({
        name: 'authenticate-key',
        text: 'SELECT * FROM identity.authenticate_key($1, $2, $3)',
        values: [only.publicId, only.secretHash, now],
      });
      return [rows[0]];
    }
    const { rows } = await this.#pool.query<NumberedKeyRow>({
      name: 'authenticate-keys',
      text: `SELECT asked.position::int AS position, k.*
             FROM unnest($1::text[], $2::bytea[]) WITH ORDINALITY AS asked (public_id, secret_hash, position)
             CROSS JOIN LATERAL identity.authenticate_key(asked.public_id, asked.secret_hash, $3) k`,
      values: [
        secrets.map(({ publicId }) => publicId),
        secrets.map(({ secretHash }) => secretHash),
        now,
      ],
    });
    const found: (KeyRow | undefined)[] = secrets.map(() => undefined);
    for (const row of rows) found[row.position - 1] = row;
    return found;
  }
}
