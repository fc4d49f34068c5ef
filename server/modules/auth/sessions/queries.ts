import type { Statement, TenantConnection } from '../../../platform/database/tenant-database.ts';
import type { SessionPrincipal } from '../../../platform/principal.ts';

/** An active session. */
export interface SessionRow {
  id: string;
  tenant_id: string;
  amr: string[];
  created_at: Date;
  last_used_at: Date;
  /** When its refresh token expires. */
  expires_at: Date;
}

/** The set of sessions that a caller may list and end. */
export interface Reach {
  readonly userId: string;
  /** Null for all tenants. */
  readonly tenantId: string | null;
}

/** All sessions of the user. A session opened by a tenant's identity provider reaches only sessions of that tenant. */
export function reachOf({ user, confined, homeTenantId }: SessionPrincipal): Reach {
  return { userId: user.id, tenantId: confined ? homeTenantId : null };
}

/** Lists sessions, newest first, starting after `before`. */
export function listSessions(
  db: TenantConnection,
  { userId, tenantId }: Reach,
  page: { readonly before: string | null; readonly most: number; readonly at: Date },
): Promise<SessionRow[]> {
  return db.sql<SessionRow>(LIST, [userId, tenantId, page.before, page.most, page.at]);
}

/** @returns false when the user has no such active session. */
export async function endSession(
  db: TenantConnection,
  { userId, tenantId }: Reach,
  sessionId: string,
  at: Date,
): Promise<boolean> {
  return (await db.sql(REVOKE, [sessionId, userId, tenantId, at])).length > 0;
}

/**
 * Ends all sessions; their access tokens are refused from the next request on.
 * @returns the number of ended sessions.
 */
export async function endSessions(
  db: TenantConnection,
  { userId, tenantId }: Reach,
  at: Date,
): Promise<number> {
  const [row] = await db.sql<{ ended: number }>(REVOKE_ALL, [userId, tenantId, at]);
  return row?.ended ?? 0;
}

const LIST: Statement = {
  name: 'sessions-list',
  reason: 'function',
  text: 'SELECT * FROM identity.list_sessions($1, $2, $3, $4, $5)',
};
const REVOKE: Statement = {
  name: 'session-revoke',
  reason: 'function',
  text: 'SELECT * FROM identity.revoke_session($1, $2, $3, $4)',
};
const REVOKE_ALL: Statement = {
  name: 'sessions-revoke',
  reason: 'function',
  text: 'SELECT identity.revoke_sessions($1, $2, $3) AS ended',
};
