import { momentAfter, momentKey, pageFrom, UUID } from '../../platform/cursor.ts';
import type { TenantConnection } from '../../platform/database/tenant-database.ts';
import type { HandlersOf } from '../../platform/handler.ts';
import { newId } from '../../platform/ids.ts';
import type { MailQueue } from '../../platform/mail/mail-queue.ts';
import type { Principal } from '../../platform/principal.ts';
import { notFound, ProblemError, validationFailed } from '../../platform/problem.ts';
import { MAIL_TOKEN_LIFE_SECONDS, type MailTokens } from '../auth/index.ts';
import { demandMayGive } from '../roles/index.ts';
import { findRole, type Role } from '../roles/queries.ts';
import { demandStanding, hasOtherAdmin, lockTenant } from '../tenants/index.ts';
import { invitation } from './mails.ts';
import {
  changeMember,
  findMember,
  inviteMember,
  listMembers,
  type MemberRow,
  removeMember,
  voidInvitation,
} from './queries.ts';

interface MemberServices {
  readonly mail: MailQueue;
  readonly mailTokens: MailTokens;
}

export const users: HandlersOf<'users', MemberServices> = {
  async list({ input: { query }, db }) {
    const after = momentAfter(query.cursor, UUID);
    const rows = await listMembers(db, { after, limit: query.limit + 1 });
    return { status: 200, body: pageFrom(rows, query.limit, orderOf, userView) };
  },

  async create({ input: { body }, principal, db, services, origin, audit }) {
    await lockTenant(db);
    await demandStanding(db, principal, origin.at);
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
      throw new ProblemError('CONFLICT', 'Your tenant already has a user with this address.');
    }
    const { userId, tenantName, isNew: newPerson } = invited;
    await sendInvitation(db, services, { userId, email: invitation.email, tenantName, newPerson });
    audit({ subject: invitation.id, detail: { role: role.name } });
    return { status: 201, body: userView(await find(db, invitation.id)) };
  },

  async resendInvitation({ input: { params }, principal, db, services, origin, audit }) {
    await lockTenant(db);
    await demandStanding(db, principal, origin.at);
    const member = await find(db, params.id);
    const { user_id: userId, email } = member;
    const role = await findRole(db, member.role);
    if (role !== null) demandMayGive(principal, role);
    const invitation = await voidInvitation(db, userId);
    if (invitation === null) {
      throw new ProblemError('CONFLICT', 'The user has accepted the invitation.');
    }
    const { tenantName, isNew: newPerson, lastEnd } = invitation;
    demandRested(lastEnd, origin.at);
    await sendInvitation(db, services, { userId, email, tenantName, newPerson });
    audit({ subject: member.id, detail: { role: member.role } });
    return { status: 202, body: userView(member) };
  },

  async get({ input: { params }, db }) {
    return { status: 200, body: userView(await find(db, params.id)) };
  },

  async update({ input: { params, body }, principal, db, origin, audit }) {
    await lockTenant(db);
    const { name } = body;
    const role = body.role === undefined ? null : await roleNamed(db, body.role);
    const member = await find(db, params.id);
    const change = {
      name,
      role: role === null || role.name === member.role ? undefined : role.name,
      status: body.status === member.status ? undefined : body.status,
    };
    await demandAllowed(db, principal, member, change);
    await demandStanding(db, principal, origin.at);
    await changeMember(db, member.user_id, change, origin.at);
    // Audit that the name changed, not the name itself, which could never be erased there.
    audit({
      subject: member.id,
      detail: { role: change.role, status: change.status, named: name !== undefined },
    });
    return { status: 200, body: userView(await find(db, params.id)) };
  },

  async delete({ input: { params }, principal, db, origin, audit }) {
    await lockTenant(db);
    const member = await find(db, params.id);
    demandOther(principal, member);
    await demandOtherAdmin(db, member);
    await demandStanding(db, principal, origin.at);
    await removeMember(db, member.user_id);
    audit({ subject: member.id, detail: { role: member.role } });
    return { status: 204, body: undefined };
  },
};

type Change = {
  readonly role: string | undefined;
  readonly status: 'active' | 'disabled' | undefined;
};

interface Invitation {
  readonly userId: string;
  readonly email: string;
  readonly tenantName: string;
  readonly newPerson: boolean;
}

/**
 * Mails a link that accepts an invitation.
 * @throws {ProblemError} CONFLICT when the mailbox gets no more invitations, with and without an account. Nothing
 * changes then.
 */
async function sendInvitation(
  db: TenantConnection,
  { mail, mailTokens }: MemberServices,
  { userId, email, tenantName, newPerson }: Invitation,
): Promise<void> {
  const token = await mailTokens.issue(db, { purpose: 'invitation', userId, email });
  const notice = invitation({ token, tenantName, newPerson });
  if (await mail.queue(db, { to: email, ...notice })) return;
  throw new ProblemError(
    'CONFLICT',
    'The mailbox has been sent several invitations within 15 minutes, so this one was not sent. Try again in 15 minutes.',
  );
}

/** The least time between two mails of an invitation, so that nobody can flood a mailbox. */
const RESEND_AFTER_MINUTES = 10;

/** @throws {ProblemError} CONFLICT shortly after the last link was sent. The links that were voided then stay valid. */
function demandRested(lastEnd: Date | null, now: Date): void {
  if (lastEnd === null) return;
  const sentAt = lastEnd.getTime() - MAIL_TOKEN_LIFE_SECONDS.invitation * 1000;
  if (now.getTime() - sentAt >= RESEND_AFTER_MINUTES * 60_000) return;
  throw new ProblemError(
    'CONFLICT',
    `The invitation was sent less than ${RESEND_AFTER_MINUTES} minutes ago. Wait before sending it again.`,
  );
}

/** Checks for a change of role or status. Changes of the name need none. */
async function demandAllowed(
  db: TenantConnection,
  principal: Principal,
  member: MemberRow,
  { role, status }: Change,
): Promise<void> {
  if (role === undefined && status === undefined) return;
  demandOther(principal, member);
  if (status !== undefined && member.status === 'invited') {
    // Disabling is refused too: enabling again would make them a member without their consent.
    throw new ProblemError('CONFLICT', 'The user has not accepted the invitation yet.');
  }
  // Enabling a member grants their role again.
  if (role !== undefined || status === 'active') {
    const granted = await findRole(db, role ?? member.role);
    if (granted !== null) demandMayGive(principal, granted);
  }
  if (role !== undefined || status === 'disabled') await demandOtherAdmin(db, member);
}

/** @throws {ProblemError} CONFLICT when members try to change or remove themselves. */
function demandOther(principal: Principal, member: MemberRow): void {
  if (member.user_id === principal.user?.id) {
    throw new ProblemError(
      'CONFLICT',
      'You cannot do this to yourself. Ask another administrator.',
    );
  }
}

/**
 * @throws {ProblemError} CONFLICT when the tenant would be left without an active admin. Admins who leave when they prove
 * their address do not count.
 */
async function demandOtherAdmin(db: TenantConnection, member: MemberRow): Promise<void> {
  if (member.role !== 'admin' || member.status !== 'active') return;
  if (await hasOtherAdmin(db, member.user_id)) return;
  throw new ProblemError(
    'CONFLICT',
    'This user is the last active admin of your tenant. An admin whom your identity provider added counts once you have verified the domain of their address.',
  );
}

/** @throws {ProblemError} VALIDATION_FAILED when the tenant has no such role. */
async function roleNamed(db: TenantConnection, name: string): Promise<Role> {
  const role = await findRole(db, name);
  if (role !== null) return role;
  throw validationFailed([{ path: 'body.role', message: 'is not a role of your tenant' }]);
}

async function find(db: TenantConnection, id: string): Promise<MemberRow> {
  const member = await findMember(db, id);
  if (member === null) throw notFound();
  return member;
}

/** Orders members by the time they joined, then by id. */
function orderOf(row: MemberRow): string {
  return momentKey({ at: row.created_at, id: row.id });
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
