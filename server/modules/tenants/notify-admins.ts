import type { Statement, TenantConnection } from '../../platform/database/tenant-database.ts';
import type { Mail } from '../../platform/mail/mail.ts';
import type { MailQueue } from '../../platform/mail/mail-queue.ts';

/** A mail without its recipient. */
export type Notice = Mail extends infer M ? (M extends Mail ? Omit<M, 'to'> : never) : never;

/**
 * Queues a notice to every active admin of the connection's tenant with a verified address, in the same transaction.
 */
export async function tellAdmins(
  db: TenantConnection,
  mail: MailQueue,
  notice: Notice,
): Promise<void> {
  for (const { email } of await db.sql<{ email: string }>(ADMINS)) {
    // A notice plus an address is a mail; TypeScript cannot infer that for the union.
    await mail.queue(db, { ...notice, to: email } as Mail);
  }
}

const ADMINS: Statement = {
  name: 'admin-addresses',
  reason: 'function',
  text: 'SELECT * FROM identity.admin_addresses()',
};
