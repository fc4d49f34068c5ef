import type { Statement, TenantConnection } from '../../platform/database/tenant-database.ts';

type Status = 'invited' | 'active' | 'disabled';

/** A member of the connection's tenant, as its administrators see them. */
export interface MemberRow {
  /** The id in the API: the user id, or the id of the invitation until it is accepted. */
  id: string;
  /**
   * The user id. It is hidden until the invitation is accepted, because it reveals whether the account existed before.
   */
  user_id: string;
  invitation_id: string | null;
  email: string;
  name: string | null;
  role: string;
  status: Status;
  two_factor: boolean;
  last_login_at: Date | null;
  created_at: Date;
}

export function listMembers(
  db: TenantConnection,
  page: {
    readonly after: { readonly at: Date; readonly id: string } | null;
    readonly limit: number;
  },
): Promise<MemberRow[]> {
  return db.sql<MemberRow>(LIST, [page.after?.at ?? null, page.after?.id ?? null, page.limit]);
}

export async function findMember(db: TenantConnection, id: string): Promise<MemberRow | null> {
  const [row] = await db.sql<MemberRow>(FIND, [id]);
  return row ?? null;
}

/**
 * The id that a member has in other rows, from the id of the accepted invitation. Other ids are returned unchanged, also
 * those of former members.
 */
export async function currentIdOf(db: TenantConnection, id: string): Promise<string> {
  return (await findMember(db, id))?.id ?? id;
}

/** The recipient of an invitation. */
export interface Invited {
  readonly userId: string;
  readonly tenantName: string;
  /** Whether the person has never verified the address and therefore sets a first password. */
  readonly isNew: boolean;
}

/** @returns null when a member has this address already. */
export async function inviteMember(
  db: TenantConnection,
  invitation: {
    readonly id: string;
    readonly email: string;
    readonly name: string | null;
    readonly role: string;
    readonly at: Date;
  },
): Promise<Invited | null> {
  const { id, email, name, role, at } = invitation;
  const [row] = await db.sql<{ user_id: string; tenant_name: string; is_new: boolean }>(INVITE, [
    id,
    email,
    name,
    role,
    at,
  ]);
  if (row === undefined) return null;
  return { userId: row.user_id, tenantName: row.tenant_name, isNew: row.is_new };
}

/** An invitation whose links are void. */
export interface VoidInvitation extends Pick<Invited, 'tenantName' | 'isNew'> {
  /** When the newest of the links would have expired; null if there was none. */
  readonly lastEnd: Date | null;
}

/** @returns null when the person is not invited, or has accepted meanwhile. */
export async function voidInvitation(
  db: TenantConnection,
  userId: string,
): Promise<VoidInvitation | null> {
  const [row] = await db.sql<{ tenant_name: string; is_new: boolean; last_end: Date | null }>(
    VOID_INVITATION,
    [userId],
  );
  if (row === undefined) return null;
  return { tenantName: row.tenant_name, isNew: row.is_new, lastEnd: row.last_end };
}

/** Changes the given fields only. A member who gets disabled is signed out. */
export async function changeMember(
  db: TenantConnection,
  userId: string,
  change: {
    readonly name?: string | undefined;
    readonly role?: string | undefined;
    readonly status?: Status | undefined;
  },
  at: Date,
): Promise<void> {
  const { name = null, role = null, status = null } = change;
  await db.sql(CHANGE, [userId, name, role, status, at]);
}

/**
 * Ends a membership and erases what the tenant stores about the person. Ending the last membership erases the person.
 */
export async function removeMember(db: TenantConnection, userId: string): Promise<void> {
  await db.sql(REMOVE, [userId]);
}

const LIST: Statement = {
  name: 'members-list',
  reason: 'function',
  text: 'SELECT * FROM identity.list_members($1, $2, $3)',
};
const FIND: Statement = {
  name: 'member-find',
  reason: 'function',
  text: 'SELECT * FROM identity.find_member($1)',
};
const INVITE: Statement = {
  name: 'member-invite',
  reason: 'function',
  text: 'SELECT * FROM identity.invite_member($1, $2, $3, $4, $5)',
};
const VOID_INVITATION: Statement = {
  name: 'member-void-invitation',
  reason: 'function',
  text: 'SELECT * FROM identity.void_invitation($1)',
};
const CHANGE: Statement = {
  name: 'member-change',
  reason: 'function',
  text: 'SELECT identity.change_member($1, $2, $3, $4, $5)',
};
const REMOVE: Statement = {
  name: 'member-remove',
  reason: 'function',
  text: 'SELECT identity.remove_member($1)',
};
