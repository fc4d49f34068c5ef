import type { Statement, TenantDatabase } from '../database/tenant-database.ts';
import { NO_TENANT, newId } from '../ids.ts';
import type { MailQueue } from '../mail/mail-queue.ts';
import { type Origin, personOf, writeAudit } from '../pipeline/audit.ts';
import { ProblemError } from '../pipeline/problems.ts';
import { type Account, accountOf } from './accounts.ts';
import { holderOf, spend } from './mail-token-holder.ts';
import type { MailTokens } from './mail-tokens.ts';
import type { Passwords } from './password.ts';
import { requireGoodPassword } from './password-policy.ts';

interface Dependencies {
  readonly tenants: TenantDatabase;
  readonly passwords: Passwords;
  readonly mail: MailQueue;
  readonly mailTokens: MailTokens;
  /** Whether strangers may register at all. */
  readonly open: boolean;
}

interface Applicant {
  readonly email: string;
  readonly password: string;
  readonly name?: string | undefined;
  readonly tenantName: string;
}

/** Lets people in: by registering, by proving their address, by accepting an invitation. Each outcome is audited. */
export class Registration {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /**
   * Makes a tenant and its administrator, who proves the address by mail. For an address that is taken nothing changes
   * but that its owner gets a notice; both cases do the same work, the costly hash included.
   * @throws {ProblemError} REGISTRATION_CLOSED, or VALIDATION_FAILED for a bad password.
   */
  async register(applicant: Applicant, origin: Origin): Promise<void> {
    const { tenants, passwords } = this.#deps;
    this.requireOpen();
    const email = applicant.email.toLowerCase();
    await requireGoodPassword({
      path: 'body.password',
      password: applicant.password,
      names: [email, applicant.name, applicant.tenantName],
    });
    const passwordHash = await passwords.hash(applicant.password);
    const known = await accountOf(tenants, email);
    if (known === null && (await this.#create({ ...applicant, email, passwordHash }, origin))) {
      return;
    }
    // Of two who register one address at once, the second one finds it taken only now.
    await this.#tellOwner(known ?? (await accountOf(tenants, email)), email, origin);
  }

  /** @throws {ProblemError} REGISTRATION_CLOSED, wherever an account would come to be without an invitation. */
  requireOpen(): void {
    if (this.#deps.open) return;
    throw new ProblemError('REGISTRATION_CLOSED', 'New accounts are made by invitation here.');
  }

  /** @throws {ProblemError} INVALID_TOKEN. */
  async verify(token: string, origin: Origin): Promise<void> {
    const { tenants } = this.#deps;
    const action = 'auth.verify_email';
    const holder = await holderOf(tenants, token, ['verify-email'], action, origin);
    await spend(tenants, holder, action, origin, async (db) => {
      const [row] = await db.sql<Spent>(VERIFY, [holder.hash, origin.at]);
      return row?.user_id ?? undefined;
    });
  }

  /** Sends the verification mail again to whoever waits for it; for everybody else the same work is done. */
  async remind(address: string, origin: Origin): Promise<void> {
    const { tenants, mail, mailTokens } = this.#deps;
    const email = address.toLowerCase();
    const account = await accountOf(tenants, email);
    const waits = account !== null && !account.verified && !account.disabled;
    await tenants.write(account?.tenantId ?? NO_TENANT, async (db) => {
      const userId = waits ? account.userId : null;
      const token = await mailTokens.issue(db, { purpose: 'verify-email', userId, email });
      await mail.queue(db, waits ? { to: email, template: 'verify-email', data: { token } } : null);
      await writeAudit(db, origin, {
        action: 'auth.resend_verification',
        outcome: waits ? 'success' : 'failure',
        actor: personOf(account?.userId ?? null, email),
      });
    });
  }

  /**
   * For people who have proven their address; others set a password of their own by the same token (PasswordChanges).
   * @throws {ProblemError} INVALID_TOKEN.
   */
  async acceptInvite(token: string, origin: Origin): Promise<void> {
    const { tenants } = this.#deps;
    const action = 'auth.accept_invite';
    const holder = await holderOf(tenants, token, ['invitation'], action, origin);
    await spend(tenants, holder, action, origin, async (db) => {
      const [row] = await db.sql<Spent>(ACCEPT, [holder.hash, origin.at]);
      return row?.user_id ?? undefined;
    });
  }

  /** @returns false when somebody else took the address a moment ago. */
  async #create(
    applicant: Applicant & { readonly passwordHash: string },
    origin: Origin,
  ): Promise<boolean> {
    const { tenants, mail, mailTokens } = this.#deps;
    const { email } = applicant;
    const userId = newId();
    return tenants.write(newId(), async (db) => {
      const [row] = await db.sql<{ registered: boolean }>(REGISTER, [
        applicant.tenantName,
        userId,
        email,
        applicant.name ?? null,
        applicant.passwordHash,
        origin.at,
      ]);
      if (row?.registered !== true) return false;
      const token = await mailTokens.issue(db, { purpose: 'verify-email', userId, email });
      await mail.queue(db, { to: email, template: 'verify-email', data: { token } });
      await writeAudit(db, origin, {
        action: 'auth.register',
        outcome: 'success',
        actor: personOf(userId, email),
        subject: userId,
      });
      return true;
    });
  }

  async #tellOwner(account: Account | null, email: string, origin: Origin): Promise<void> {
    const { tenants, mail, mailTokens } = this.#deps;
    const told = account !== null && !account.disabled;
    await tenants.write(account?.tenantId ?? NO_TENANT, async (db) => {
      await mailTokens.issue(db, { purpose: 'verify-email', userId: null, email });
      await mail.queue(db, told ? { to: email, template: 'account-exists', data: {} } : null);
      await writeAudit(db, origin, {
        action: 'auth.register',
        outcome: 'failure',
        actor: personOf(account?.userId ?? null, email),
        detail: { reason: 'taken' },
      });
    });
  }
}

interface Spent {
  user_id: string | null;
}

const REGISTER: Statement = {
  name: 'register',
  text: 'SELECT identity.register($1, $2, $3, $4, $5, $6) AS registered',
};
const VERIFY: Statement = {
  name: 'verify-email',
  text: 'SELECT identity.verify_email($1, $2) AS user_id',
};
const ACCEPT: Statement = {
  name: 'accept-invite',
  text: 'SELECT identity.accept_invite($1, $2) AS user_id',
};
