import type { Statement, TenantDatabase } from '../database/tenant-database.ts';
import type { MailTemplate, Message } from './mail.ts';

/**
 * Notices to administrators about the tenant's data. Alarms are not among them: whoever enters a tenant could otherwise
 * suppress an alarm by removing the person to whom it goes.
 */
const ADMIN_NOTICES: ReadonlySet<MailTemplate> = new Set([
  'schedules-disabled',
  'webhook-disabled',
]);

/**
 * Whether a queued mail about a tenant may still be sent: during an outage of the mail server, the recipient may have been
 * removed. Every other mail is sent, such as an invitation, and a digest of an earlier release, which names no member.
 */
export async function mayStillGet(
  identityTenants: TenantDatabase,
  tenantId: string,
  { template, to, memberId }: Message,
): Promise<boolean> {
  if (memberId === undefined && !ADMIN_NOTICES.has(template)) return true;
  return identityTenants.read(tenantId, async (db) => {
    if (memberId === undefined) {
      const admins = await db.sql<{ email: string }>(ADMINS);
      return admins.some(({ email }) => email === to);
    }
    const [member] = await db.sql<{ is_active: boolean }>(MEMBER, [memberId]);
    return member?.is_active === true;
  });
}

const ADMINS: Statement = {
  name: 'mail-admin-addresses',
  reason: 'function',
  text: 'SELECT email FROM identity.admin_addresses()',
};
const MEMBER: Statement = {
  name: 'mail-member',
  reason: 'function',
  text: 'SELECT is_active FROM identity.digest_recipient($1)',
};
