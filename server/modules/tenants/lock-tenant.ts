import type { Statement, TenantConnection } from '../../platform/database/tenant-database.ts';
import { type MembershipRow, membershipFrom, type Principal } from '../../platform/principal.ts';
import { ProblemError } from '../../platform/problem.ts';

/** Serializes changes to the members and roles of a tenant until the transaction ends. */
export async function lockTenant(db: TenantConnection): Promise<void> {
  await db.sql(LOCK);
}

/**
 * Checks again, with the lock of the tenant, that a session has the permissions with which its request was authorized.
 * The change that the lock waited for may have taken them, and whoever loses them could keep requests waiting for that
 * moment.
 * @throws {ProblemError} UNAUTHORIZED when the session or its membership has ended, FORBIDDEN when it has lost a permission.
 */
export async function demandStanding(
  db: TenantConnection,
  principal: Principal,
  at: Date,
): Promise<void> {
  if (principal.kind !== 'jwt') return;
  const { sessionId, user, homeTenantId } = principal;
  const [row] = await db.sql<MembershipRow>(STANDING, [
    sessionId,
    user.id,
    homeTenantId,
    at,
    db.tenantId,
  ]);
  if (row === undefined) throw new ProblemError('UNAUTHORIZED', 'The session has ended.');
  const { permissions } = membershipFrom(row);
  const lost = [...principal.permissions].find((permission) => !permissions.has(permission));
  if (lost === undefined) return;
  throw new ProblemError('FORBIDDEN', `You lack the permission ${lost}.`, {
    members: { permission: lost },
  });
}

const LOCK: Statement = {
  name: 'tenant-lock',
  reason: 'function',
  text: 'SELECT identity.lock_tenant()',
};
const STANDING: Statement = {
  name: 'session-standing',
  reason: 'set',
  text: `SELECT m.* FROM identity.authenticate_session($1, $2, $3, $4) s
         CROSS JOIN identity.membership_of($2, $5) m`,
};
