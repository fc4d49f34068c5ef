import type { AuditAction } from '@cspm/contract';
import type { Statement, TenantConnection, TenantDatabase } from '../database/tenant-database.ts';
import type { MailQueue } from '../mail/mail-queue.ts';
import { actorOf, type Origin, writeAudit } from '../pipeline/audit.ts';
import { ProblemError } from '../pipeline/problems.ts';
import type { GlobalKeyPrincipal, MasterKeyPrincipal, Principal } from './principal.ts';

/** A use of a credential that stands for nobody: of what, from where. */
interface Use {
  /** `users.update` */
  readonly operation: string;
  readonly origin: Origin;
}

/** Keeps account of credentials that stand for nobody. */
export class SharedCredentials {
  readonly #tenants: TenantDatabase;
  readonly #mail: MailQueue;

  constructor(tenants: TenantDatabase, mail: MailQueue) {
    this.#tenants = tenants;
    this.#mail = mail;
  }

  /**
   * Writes the use down before anything is done with it, in a transaction of its own: what follows may fail, the use stays
   * told. Of a master key the tenant's administrators get a mail as well. Personal credentials are not its business.
   * @throws {ProblemError} AUTH_UNAVAILABLE when it could not be written: nothing may be done then.
   */
  async note(principal: Principal, use: Use): Promise<void> {
    if (principal.user !== null) return;
    try {
      await this.#tenants.write(principal.tenant.id, async (db) => {
        await writeAudit(db, use.origin, {
          action: actionOf(principal),
          outcome: 'success',
          actor: actorOf(principal),
          subject: use.operation,
          detail: principal.kind === 'master_key' ? { reason: principal.reason } : {},
        });
        if (principal.kind === 'master_key') await this.#tellAdmins(db, principal, use.origin);
      });
    } catch (cause) {
      throw new ProblemError(
        'AUTH_UNAVAILABLE',
        'The use of your credential cannot be written down at the moment.',
        { cause },
      );
    }
  }

  async #tellAdmins(
    db: TenantConnection,
    { tenant, reason }: MasterKeyPrincipal,
    { ip, at }: Origin,
  ): Promise<void> {
    const data = { tenantName: tenant.name, reason, ip, at };
    for (const { email } of await db.sql<{ email: string }>(ADMINS)) {
      await this.#mail.queue(db, { to: email, template: 'break-glass', data });
    }
  }
}

function actionOf({ kind }: GlobalKeyPrincipal | MasterKeyPrincipal): AuditAction {
  return kind === 'master_key' ? 'break_glass.used' : 'global_key.used';
}

const ADMINS: Statement = {
  name: 'admin-addresses',
  text: 'SELECT * FROM identity.admin_addresses()',
};
