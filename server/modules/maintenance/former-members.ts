import type { Statement, TenantDatabase } from '../../platform/database/tenant-database.ts';

/** Rows of one transaction, so that no request waits long for one of them. */
const ROWS_AT_ONCE = 500;
/** Each transaction reads the tables again. What is left is erased by the next run. */
const MAX_TRANSACTIONS = 20;

/**
 * Erases names, private views and settings of persons who left a tenant. The end of a membership does the same; this finds
 * what earlier releases kept then. Webhook events are not among it: they are deleted after 30 days.
 */
export async function eraseFormerMembers(
  tenants: TenantDatabase,
  tenantId: string,
  isStopping: () => boolean,
): Promise<void> {
  for (let count = 0; count < MAX_TRANSACTIONS && !isStopping(); count += 1) {
    const [row] = await tenants.write(tenantId, (db) =>
      db.sql<{ erased: number }>(ERASE, [ROWS_AT_ONCE]),
    );
    if (row === undefined || row.erased < ROWS_AT_ONCE) return;
  }
}

const ERASE: Statement = {
  name: 'retention-former-members',
  reason: 'function',
  text: 'SELECT jobs.erase_former_members($1) AS erased',
};
