import type { Statement, TenantConnection } from '../../../platform/database/tenant-database.ts';

/**
 * Whether the person is a member of the tenant. A removal at the same time waits until the end of the transaction, and
 * then erases or deletes what it has stored.
 */
export async function holdMember(db: TenantConnection, userId: string): Promise<boolean> {
  const [row] = await db.sql<{ there: boolean }>(HOLD_MEMBER, [userId]);
  return row?.there === true;
}

const HOLD_MEMBER: Statement = {
  name: 'hold-member',
  reason: 'function',
  text: 'SELECT identity.hold_member($1) AS there',
};
