import type { Statement, TenantDatabase } from '../../../platform/database/tenant-database.ts';
import { NO_TENANT } from '../../../platform/ids.ts';

/** The account of an address. */
export interface Account {
  readonly userId: string;
  readonly verified: boolean;
  readonly disabled: boolean;
  /** The tenant that audits this person. */
  readonly tenantId: string;
}

/** @returns null when no account has the address. */
export async function accountOf(tenants: TenantDatabase, email: string): Promise<Account | null> {
  const [row] = await tenants.read(NO_TENANT, (db) => db.sql<AccountRow>(ACCOUNT_OF, [email]));
  if (row === undefined) return null;
  return {
    userId: row.user_id,
    verified: row.verified,
    disabled: row.disabled,
    tenantId: row.tenant_id ?? NO_TENANT,
  };
}

interface AccountRow {
  user_id: string;
  verified: boolean;
  disabled: boolean;
  tenant_id: string | null;
}

const ACCOUNT_OF: Statement = {
  name: 'account-of',
  reason: 'function',
  text: 'SELECT * FROM identity.account_of($1)',
};
