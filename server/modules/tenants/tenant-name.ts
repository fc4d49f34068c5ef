import type { Statement, TenantConnection } from '../../platform/database/tenant-database.ts';

/** The name of the connection's tenant. */
export async function tenantNameOf(db: TenantConnection): Promise<string> {
  const [row] = await db.sql<{ name: string }>(TENANT_NAME);
  return row?.name ?? '';
}

// A function call of the identity schema.
const TENANT_NAME: Statement = {
  name: 'tenant-name',
  reason: 'function',
  text: 'SELECT name FROM identity.this_tenant()',
};
