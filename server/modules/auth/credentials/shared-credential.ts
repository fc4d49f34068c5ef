import type { AuditAction } from '@cspm/contract';
import { actorOf, type Origin, writeAudit } from '../../../platform/audit-writer.ts';
import type {
  TenantConnection,
  TenantDatabase,
} from '../../../platform/database/tenant-database.ts';
import type { MailQueue } from '../../../platform/mail/mail-queue.ts';
import type {
  GlobalKeyPrincipal,
  MasterKeyPrincipal,
  Principal,
} from '../../../platform/principal.ts';
import { ProblemError } from '../../../platform/problem.ts';
import { tellAdmins } from '../../tenants/index.ts';
import { queueEvent } from '../../webhooks/index.ts';
import { breakGlassUsed } from './mails.ts';

/** One use of a shared credential. */
interface Use {
  /** The operation, for example `users.update`. */
  readonly operation: string;
  readonly origin: Origin;
}

/** Audits the use of shared credentials: the global key and the master key. Neither identifies a user. */
export class SharedCredentials {
  readonly #tenants: TenantDatabase;
  readonly #mail: MailQueue;

  constructor(tenants: TenantDatabase, mail: MailQueue) {
    this.#tenants = tenants;
    this.#mail = mail;
  }

  /**
   * Audits a use before the operation runs, in its own transaction, so the record remains if the operation fails. Use
   * of a master key is also mailed to the tenant's administrators. Personal credentials are ignored.
   * @throws {ProblemError} AUTH_UNAVAILABLE when the record cannot be written; the operation must not run then.
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
        if (principal.kind !== 'master_key') return;
        await this.#tellAdmins(db, principal, use.origin);
        const { ip, at } = use.origin;
        const event = { operation: use.operation, reason: principal.reason, ip };
        await queueEvent(db, 'break_glass.used', at, event);
      });
    } catch (cause) {
      throw new ProblemError(
        'AUTH_UNAVAILABLE',
        'The use of your credential cannot be recorded in the audit trail at the moment.',
        { cause },
      );
    }
  }

  async #tellAdmins(
    db: TenantConnection,
    { tenant, reason }: MasterKeyPrincipal,
    origin: Origin,
  ): Promise<void> {
    const notice = breakGlassUsed({ tenantName: tenant.name, reason }, origin);
    await tellAdmins(db, this.#mail, notice);
  }
}

function actionOf({ kind }: GlobalKeyPrincipal | MasterKeyPrincipal): AuditAction {
  return kind === 'master_key' ? 'break_glass.used' : 'global_key.used';
}
