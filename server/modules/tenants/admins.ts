import type { Statement, TenantConnection } from '../../platform/database/tenant-database.ts';
import { BEFORE_ALL_IDS } from '../../platform/ids.ts';

/** Whether the tenant has an active admin who stays when they prove their address. */
export function hasAdmin(db: TenantConnection): Promise<boolean> {
  return hasOtherAdmin(db, BEFORE_ALL_IDS);
}

/** Whether the tenant has such an admin besides a member. */
export async function hasOtherAdmin(db: TenantConnection, than: string): Promise<boolean> {
  const [row] = await db.sql<{ there: boolean }>(OTHER_ADMIN, [than]);
  return row?.there === true;
}

const OTHER_ADMIN: Statement = {
  name: 'member-other-admin',
  reason: 'function',
  text: 'SELECT identity.has_other_admin($1) AS there',
};
