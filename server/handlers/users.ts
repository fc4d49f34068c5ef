import type { TenantConnection } from '../database/tenant-database.ts';
import { demandMayGive } from '../identity/grant.ts';
import {
  changeMember,
  findMember,
  hasOtherAdmin,
  inviteMember,
  listMembers,
  lockTenant,
  type MemberRow,
  removeMember,
} from '../identity/members.ts';
import type { Principal } from '../identity/principal.ts';
import { findRole, type Role } from '../identity/roles.ts';
import { newId } from '../ids.ts';
import { keyAfter, pageFrom } from '../pipeline/cursor.ts';
import type { HandlersOf } from '../pipeline/handler.ts';
import { notFound, ProblemError, validationFailed } from '../pipeline/problems.ts';

export const users: HandlersOf<'users'> = {
  async list({ input: { query }, db }) {
    const after = memberAfter(query.cursor);
    const rows = await listMembers(db, { after, limit: query.limit + 1 });
    return { status: 200, body: pageFrom(rows, query.limit, orderOf, userView) };
  },

  async create({ input: { body }, principal, db, services, origin, audit }) {
    await lockTenant(db);
    const role = await roleNamed(db, body.role);
    demandMayGive(principal, role);
    const invitation = {
      id: newId(),
      email: body.email.toLowerCase(),
      name: body.name ?? null,
      role: role.name,
      at: origin.at,
    };
    const invited = await inviteMember(db, invitation);
    if (invited === null) {
      throw new ProblemError('CONFLICT', 'There is a user of that address in your tenant already.');
    }
    const { userId, tenantName, isNew: newPerson } = invited;
    const { email } = invitation;
    const token = await services.mailTokens.issue(db, { purpose: 'invitation', userId, email });
    const data = { token, tenantName, newPerson };
    await services.mail.queue(db, { to: email, template: 'invitation', data });
    audit({ subject: invitation.id, detail: { role: role.name } });
    return { status: 201, body: userView(await find(db, invitation.id)) };
  },

  async get({ input: { params }, db }) {
    return { status: 200, body: userView(await find(db, params.id)) };
  },

  async update({ input: { params, body }, principal, db, origin, audit }) {
    await lockTenant(db);
    const member = await find(db, params.id);
    const { name } = body;
    const role = body.role === undefined ? null : await roleNamed(db, body.role);
    const change = {
      name,
      role: role === null || role.name === member.role ? undefined : role.name,
      status: body.status === member.status ? undefined : body.status,
    };
    await demandAllowed(db, principal, member, change);
    await changeMember(db, member.user_id, change, origin.at);
    // The name itself would stay in the trail for good.
    audit({
      subject: member.id,
      detail: { role: change.role, status: change.status, named: name !== undefined },
    });
    return { status: 200, body: userView(await find(db, params.id)) };
  },

  async delete({ input: { params }, principal, db, audit }) {
    await lockTenant(db);
    const member = await find(db, params.id);
    demandOther(principal, member);
    await demandOtherAdmin(db, member);
    await removeMember(db, member.user_id);
    audit({ subject: member.id, detail: { role: member.role } });
    return { status: 204, body: undefined };
  },
};

type Change = {
  readonly role: string | undefined;
  readonly status: 'active' | 'disabled' | undefined;
};

/** What a change of role or status has to meet; a name may always be changed. */
async function demandAllowed(
  db: TenantConnection,
  principal: Principal,
  member: MemberRow,
  { role, status }: Change,
): Promise<void> {
  if (role === undefined && status === undefined) return;
  demandOther(principal, member);
  if (status !== undefined && member.status === 'invited') {
    // Not even disabled: enabled again, somebody would be a member who never agreed to it.
    throw new ProblemError('CONFLICT', 'The user has not confirmed the invitation yet.');
  }
  // To enable somebody is to grant their role anew.
  if (role !== undefined || status === 'active') {
    const granted = await findRole(db, role ?? member.role);
    if (granted !== null) demandMayGive(principal, granted);
  }
  if (role !== undefined || status === 'disabled') await demandOtherAdmin(db, member);
}

/** @throws {ProblemError} CONFLICT: nobody raises, lowers or removes themselves. */
function demandOther(principal: Principal, member: MemberRow): void {
  if (member.user_id === principal.user?.id) {
    throw new ProblemError('CONFLICT', 'That is yourself: ask another administrator.');
  }
}

/** @throws {ProblemError} CONFLICT when the tenant would be left without an active admin. */
async function demandOtherAdmin(db: TenantConnection, member: MemberRow): Promise<void> {
  if (member.role !== 'admin' || member.status !== 'active') return;
  if (await hasOtherAdmin(db, member.user_id)) return;
  throw new ProblemError('CONFLICT', 'That is the last active admin of your tenant.');
}

/** @throws {ProblemError} VALIDATION_FAILED when the tenant has no such role. */
async function roleNamed(db: TenantConnection, name: string): Promise<Role> {
  const role = await findRole(db, name);
  if (role !== null) return role;
  throw validationFailed([{ path: 'body.role', message: 'is no role of your tenant' }]);
}

async function find(db: TenantConnection, id: string): Promise<MemberRow> {
  const member = await findMember(db, id);
  if (member === null) throw notFound();
  return member;
}

/** Members are listed by when they joined; the id tells those of one moment apart. */
function orderOf(row: MemberRow): string {
  return `${row.created_at.toISOString()} ${row.id}`;
}

const ORDER =
  /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z) ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

function memberAfter(cursor: string | undefined): { at: Date; id: string } | null {
  const key = keyAfter(cursor);
  if (key === null) return null;
  const [, at = '', id = ''] = ORDER.exec(key) ?? [];
  if (Number.isNaN(Date.parse(at))) {
    throw validationFailed([{ path: 'query.cursor', message: 'is not a cursor of this API' }]);
  }
  return { at: new Date(at), id };
}

function userView(row: MemberRow) {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    role: row.role,
    status: row.status,
    twoFactorEnabled: row.two_factor,
    lastLoginAt: row.last_login_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
  };
}
