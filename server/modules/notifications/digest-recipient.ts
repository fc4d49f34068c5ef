import type { TenantDatabase } from '../../platform/database/tenant-database.ts';
import { findDigest, findRecipient } from './queries.ts';

type Recipient = NonNullable<Awaited<ReturnType<typeof findRecipient>>>;

/** Whether a member may be told about findings. */
export function mayReadFindings({ isActive, permissions }: Recipient): boolean {
  return isActive && permissions.has('findings.read');
}

/**
 * Whether an e-mail that was queued for a person may still be sent. While it waited for the mail server, they may have left,
 * lost the permission or turned the e-mails off.
 */
export function mayGetDigest(
  tenants: TenantDatabase,
  tenantId: string,
  userId: string,
): Promise<boolean> {
  return tenants.read(tenantId, async (db) => {
    if ((await findDigest(db, userId)) === 'off') return false;
    const recipient = await findRecipient(db, userId);
    return recipient !== null && mayReadFindings(recipient);
  });
}
