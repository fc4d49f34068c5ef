import { createHash } from 'node:crypto';
import { ipKeyGenerator } from 'express-rate-limit';
import type pg from 'pg';
import type { Clock } from '../clock.ts';
import type { Statement, TenantConnection } from '../database/tenant-database.ts';
import { isDatabaseUnavailable } from '../database/unavailable.ts';

/** How often something may be tried. All windows are of one length. */
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
const IPV6_SUBSCRIBER_BITS = 64;

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
    const values = this.#reservation(name, of);
    const { rows } = await this.#pool.query<{ reserved: boolean }>({ ...RESERVE, values });
    return rows[0]?.reserved === true;
  }

  /** The same in a transaction under way: what is rolled back was no attempt. */
  async reserveWithin(
    db: TenantConnection,
    name: ThrottleName,
    ...of: readonly string[]
  ): Promise<boolean> {
    const [row] = await db.sql<{ reserved: boolean }>(RESERVE, this.#reservation(name, of));
    return row?.reserved === true;
  }

  /**
   * Makes an attempt that counts against throttles unless it passes. Where one of them is used up the attempt is made all
   * the same, being told so, and has failed whatever comes of it: the refusal takes the time of any other.
   * @param attempt gives null when it fails. When it breaks, that is not the fault of whoever made it, and does not count.
   */
  async guard<T>(
    counts: readonly Attempts[],
    attempt: (allowed: boolean) => Promise<T | null>,
  ): Promise<T | null> {
    const reserved: Attempts[] = [];
    for (const count of counts) {
      if (!(await this.reserve(count.name, ...count.of))) break;
      reserved.push(count);
    }
    const allowed = reserved.length === counts.length;
    const giveBack = async () => {
      for (const { name, of } of reserved) await this.release(name, ...of);
    };
    const outcome = await attempt(allowed).catch(async (error: unknown) => {
      // A database that is gone keeps what was reserved; the window ends by itself. Nobody is kept waiting to see it gone twice.
      const givenBack = giveBack().catch(() => undefined);
      if (!isDatabaseUnavailable(error)) await givenBack;
      throw error;
    });
    if (outcome === null || !allowed) return null;
    await giveBack();
    return outcome;
  }

  async release(name: ThrottleName, ...of: readonly string[]): Promise<void> {
    await this.#pool.query({
      name: 'release-attempt',
      text: 'SELECT identity.release_attempt($1, $2)',
      values: [keyOf(name, of), this.#clock.now()],
    });
  }

  #reservation(name: ThrottleName, of: readonly string[]): unknown[] {
    return [keyOf(name, of), THROTTLES[name], WINDOW_SECONDS, this.#clock.now()];
  }
}

const RESERVE: Statement = {
  name: 'reserve-attempt',
  text: 'SELECT identity.reserve_attempt($1, $2, $3, $4) AS reserved',
};

/** What an attempt counts against: a throttle, and of whom. */
export interface Attempts {
  readonly name: ThrottleName;
  readonly of: readonly string[];
}

/**
 * What a failed check of a password counts against, wherever the password is asked for.
 * @param address of the client. Of an IPv6 address the network counts, which one subscriber has to themselves.
 */
export function passwordAttempts(email: string, address: string): Attempts[] {
  return [
    { name: 'login-account-address', of: [email, ipKeyGenerator(address, IPV6_SUBSCRIBER_BITS)] },
    { name: 'login-account', of: [email] },
  ];
}

/** A hash, so that the table tells nobody which addresses were tried. */
function keyOf(name: ThrottleName, of: readonly string[]): string {
  return `${name}:${createHash('sha256').update(JSON.stringify(of)).digest('base64url')}`;
}
