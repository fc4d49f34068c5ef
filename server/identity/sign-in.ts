import type { Statement, TenantConnection, TenantDatabase } from '../database/tenant-database.ts';
import { NO_TENANT } from '../ids.ts';
import { type Origin, personOf, writeAudit } from '../pipeline/audit.ts';
import { ProblemError } from '../pipeline/problems.ts';
import type { Passwords } from './password.ts';
import type { SecondFactors } from './second-factor.ts';
import type { Sessions, TokenPair } from './sessions.ts';
import { passwordAttempts, type Throttles } from './throttle.ts';

interface Dependencies {
  readonly tenants: TenantDatabase;
  readonly passwords: Passwords;
  readonly throttles: Throttles;
  readonly secondFactors: SecondFactors;
  readonly sessions: Sessions;
}

export interface Credentials {
  readonly email: string;
  readonly password: string;
  readonly totp?: string | undefined;
  readonly recoveryCode?: string | undefined;
  readonly tenantId?: string | undefined;
}

/** A right password, and the tenant that it enters. */
interface Entry {
  readonly userId: string;
  readonly tenantId: string;
  readonly twoFactor: boolean;
  /** That the password was found to match. */
  readonly checkedHash: string | null;
}

type Outcome = TokenPair | 'totp_required';

/** Signs people in by password and second factor; each outcome is audited. */
export class SignIn {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /**
   * One answer and one timing, whatever the reason of a refusal: an unknown address, a wrong password or code, and one
   * attempt too many go the same way, with the same work on it.
   * @throws {ProblemError} INVALID_CREDENTIALS; or TOTP_REQUIRED, after the right password alone.
   */
  async withPassword(given: Credentials, origin: Origin): Promise<TokenPair> {
    const { passwords, throttles } = this.#deps;
    const email = given.email.toLowerCase();
    const account = await this.#find(email, given.tenantId ?? null);
    const outcome = await throttles.guard(passwordAttempts(email, origin.ip), async (allowed) => {
      const hash = account?.password_hash ?? null;
      const matches = await passwords.verify(given.password, hash);
      const entry = matches && allowed ? entryOf(account) : null;
      return this.#enter(entry, email, given, origin);
    });
    if (outcome === null) await this.#auditFailure(account, email, origin);
    if (outcome === 'totp_required') {
      await this.#auditFailure(account, email, origin, { missing: 'otp' });
      throw new ProblemError('TOTP_REQUIRED', 'Send the code of your authenticator as well.');
    }
    if (outcome === null) {
      throw new ProblemError('INVALID_CREDENTIALS', 'What was sent opens no session.');
    }
    return outcome;
  }

  /** @returns null for a refusal; `entry` null is one already, and goes on as if it were none. */
  async #enter(
    entry: Entry | null,
    email: string,
    given: Credentials,
    origin: Origin,
  ): Promise<Outcome | null> {
    const code = given.totp ?? given.recoveryCode;
    const { tenants, sessions } = this.#deps;
    if (entry !== null && !entry.twoFactor) {
      const who = { userId: entry.userId, email, amr: ['pwd'] };
      return tenants.write(entry.tenantId, async (db) =>
        (await stillHoldsPassword(db, entry)) ? sessions.open(db, who, origin) : null,
      );
    }
    if (code === undefined) return entry === null ? null : 'totp_required';
    return this.#enterWithCode(entry, email, code, origin);
  }

  /** Of nobody, a code is counted apart, so that those who do not know the password cannot use up the owner's guesses. */
  async #enterWithCode(
    entry: Entry | null,
    email: string,
    code: string,
    origin: Origin,
  ): Promise<TokenPair | null> {
    const { tenants, throttles, secondFactors, sessions } = this.#deps;
    const of = entry === null ? ['nobody', email] : [entry.userId];
    return throttles.guard([{ name: 'code', of }], (allowed) =>
      tenants.write(entry?.tenantId ?? NO_TENANT, async (db) => {
        const holder = allowed ? entry : null;
        const passed = await secondFactors.spend(db, holder?.userId ?? null, code);
        if (!passed || holder === null) return null;
        if (!(await stillHoldsPassword(db, holder))) return null;
        const who = { userId: holder.userId, email, amr: ['pwd', 'otp'] };
        return sessions.open(db, who, origin);
      }),
    );
  }

  /** Known or not, a refused sign-in leaves one row and takes one transaction. */
  async #auditFailure(
    account: LoginRow | null,
    email: string,
    origin: Origin,
    detail: Record<string, unknown> = {},
  ): Promise<void> {
    await this.#deps.tenants.write(account?.tenant_id ?? NO_TENANT, (db) =>
      writeAudit(db, origin, {
        action: 'auth.login',
        outcome: 'failure',
        actor: personOf(account?.user_id ?? null, email),
        detail,
      }),
    );
  }

  async #find(email: string, tenantId: string | null): Promise<LoginRow | null> {
    return this.#deps.tenants.read(NO_TENANT, async (db) => {
      const [row] = await db.sql<LoginRow>(FIND_LOGIN, [email, tenantId]);
      return row ?? null;
    });
  }
}

interface LoginRow {
  user_id: string;
  password_hash: string | null;
  may_sign_in: boolean;
  two_factor: boolean;
  tenant_id: string | null;
}

const FIND_LOGIN: Statement = {
  name: 'find-login',
  text: 'SELECT * FROM identity.find_login($1, $2)',
};

function entryOf(account: LoginRow | null): Entry | null {
  if (account === null || !account.may_sign_in || account.tenant_id === null) return null;
  return {
    userId: account.user_id,
    tenantId: account.tenant_id,
    twoFactor: account.two_factor,
    checkedHash: account.password_hash,
  };
}

/** Checking takes a quarter of a second, in which the password may have been changed and its sessions ended. */
async function stillHoldsPassword(db: TenantConnection, entry: Entry): Promise<boolean> {
  const [row] = await db.sql<{ holds: boolean }>(STILL_HOLDS, [entry.userId, entry.checkedHash]);
  return row?.holds ?? false;
}

const STILL_HOLDS: Statement = {
  name: 'still-holds-password',
  text: 'SELECT identity.still_holds_password($1, $2) AS holds',
};
