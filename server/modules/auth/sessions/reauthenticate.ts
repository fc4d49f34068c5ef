import type { Origin } from '../../../platform/audit-writer.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Statement, TenantDatabase } from '../../../platform/database/tenant-database.ts';
import type { SessionPrincipal } from '../../../platform/principal.ts';
import { ProblemError } from '../../../platform/problem.ts';
import { clientKey, passwordAttempts, type Throttles } from '../../../platform/throttle.ts';
import type { Passwords } from '../password/password.ts';

/** A session this new counts as proof of the password. */
const FRESH_SECONDS = 5 * 60;

interface Dependencies {
  readonly tenants: TenantDatabase;
  readonly passwords: Passwords;
  readonly throttles: Throttles;
  readonly clock: Clock;
}

/** Requires people to prove again who they are before a sensitive change. */
export class Reauthentication {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /**
   * Checks the password of the session's user. Attempts count as sign-in attempts; over their limit, every password is
   * wrong.
   * @returns the hash that it matches, which may be replaced meanwhile; null for a wrong password.
   */
  async hashOf(
    principal: SessionPrincipal,
    password: string,
    origin: Origin,
  ): Promise<string | null> {
    const { tenants, passwords, throttles } = this.#deps;
    const { user } = principal;
    const hash = await tenants.read(principal.homeTenantId, async (db) => {
      const [row] = await db.sql<{ password_hash: string | null }>(PASSWORD_OF, [user.id]);
      return row?.password_hash ?? null;
    });
    const right = await throttles.guard(passwordAttempts(user.email, origin.ip), async () =>
      (await passwords.verify(password, hash, clientKey(origin.ip))) ? true : null,
    );
    return right === true ? hash : null;
  }

  /**
   * Requires the password if one was sent, else a session younger than 5 minutes (`vouchedBy: 'age'`) or one that was
   * fresh when the enrolment began (`'setup'`). A session opened by an identity provider may use the latter two only if
   * the provider is the account's sole way to sign in; see `#isProvidersOwn`.
   * @throws {ProblemError} REAUTH_REQUIRED for a wrong and for a missing password alike.
   */
  async demand(
    principal: SessionPrincipal,
    proof: { readonly password: string | undefined; readonly vouchedBy: 'age' | 'setup' },
    origin: Origin,
  ): Promise<void> {
    const { password, vouchedBy } = proof;
    if (password !== undefined) {
      if ((await this.hashOf(principal, password, origin)) !== null) return;
    } else if (vouchedBy === 'setup' || this.#isFresh(principal)) {
      if (principal.provider === null || (await this.#isProvidersOwn(principal))) return;
    }
    throw new ProblemError(
      'REAUTH_REQUIRED',
      principal.provider === null
        ? 'Session is older than 5 minutes. Send your current password, or sign in again.'
        : 'Send your current password. If you have none, set one with POST /auth/forgot-password. A session opened by an identity provider is not sufficient here.',
    );
  }

  #isFresh({ sessionStartedAt }: SessionPrincipal): boolean {
    const age = this.#deps.clock.now().getTime() - sessionStartedAt.getTime();
    return age < FRESH_SECONDS * 1000;
  }

  /**
   * Whether the provider that opened the session is the only way to sign in, so that the change affects nothing else.
   * For SAML: nobody has verified the address (the first verification discards earlier set-up) and no other tenant has
   * the account. For Google: the account has no password.
   */
  async #isProvidersOwn({ provider, homeTenantId, user }: SessionPrincipal): Promise<boolean> {
    return this.#deps.tenants.read(homeTenantId, async (db) => {
      const [row] = await db.sql<StandingRow>(STANDING, [user.id]);
      if (row === undefined) return false;
      return provider === 'google' ? !row.has_password : !row.proven && !row.elsewhere;
    });
  }
}

interface StandingRow {
  proven: boolean;
  has_password: boolean;
  elsewhere: boolean;
}

const STANDING: Statement = {
  name: 'account-standing',
  reason: 'function',
  text: 'SELECT * FROM identity.account_standing($1)',
};
const PASSWORD_OF: Statement = {
  name: 'password-of',
  reason: 'function',
  text: 'SELECT * FROM identity.password_of($1)',
};
