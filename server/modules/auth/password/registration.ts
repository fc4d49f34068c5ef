import { type Origin, personOf, writeAudit } from '../../../platform/audit-writer.ts';
import type { Statement, TenantDatabase } from '../../../platform/database/tenant-database.ts';
import { NO_TENANT, newId } from '../../../platform/ids.ts';
import type { MailQueue } from '../../../platform/mail/mail-queue.ts';
import { ProblemError } from '../../../platform/problem.ts';
import { clientKey } from '../../../platform/throttle.ts';
import { holderOf, spend } from '../mail-links/mail-token-holder.ts';
import type { MailTokens } from '../mail-links/mail-tokens.ts';
import { type Account, accountOf } from '../sessions/find-account.ts';
import { accountExists, verifyEmail } from './mails.ts';
import type { Passwords } from './password.ts';
import { requireGoodPassword } from './password-policy.ts';

interface Dependencies {
  readonly tenants: TenantDatabase;
  readonly passwords: Passwords;
  readonly mail: MailQueue;
  readonly mailTokens: MailTokens;
  /** Whether people without an invitation may register. */
  readonly open: boolean;
}

interface Applicant {
  readonly email: string;
  readonly password: string;
  readonly name?: string | undefined;
  readonly tenantName: string;
}

/** Creates accounts by registration, address verification or invitation, and audits each outcome. */
export class Registration {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** Whether anyone can register an account. */
  get isOpen(): boolean {
    return this.#deps.open;
  }

  /**
   * Creates a tenant and its administrator, who confirms the address by mail. If the address already has an account that was
   * not only invited, nothing changes and its owner gets a notice. Both cases take the same work, including the password hash.
   * @throws {ProblemError} REGISTRATION_CLOSED, or VALIDATION_FAILED for an unacceptable password.
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
    const passwordHash = await passwords.hash(applicant.password, clientKey(origin.ip));
    const [known = null] = await tenants.read(NO_TENANT, (db) =>
      db.sql<ApplicantRow>(APPLICANT, [email]),
    );
    if (known?.only_invited !== false) {
      if (await this.#create({ ...applicant, email, passwordHash }, origin)) return;
      // A concurrent registration of the same address has won.
      return this.#tellOwner(await accountOf(tenants, email), email, origin);
    }
    const { user_id: userId, disabled, tenant_id: tenantId } = known;
    await this.#tellOwner({ userId, disabled, tenantId: tenantId ?? NO_TENANT }, email, origin);
  }

  /** @throws {ProblemError} REGISTRATION_CLOSED when accounts may be created by invitation only. */
  requireOpen(): void {
    if (this.#deps.open) return;
    throw new ProblemError(
      'REGISTRATION_CLOSED',
      'Registration is by invitation only. Ask an administrator to invite you.',
    );
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

  /** Sends the verification mail again if the account is not verified yet. Other addresses take the same work. */
  async remind(address: string, origin: Origin): Promise<void> {
    const { tenants, mail, mailTokens } = this.#deps;
    const email = address.toLowerCase();
    const account = await accountOf(tenants, email);
    const waits = account !== null && !account.verified && !account.disabled;
    await tenants.write(account?.tenantId ?? NO_TENANT, async (db) => {
      const userId = waits ? account.userId : null;
      const token = await mailTokens.issue(db, { purpose: 'verify-email', userId, email });
      await mail.queue(db, waits ? { to: email, ...verifyEmail(token) } : null);
      await writeAudit(db, origin, {
        action: 'auth.resend_verification',
        outcome: waits ? 'success' : 'failure',
        actor: personOf(account?.userId ?? null, email),
      });
    });
  }

  /**
   * Accepts an invitation for a person whose address is verified. Others set a password with the same token; see
   * `PasswordChanges`.
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

  /** @returns false when a concurrent registration took the address. */
  async #create(
    applicant: Applicant & { readonly passwordHash: string },
    origin: Origin,
  ): Promise<boolean> {
    const { tenants, mail, mailTokens } = this.#deps;
    const { email } = applicant;
    return tenants.write(newId(), async (db) => {
      const [row] = await db.sql<Spent>(REGISTER, [
        applicant.tenantName,
        newId(),
        email,
        applicant.name ?? null,
        applicant.passwordHash,
        origin.at,
      ]);
      const userId = row?.user_id ?? null;
      if (userId === null) return false;
      const token = await mailTokens.issue(db, { purpose: 'verify-email', userId, email });
      await mail.queue(db, { to: email, ...verifyEmail(token) });
      await writeAudit(db, origin, {
        action: 'auth.register',
        outcome: 'success',
        actor: personOf(userId, email),
        subject: userId,
      });
      return true;
    });
  }

  async #tellOwner(account: Owner | null, email: string, origin: Origin): Promise<void> {
    const { tenants, mail, mailTokens } = this.#deps;
    const told = account !== null && !account.disabled;
    await tenants.write(account?.tenantId ?? NO_TENANT, async (db) => {
      await mailTokens.issue(db, { purpose: 'verify-email', userId: null, email });
      await mail.queue(db, told ? { to: email, ...accountExists() } : null);
      await writeAudit(db, origin, {
        action: 'auth.register',
        outcome: 'failure',
        actor: personOf(account?.userId ?? null, email),
        detail: { reason: 'taken' },
      });
    });
  }
}

/** The person whose address somebody tried to register. */
type Owner = Pick<Account, 'userId' | 'disabled' | 'tenantId'>;

interface ApplicantRow {
  user_id: string;
  disabled: boolean;
  only_invited: boolean;
  tenant_id: string | null;
}

interface Spent {
  user_id: string | null;
}

const APPLICANT: Statement = {
  name: 'applicant',
  reason: 'function',
  text: 'SELECT * FROM identity.applicant($1)',
};

const REGISTER: Statement = {
  name: 'register',
  reason: 'function',
  text: 'SELECT identity.register_applicant($1, $2, $3, $4, $5, $6) AS user_id',
};
const VERIFY: Statement = {
  name: 'verify-email',
  reason: 'function',
  text: 'SELECT identity.verify_email($1, $2) AS user_id',
};
const ACCEPT: Statement = {
  name: 'accept-invite',
  reason: 'function',
  text: 'SELECT identity.accept_invite($1, $2) AS user_id',
};
