import type { Statement, TenantConnection } from '../../platform/database/tenant-database.ts';

/** Serializes changes to the members and roles of a tenant until the transaction ends. */
export async function lockTenant(db: TenantConnection): Promise<void> {
  await db.sql(LOCK);
}

const LOCK: Statement = {
  name: 'tenant-lock',
  reason: 'function',
  text: 'SELECT identity.lock_tenant()',
};
