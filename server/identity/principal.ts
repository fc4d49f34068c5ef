import { BUILT_IN_ROLES, type CredentialKind, type Feature, type Permission } from '@cspm/contract';

interface Membership {
  readonly tenant: {
    readonly id: string;
    readonly name: string;
    readonly features: readonly Feature[];
  };
  readonly role: string;
  readonly permissions: ReadonlySet<Permission>;
}

interface User {
  readonly id: string;
  readonly email: string;
  readonly name: string | null;
  readonly emailVerified: boolean;
  readonly twoFactorEnabled: boolean;
}

interface Base extends Membership {
  readonly kind: CredentialKind;
  readonly user: User;
  /** The tenant that the credential itself belongs to; `tenant` may be another one, by X-Tenant-ID. */
  readonly homeTenantId: string;
  /** Whether the session has passed a second factor. */
  readonly mfa: boolean;
  readonly expiresAt: Date | null;
}

interface SessionPrincipal extends Base {
  readonly kind: 'jwt';
  readonly sessionId: string;
  /** When the person signed in: some things want that to be a moment ago. */
  readonly sessionStartedAt: Date;
}

interface ApiKeyPrincipal extends Base {
  readonly kind: 'api_key';
  readonly keyId: string;
}

/**
 * Who a request comes from, in which tenant, and what they may do: all that is known downstream of authentication.
 * Nothing after it looks at a header again.
 */
export type Principal = SessionPrincipal | ApiKeyPrincipal;

/** What the identity functions say of a membership. */
export interface MembershipRow {
  tenant_id: string;
  tenant_name: string;
  features: string[];
  role: string;
  /** Of a role that the tenant defined; null for a built-in one. */
  custom_permissions: string[] | null;
}

export function membershipFrom(row: MembershipRow): Membership {
  return {
    // The database holds names from the contract's catalogues alone: whoever writes them checks that.
    tenant: { id: row.tenant_id, name: row.tenant_name, features: row.features as Feature[] },
    role: row.role,
    permissions: permissionsOf(row.role, row.custom_permissions as Permission[] | null),
  };
}

export interface UserRow {
  user_id: string;
  email: string;
  user_name: string | null;
  email_verified: boolean;
  two_factor: boolean;
}

export function userFrom(row: UserRow): User {
  return {
    id: row.user_id,
    email: row.email,
    name: row.user_name,
    emailVerified: row.email_verified,
    twoFactorEnabled: row.two_factor,
  };
}

const BUILT_IN: ReadonlyMap<string, ReadonlySet<Permission>> = new Map(
  Object.entries(BUILT_IN_ROLES).map(([role, permissions]) => [role, new Set(permissions)]),
);

/** A role that is neither built in nor the tenant's own any more holds nothing. */
function permissionsOf(role: string, custom: Permission[] | null): ReadonlySet<Permission> {
  return BUILT_IN.get(role) ?? new Set(custom ?? []);
}
