import type { Statement, TenantConnection } from '../../../platform/database/tenant-database.ts';
import type { SessionPrincipal } from '../../../platform/principal.ts';

/**
 * Whether the person is a member of the tenant. A removal at the same time waits until the end of the transaction, and
 * then erases or deletes what it has stored.
 */
export async function holdMember(db: TenantConnection, userId: string): Promise<boolean> {
  const [row] = await db.sql<Held>(HOLD_MEMBER, [userId]);
  return row?.there === true;
}

/**
 * Whether the person may enter the tenant. Call it before a session is opened: a removal or a disabling at the same time
 * waits until the end of the transaction, and then ends the session.
 */
export async function holdActiveMember(db: TenantConnection, userId: string): Promise<boolean> {
  const [row] = await db.sql<Held>(HOLD_ACTIVE_MEMBER, [userId]);
  return row?.there === true;
}

/**
 * Whether the session goes on and its person is a member of the tenant. What ends either at the same time waits until
 * the end of the transaction, and then revokes or deletes what it has stored.
 */
export async function holdSession(
  db: TenantConnection,
  { sessionId, user }: SessionPrincipal,
): Promise<boolean> {
  const [row] = await db.sql<Held>(HOLD_SESSION, [sessionId, user.id]);
  return row?.there === true;
}

/**
 * Locks the person before a change of their second factor.
 * @returns whether the session goes on. A change of the password at the same time waits until the end of the transaction.
 */
export async function holdPersonOf(
  db: TenantConnection,
  { sessionId, user }: SessionPrincipal,
): Promise<boolean> {
  const [row] = await db.sql<Held>(HOLD_PERSON, [sessionId, user.id]);
  return row?.there === true;
}

interface Held {
  there: boolean;
}

const HOLD_MEMBER: Statement = {
  name: 'hold-member',
  reason: 'function',
  text: 'SELECT identity.hold_member($1) AS there',
};
const HOLD_ACTIVE_MEMBER: Statement = {
  name: 'hold-active-member',
  reason: 'function',
  text: 'SELECT identity.hold_active_member($1) AS there',
};
const HOLD_SESSION: Statement = {
  name: 'hold-session',
  reason: 'function',
  text: 'SELECT identity.hold_session($1, $2) AS there',
};
const HOLD_PERSON: Statement = {
  name: 'hold-person',
  reason: 'function',
  text: 'SELECT identity.hold_person_of($1, $2) AS there',
};
