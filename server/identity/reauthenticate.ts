import type { Clock } from '../clock.ts';
import type { Statement, TenantDatabase } from '../database/tenant-database.ts';
import type { Origin } from '../pipeline/audit.ts';
import { ProblemError } from '../pipeline/problems.ts';
import type { Passwords } from './password.ts';
import type { SessionPrincipal } from './principal.ts';
import { passwordAttempts, type Throttles } from './throttle.ts';

/** A session so young is as good as the password: it was given a moment ago. */
const FRESH_SECONDS = 5 * 60;

interface Dependencies {
  readonly tenants: TenantDatabase;
  readonly passwords: Passwords;
  readonly throttles: Throttles;
  readonly clock: Clock;
}

/** Makes sure that it is still the person themselves who sits at an open session. */
export class Reauthentication {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /**
   * Whether the password is that of the session's user. Guesses count together with those at sign-in, and beyond the same
   * number every one is wrong.
   */
  async isPassword(
    principal: SessionPrincipal,
    password: string,
    origin: Origin,
  ): Promise<boolean> {
    const { tenants, passwords, throttles } = this.#deps;
    const { user } = principal;
    const hash = await tenants.read(principal.homeTenantId, async (db) => {
      const [row] = await db.sql<{ password_hash: string | null }>(PASSWORD_OF, [user.id]);
      return row?.password_hash ?? null;
    });
    const right = await throttles.guard(passwordAttempts(user.email, origin.ip), async () =>
      (await passwords.verify(password, hash)) ? true : null,
    );
    return right === true;
  }

  /**
   * Wants the password where it was sent, and else a session younger than 5 minutes. Of an account that is known to other
   * tenants too, a session that one tenant's identity provider vouched for is never young enough.
   * @throws {ProblemError} REAUTH_REQUIRED, for a wrong password and for a missing one alike.
   */
  async demand(
    principal: SessionPrincipal,
    password: string | undefined,
    origin: Origin,
  ): Promise<void> {
    const age = this.#deps.clock.now().getTime() - principal.sessionStartedAt.getTime();
    const confirmed =
      password === undefined
        ? age < FRESH_SECONDS * 1000 && !(await this.#isKnownElsewhere(principal))
        : await this.isPassword(principal, password, origin);
    if (confirmed) return;
    throw new ProblemError(
      'REAUTH_REQUIRED',
      'Send your current password, or sign in again: this session is not a young one.',
    );
  }

  async #isKnownElsewhere({ confined, homeTenantId, user }: SessionPrincipal): Promise<boolean> {
    if (!confined) return false;
    return this.#deps.tenants.read(homeTenantId, async (db) => {
      const [row] = await db.sql<{ elsewhere: boolean }>(BELONGS_ELSEWHERE, [user.id]);
      return row?.elsewhere !== false;
    });
  }
}

const BELONGS_ELSEWHERE: Statement = {
  name: 'belongs-elsewhere',
  text: 'SELECT identity.belongs_elsewhere($1) AS elsewhere',
};
const PASSWORD_OF: Statement = {
  name: 'password-of',
  text: 'SELECT * FROM identity.password_of($1)',
};
