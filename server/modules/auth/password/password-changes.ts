import { actorOf, type Origin, personOf, writeAudit } from '../../../platform/audit-writer.ts';
import type { Statement, TenantDatabase } from '../../../platform/database/tenant-database.ts';
import { NO_TENANT } from '../../../platform/ids.ts';
import type { MailQueue } from '../../../platform/mail/mail-queue.ts';
import type { SessionPrincipal } from '../../../platform/principal.ts';
import { ProblemError } from '../../../platform/problem.ts';
import { clientKey } from '../../../platform/throttle.ts';
import { holderOf, spend } from '../mail-links/mail-token-holder.ts';
import type { MailTokens } from '../mail-links/mail-tokens.ts';
import { accountOf } from '../sessions/find-account.ts';
import type { Reauthentication } from '../sessions/reauthenticate.ts';
import { passwordChanged, passwordSet, resetPassword } from './mails.ts';
import type { Passwords } from './password.ts';
import { requireGoodPassword } from './password-policy.ts';

interface Dependencies {
  readonly tenants: TenantDatabase;
  readonly passwords: Passwords;
  readonly reauthentication: Reauthentication;
  readonly mail: MailQueue;
  readonly mailTokens: MailTokens;
}

/** Changes passwords, by a mailed link or with the old password, and audits each outcome. */
export class PasswordChanges {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /**
   * Mails a reset link if the address has an account. Unknown addresses take the same work, so timing reveals no
   * account.
   */
  async askByMail(address: string, origin: Origin): Promise<void> {
    const { tenants, mail, mailTokens } = this.#deps;
    const email = address.toLowerCase();
    const account = await accountOf(tenants, email);
    const known = account !== null && !account.disabled;
    await tenants.write(account?.tenantId ?? NO_TENANT, async (db) => {
      const userId = known ? account.userId : null;
      const token = await mailTokens.issue(db, { purpose: 'reset-password', userId, email });
      await mail.queue(db, known ? { to: email, ...resetPassword(token) } : null);
      await writeAudit(db, origin, {
        action: 'auth.forgot_password',
        outcome: known ? 'success' : 'failure',
        actor: personOf(account?.userId ?? null, email),
      });
    });
  }

  /**
   * Sets the password of the token's owner and ends all their sessions. The second factor stays active.
   * @throws {ProblemError} INVALID_TOKEN, or VALIDATION_FAILED for an unacceptable password, which leaves the token
   * unspent.
   */
  async resetByMail(given: { token: string; password: string }, origin: Origin): Promise<void> {
    const { tenants, passwords, mail } = this.#deps;
    const action = 'auth.reset_password';
    const holder = await holderOf(
      tenants,
      given.token,
      ['reset-password', 'invitation'],
      action,
      origin,
    );
    const { email, name } = holder;
    const { password } = given;
    await requireGoodPassword({ path: 'body.password', password, names: [email, name] });
    const passwordHash = await passwords.hash(password, clientKey(origin.ip));
    await spend(tenants, holder, action, origin, async (db) => {
      const [row] = await db.sql<Changed>(RESET, [
        holder.hash,
        holder.purpose,
        passwordHash,
        origin.at,
      ]);
      const notice = holder.purpose === 'invitation' ? passwordSet : passwordChanged;
      if (row !== undefined) await mail.queue(db, { to: email, ...notice(origin) });
      return row;
    });
  }

  /**
   * Replaces the password and ends all sessions except the current one.
   * @throws {ProblemError} INVALID_CREDENTIALS for a wrong old password, which counts as a failed sign-in.
   */
  async change(
    principal: SessionPrincipal,
    given: { currentPassword: string; newPassword: string },
    origin: Origin,
  ): Promise<void> {
    const { passwords, reauthentication } = this.#deps;
    const { email, name } = principal.user;
    const checkedHash = await reauthentication.hashOf(principal, given.currentPassword, origin);
    if (checkedHash === null) throw await this.#refusal(principal, origin);
    await requireGoodPassword({
      path: 'body.newPassword',
      password: given.newPassword,
      names: [email, name],
    });
    const newHash = await passwords.hash(given.newPassword, clientKey(origin.ip));
    const isReplaced = await this.#replace(principal, { checkedHash, newHash }, origin);
    if (!isReplaced) throw await this.#refusal(principal, origin);
  }

  /**
   * @returns false when another request replaced the password while the new one was being hashed.
   * @throws {ProblemError} UNAUTHORIZED when the session ended meanwhile.
   */
  async #replace(
    principal: SessionPrincipal,
    { checkedHash, newHash }: { readonly checkedHash: string; readonly newHash: string },
    origin: Origin,
  ): Promise<boolean> {
    const { tenants, mail } = this.#deps;
    return tenants.write(principal.homeTenantId, async (db) => {
      const values = [principal.user.id, checkedHash, newHash, principal.sessionId, origin.at];
      const [row] = await db.sql<ChangedChecked>(CHANGE, values);
      if (row === undefined) throw new ProblemError('UNAUTHORIZED', 'The session has ended.');
      if (!row.is_current) return false;
      await mail.queue(db, { to: principal.user.email, ...passwordChanged(origin) });
      await writeAudit(db, origin, {
        action: 'auth.change_password',
        outcome: 'success',
        actor: actorOf(principal),
        subject: principal.user.id,
        detail: { sessionsEnded: row.sessions_ended },
      });
      return true;
    });
  }

  async #refusal(principal: SessionPrincipal, origin: Origin): Promise<ProblemError> {
    await this.#deps.tenants.write(principal.homeTenantId, (db) =>
      writeAudit(db, origin, {
        action: 'auth.change_password',
        outcome: 'failure',
        actor: actorOf(principal),
        subject: principal.user.id,
      }),
    );
    return new ProblemError('INVALID_CREDENTIALS', 'The current password is wrong.');
  }
}

interface Changed {
  sessions_ended: number;
}

interface ChangedChecked extends Changed {
  is_current: boolean;
}

const RESET: Statement = {
  name: 'reset-password',
  reason: 'function',
  text: 'SELECT sessions_ended FROM identity.reset_password($1, $2, $3, $4)',
};
const CHANGE: Statement = {
  name: 'change-password',
  reason: 'function',
  text: 'SELECT * FROM identity.change_password($1, $2, $3, $4, $5)',
};
