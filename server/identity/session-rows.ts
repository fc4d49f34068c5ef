import type { Row, Statement, TenantConnection } from '../database/tenant-database.ts';
import type { SessionPrincipal } from './principal.ts';

/** A session of a person that can still be used. */
export interface SessionRow extends Row {
  id: string;
  tenant_id: string;
  amr: string[];
  created_at: Date;
  last_used_at: Date;
  /** When its refresh token ends. */
  expires_at: Date;
}

/** The sessions that a person sees and ends from the one that asks. */
export interface Reach {
  readonly userId: string;
  /** Null: in every tenant. */
  readonly tenantId: string | null;
}

/** All of one's own; but a session on the word of a tenant's identity provider reaches no further than that tenant. */
export function reachOf({ user, confined, homeTenantId }: SessionPrincipal): Reach {
  return { userId: user.id, tenantId: confined ? homeTenantId : null };
}

/** Newest first, those after `before`. */
export function listSessions(
  db: TenantConnection,
  { userId, tenantId }: Reach,
  page: { readonly before: string | null; readonly most: number; readonly at: Date },
): Promise<SessionRow[]> {
  return db.sql<SessionRow>(LIST, [userId, tenantId, page.before, page.most, page.at]);
}

/** @returns false where the person has no such session, or it has ended. */
export async function endSession(
  db: TenantConnection,
  { userId, tenantId }: Reach,
  sessionId: string,
  at: Date,
): Promise<boolean> {
  return (await db.sql(REVOKE, [sessionId, userId, tenantId, at])).length > 0;
}

/** Ends all sessions; their access tokens are refused from the next request on. @returns how many there were. */
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
  text: 'SELECT * FROM identity.list_sessions($1, $2, $3, $4, $5)',
};
const REVOKE: Statement = {
  name: 'session-revoke',
  text: 'SELECT * FROM identity.revoke_session($1, $2, $3, $4)',
};
const REVOKE_ALL: Statement = {
  name: 'sessions-revoke',
  text: 'SELECT identity.revoke_sessions($1, $2, $3) AS ended',
};
