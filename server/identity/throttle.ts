import { createHash } from 'node:crypto';
import type pg from 'pg';
import type { Clock } from '../clock.ts';

/** How often something may be tried. All windows are of one length: RFC-less, from the product's own decisions. */
export const THROTTLES = {
  /** Failed sign-ins to one account from one address. */
  'login-account-address': 10,
  /** Failed sign-ins to one account from everywhere: its owner, from another address, has the rest of these. */
  'login-account': 100,
  /** Wrong second-factor codes of one account. */
  code: 5,
  /** Mails to one mailbox. */
  mail: 3,
} as const;

export type ThrottleName = keyof typeof THROTTLES;

const WINDOW_SECONDS = 15 * 60;

/**
 * Counts attempts in the database, so that all instances share the count. An attempt is reserved before it is made and
 * given back when it turns out to be none: of fifty parallel guesses no more are checked than the throttle allows.
 */
export class Throttles {
  readonly #pool: pg.Pool;
  readonly #clock: Clock;

  constructor(pool: pg.Pool, clock: Clock) {
    this.#pool = pool;
    this.#clock = clock;
  }

  /** @returns false when none is left; nothing is reserved then. */
  async reserve(name: ThrottleName, ...of: readonly string[]): Promise<boolean> {
    const { rows } = await this.#pool.query<{ reserved: boolean }>({
      name: 'reserve-attempt',
      text: 'SELECT identity.reserve_attempt($1, $2, $3, $4) AS reserved',
      values: [keyOf(name, of), THROTTLES[name], WINDOW_SECONDS, this.#clock.now()],
    });
    return rows[0]?.reserved === true;
  }

  async release(name: ThrottleName, ...of: readonly string[]): Promise<void> {
    await this.#pool.query({
      name: 'release-attempt',
      text: 'SELECT identity.release_attempt($1, $2)',
      values: [keyOf(name, of), this.#clock.now()],
    });
  }
}

/** A hash, so that the table tells nobody which addresses were tried. */
function keyOf(name: ThrottleName, of: readonly string[]): string {
  return `${name}:${createHash('sha256').update(JSON.stringify(of)).digest('base64url')}`;
}
