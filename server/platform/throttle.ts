import { createHash } from 'node:crypto';
import { ipKeyGenerator } from 'express-rate-limit';
import type pg from 'pg';
import type { Clock } from './clock.ts';
import type { Statement, TenantConnection } from './database/tenant-database.ts';
import { isDatabaseUnavailable } from './database/unavailable.ts';

/** Maximum numbers of attempts. All windows have the same length. */
export const THROTTLES = {
  /** Failed sign-ins to one account from one address. */
  'login-account-address': 10,
  /**
   * Failed sign-ins to one account from all addresses; higher than the limit per address, so its owner can still sign
   * in from another one.
   */
  'login-account': 100,
  /** Wrong second-factor codes of one account. */
  code: 5,
  /** Mails to one mailbox that anonymous requests cause. */
  mail: 3,
  /** Those of them with a link. */
  'mail-link': 3,
  /**
   * Those of them that tell the owner of an account about a registration of its address. Fewer than all, so that nobody can
   * suppress the link for a new password with registrations.
   */
  'mail-account-exists': 2,
  /** Invitations to one mailbox, which only administrators cause. */
  'mail-invitation': 3,
  /** Mails to one mailbox that confirm a sign-in, which only a sign-in through an identity provider causes. */
  'mail-confirmation': 3,
  /** Events of webhooks about refused sign-ins to one account. */
  'locked-event': 1,
} as const;

export type ThrottleName = keyof typeof THROTTLES;

const WINDOW_SECONDS = 15 * 60;
const IPV6_SUBSCRIBER_BITS = 64;

/**
 * Counts attempts in the database, so all instances share the count. An attempt is reserved before it is made and
 * returned when it does not count, so fifty parallel guesses cannot exceed the limit.
 */
export class Throttles {
  readonly #pool: pg.Pool;
  readonly #clock: Clock;

  constructor(pool: pg.Pool, clock: Clock) {
    this.#pool = pool;
    this.#clock = clock;
  }

  /** @returns false when none is left; then nothing is reserved. */
  async reserve(name: ThrottleName, ...of: readonly string[]): Promise<boolean> {
    const values = this.#reservation(name, of);
    const { rows } = await this.#pool.query<{ reserved: boolean }>({ ...RESERVE, values });
    return rows[0]?.reserved === true;
  }

  /** The same within a transaction; a rollback also returns the attempt. */
  async reserveWithin(
    db: TenantConnection,
    name: ThrottleName,
    ...of: readonly string[]
  ): Promise<boolean> {
    const [row] = await db.sql<{ reserved: boolean }>(RESERVE, this.#reservation(name, of));
    return row?.reserved === true;
  }

  /**
   * Makes an attempt that counts against throttles unless it succeeds. When a throttle is exhausted, the attempt still
   * runs with that information and fails in any case, so the refusal takes the same time as any other.
   * @param attempt returns null when it fails. If it throws, the caller is not to blame and it does not count.
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
      // If the database is gone, the reservation stays until the window ends; the request does not wait for a second
      // failure.
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
  reason: 'function',
  text: 'SELECT identity.reserve_attempt($1, $2, $3, $4) AS reserved',
};

/** What an attempt counts against: a throttle and its key. */
export interface Attempts {
  readonly name: ThrottleName;
  readonly of: readonly string[];
}

/**
 * The throttles of a failed password check, for every place that asks for a password.
 * @param address of the client. For IPv6 the /64 counts, which one subscriber has.
 */
export function passwordAttempts(email: string, address: string): Attempts[] {
  return [
    { name: 'login-account-address', of: [email, clientKey(address)] },
    { name: 'login-account', of: [email] },
  ];
}

/** One key for all addresses of a subscriber: the IPv4 address or the IPv6 /64. */
export function clientKey(address: string): string {
  return ipKeyGenerator(address, IPV6_SUBSCRIBER_BITS);
}

/**
 * The throttle of wrong second-factor codes of an account, for every place that asks for one.
 * @param providerTenantId the tenant whose SAML provider vouches for the person, if one does. Such codes count apart: the
 * provider needs no password, and could otherwise keep the owner out of all tenants.
 */
export function codeAttempts(userId: string, providerTenantId: string | null): Attempts {
  return { name: 'code', of: providerTenantId === null ? [userId] : [userId, providerTenantId] };
}

/** Ends throttles, after an operator has removed what was tried. */
export const FORGET_ATTEMPTS: Statement = {
  name: 'forget-attempts',
  reason: 'set',
  text: 'DELETE FROM identity.throttles WHERE key = ANY ($1::text[])',
};

export function attemptsKey({ name, of }: Attempts): string {
  return keyOf(name, of);
}

/** A hash, so the table does not reveal which addresses were tried. */
function keyOf(name: ThrottleName, of: readonly string[]): string {
  return `${name}:${createHash('sha256').update(JSON.stringify(of)).digest('base64url')}`;
}
