import type { Statement, TenantConnection } from '../../../platform/database/tenant-database.ts';

/**
 * Stores the end that the identity provider gave the session of a sign-in (SAML 2.0 Profiles §4.1.4.3), with its exchange
 * code and its confirmation.
 * @param codeHash hash under which the exchange code is stored.
 */
export async function limitSession(db: TenantConnection, codeHash: string, ends: Date) {
  await db.sql(LIMIT, [codeHash, ends]);
}

/**
 * @param hash hash under which an exchange code or a confirmation is stored. Read it before it is spent.
 * @returns null when the identity provider gave the session no end.
 */
export async function sessionLimit(db: TenantConnection, hash: string): Promise<Date | null> {
  const [row] = await db.sql<{ ends: Date | null }>(LIMIT_OF, [hash]);
  return row?.ends ?? null;
}

const LIMIT: Statement = {
  name: 'session-limit',
  reason: 'function',
  text: 'SELECT identity.limit_session($1, $2)',
};
const LIMIT_OF: Statement = {
  name: 'session-limit-of',
  reason: 'function',
  text: 'SELECT identity.session_limit($1) AS ends',
};
