import type { Statement, TenantDatabase } from '../database/tenant-database.ts';
import type { Message } from './mail.ts';

export interface RecipientServices {
  /** The database with the identities, read with the serving role. */
  readonly identityTenants: TenantDatabase;
  /** Whether a member may get a mail about findings at this moment. */
  readonly mayGetDigest: (tenantId: string, memberId: string) => Promise<boolean>;
}

/**
 * Whether a queued mail about a tenant may still be sent: during an outage of the mail server, the recipient may have been
 * removed, or have lost the right to the mail. Every other mail is sent, such as an invitation, and a digest of an earlier release, which names no member.
 */
export async function mayStillGet(
  { identityTenants, mayGetDigest }: RecipientServices,
  tenantId: string,
  { to, memberId, isForAdmins }: Message,
): Promise<boolean> {
  if (memberId !== undefined) return mayGetDigest(tenantId, memberId);
  if (isForAdmins !== true) return true;
  const admins = await identityTenants.read(tenantId, (db) => db.sql<{ email: string }>(ADMINS));
  return admins.some(({ email }) => email === to);
}

const ADMINS: Statement = {
  name: 'mail-admin-addresses',
  reason: 'function',
  text: 'SELECT email FROM identity.admin_addresses()',
};
