import type { Statement, TenantConnection } from '../../platform/database/tenant-database.ts';
import type { Notice } from '../../platform/mail/mail.ts';
import type { MailQueue } from '../../platform/mail/mail-queue.ts';

/**
 * Queues a notice to every active admin of the connection's tenant with a verified address, in the same transaction.
 */
export async function tellAdmins(
  db: TenantConnection,
  mail: MailQueue,
  notice: Notice,
): Promise<void> {
  for (const { email } of await db.sql<{ email: string }>(ADMINS)) {
    await mail.queue(db, { to: email, ...notice });
  }
}

const ADMINS: Statement = {
  name: 'admin-addresses',
  reason: 'function',
  text: 'SELECT * FROM identity.admin_addresses()',
};
