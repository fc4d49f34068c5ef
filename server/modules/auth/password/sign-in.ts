import { type Origin, personOf, writeAudit } from '../../../platform/audit-writer.ts';
import type {
  Statement,
  TenantConnection,
  TenantDatabase,
} from '../../../platform/database/tenant-database.ts';
import { NO_TENANT } from '../../../platform/ids.ts';
import { ProblemError } from '../../../platform/problem.ts';
import {
  clientKey,
  codeAttempts,
  passwordAttempts,
  type Throttles,
} from '../../../platform/throttle.ts';
import { queueEvent } from '../../webhooks/index.ts';
import { holdActiveMember, holdMember } from '../sessions/hold-member.ts';
import type { Sessions, TokenPair } from '../sessions/sessions.ts';
import type { SecondFactors } from '../two-factor/second-factor.ts';
import type { Passwords } from './password.ts';

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

/** The account and tenant of a sign-in whose password matched. */
interface Entry {
  readonly userId: string;
  readonly tenantId: string;
  readonly twoFactor: boolean;
  /** The hash that the password was checked against. */
  readonly checkedHash: string | null;
}

type Outcome = TokenPair | 'totp_required';

/** Whether too many attempts have failed, so that this one was refused before its credentials were checked. */
interface Lock {
  isLocked: boolean;
}

const NOT_LOCKED: Lock = { isLocked: false };

/** Signs people in with password and second factor, and audits each outcome. */
export class SignIn {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /**
   * Every refusal gives the same answer after the same work: unknown address, wrong password, wrong code, too many
   * attempts.
   * @throws {ProblemError} INVALID_CREDENTIALS; TOTP_REQUIRED when the password is right and the code is missing.
   */
  async withPassword(given: Credentials, origin: Origin): Promise<TokenPair> {
    const { passwords, throttles } = this.#deps;
    const email = given.email.toLowerCase();
    const account = await this.#find(email, given.tenantId ?? null);
    const lock = { isLocked: false };
    const outcome = await throttles.guard(passwordAttempts(email, origin.ip), async (allowed) => {
      lock.isLocked = !allowed;
      const hash = account?.password_hash ?? null;
      const matches = await passwords.verify(given.password, hash, clientKey(origin.ip));
      const entry = matches && allowed ? entryOf(account) : null;
      return this.#enter(entry, email, given, origin, lock);
    });
    if (outcome === null) await this.#auditFailure(account, email, origin, {}, lock);
    if (outcome === 'totp_required') {
      await this.#auditFailure(account, email, origin, { missing: 'otp' });
      throw new ProblemError('TOTP_REQUIRED', 'Send the code of your authenticator as well.');
    }
    if (outcome === null) {
      throw new ProblemError('INVALID_CREDENTIALS', 'Invalid credentials.');
    }
    return outcome;
  }

  /** @param entry null for a sign-in that already failed; it still takes the same work. @returns null when refused. */
  async #enter(
    entry: Entry | null,
    email: string,
    given: Credentials,
    origin: Origin,
    lock: Lock,
  ): Promise<Outcome | null> {
    const code = given.totp ?? given.recoveryCode;
    const { tenants, sessions } = this.#deps;
    if (entry !== null && !entry.twoFactor) {
      const who = { userId: entry.userId, email, amr: ['pwd'] };
      return tenants.write(entry.tenantId, async (db) =>
        (await mayStillEnter(db, entry)) ? sessions.open(db, who, origin) : null,
      );
    }
    if (code === undefined) return entry === null ? null : 'totp_required';
    return this.#enterWithCode(entry, email, code, origin, lock);
  }

  /**
   * Without a valid password, codes count against the address instead of the account. Otherwise a stranger could use up
   * the owner's attempts.
   */
  async #enterWithCode(
    entry: Entry | null,
    email: string,
    code: string,
    origin: Origin,
    lock: Lock,
  ): Promise<TokenPair | null> {
    const { tenants, throttles, secondFactors, sessions } = this.#deps;
    const attempts =
      entry === null
        ? ({ name: 'code', of: ['nobody', email] } as const)
        : codeAttempts(entry.userId, null);
    return throttles.guard([attempts], (allowed) =>
      tenants.write(entry?.tenantId ?? NO_TENANT, async (db) => {
        const holder = allowed ? entry : null;
        if (entry !== null && !allowed) lock.isLocked = true;
        const passed = await secondFactors.spend(db, holder?.userId ?? null, code);
        if (!passed || holder === null) return null;
        if (!(await mayStillEnter(db, holder))) return null;
        const who = { userId: holder.userId, email, amr: ['pwd', 'otp'] };
        return sessions.open(db, who, origin);
      }),
    );
  }

  /**
   * Writes one audit row in one transaction, whether the address is known or not. The row goes to the tenant named at
   * sign-in if the person has a membership there (even a disabled one), else to the person's own tenant. A tenant
   * therefore sees no sign-ins of strangers.
   */
  async #auditFailure(
    account: LoginRow | null,
    email: string,
    origin: Origin,
    detail: Record<string, unknown> = {},
    { isLocked }: Lock = NOT_LOCKED,
  ): Promise<void> {
    const { tenants, throttles } = this.#deps;
    await tenants.write(account?.told_tenant_id ?? NO_TENANT, async (db) => {
      await writeAudit(db, origin, {
        action: 'auth.login',
        outcome: 'failure',
        actor: personOf(account?.user_id ?? null, email),
        detail,
      });
      // Unknown addresses get the same work; nobody subscribes to their events.
      if (!isLocked || !(await throttles.reserveWithin(db, 'locked-event', email))) return;
      const id = account?.user_id ?? NO_TENANT;
      const user = { id, email: (await holdMember(db, id)) ? email : 'removed user' };
      await queueEvent(db, 'sign_in.locked', origin.at, { user, ip: origin.ip });
    });
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
  /** The tenant to sign in to; null when there is none. */
  tenant_id: string | null;
  /** The tenant that audits a refusal. */
  told_tenant_id: string | null;
}

const FIND_LOGIN: Statement = {
  name: 'find-login',
  reason: 'function',
  text: `SELECT l.*, COALESCE(l.tenant_id, identity.tenant_of_sign_in(l.user_id, $2)) AS told_tenant_id
         FROM identity.find_login($1, $2) l`,
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

/**
 * Checking a password takes about 250 ms; meanwhile it may have been changed and its sessions ended, or the membership may
 * have ended.
 */
async function mayStillEnter(db: TenantConnection, entry: Entry): Promise<boolean> {
  const [row] = await db.sql<{ holds: boolean }>(STILL_HOLDS, [entry.userId, entry.checkedHash]);
  return row?.holds === true && holdActiveMember(db, entry.userId);
}

const STILL_HOLDS: Statement = {
  name: 'still-holds-password',
  reason: 'function',
  text: 'SELECT identity.still_holds_password($1, $2) AS holds',
};
