import type { Permission } from '@cspm/contract';
import type { Statement, TenantConnection } from '../../../platform/database/tenant-database.ts';
import type { Principal } from '../../../platform/principal.ts';
import { demandMayGive } from '../../roles/index.ts';
import { findRole, listRoles, type Role } from '../../roles/queries.ts';
import type { Connection } from './connection.ts';

/** Stands for every permission in `vouches`. */
const ALL = '*';

/**
 * The person who configures an identity provider can make it assert any address. They must therefore hold every
 * permission of each member whose address is in the provider's domains.
 * @throws {ProblemError} FORBIDDEN that names the first missing permission.
 */
export async function demandMayVouch(
  db: TenantConnection,
  principal: Principal,
  emailDomains: readonly string[],
): Promise<void> {
  const inReach = await db.sql<{ role: string }>(ROLES_AT_DOMAINS, [emailDomains]);
  const names = new Set(inReach.map(({ role }) => role));
  for (const role of await listRoles(db)) {
    if (names.has(role.name)) demandMayGive(principal, role);
  }
}

/** The permissions that a provider configured by this principal may vouch for. */
export function vouchesOf(principal: Principal): string[] {
  return principal.kind === 'master_key' ? [ALL] : [...principal.permissions];
}

/** What the provider of a connection may do for one address. */
export interface Trust {
  /** The member's current role; null when no member has this address. */
  readonly role: string | null;
  /** The member has more permissions than the provider may vouch for and has not confirmed the provider. */
  readonly mustConfirm: boolean;
  /** Whether newcomers may get the role that the settings name. */
  readonly newcomersAllowed: boolean;
}

/**
 * Decides what an assertion of the provider may do. Locks the member's row until the transaction ends. A member with
 * `admin.*`, or with a permission that the connection's creator lacked, must confirm the provider once.
 */
export async function trustIn(
  db: TenantConnection,
  connection: Connection,
  identity: { readonly nameId: string; readonly email: string },
): Promise<Trust> {
  const [row] = await db.sql<CandidateRow>(CANDIDATE, [
    connection.id,
    identity.nameId,
    identity.email,
  ]);
  const role = row === undefined ? null : await findRole(db, row.role);
  const newcomers = await findRole(db, connection.defaultRole);
  return {
    role: row?.role ?? null,
    mustConfirm: role !== null && row?.confirmed !== true && isBeyond(role, connection),
    newcomersAllowed: newcomers !== null && !isBeyond(newcomers, connection),
  };
}

function isBeyond(role: Role, { vouches }: Connection): boolean {
  if (role.permissions.some(administers)) return true;
  return !vouches.includes(ALL) && role.permissions.some((one) => !vouches.includes(one));
}

/** Whether a permission covers the tenant itself, its members or its audit trail. */
export function administers(permission: Permission): boolean {
  return permission.startsWith('admin.');
}

interface CandidateRow {
  role: string;
  confirmed: boolean;
}

const ROLES_AT_DOMAINS: Statement = {
  name: 'roles-at-domains',
  reason: 'function',
  text: 'SELECT * FROM identity.roles_at_domains($1)',
};
const CANDIDATE: Statement = {
  name: 'saml-candidate',
  reason: 'function',
  text: 'SELECT * FROM identity.saml_candidate($1, $2, $3)',
};
