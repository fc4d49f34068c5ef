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
  /** Null: the credential belongs to no person. */
  readonly user: User | null;
  /** The tenant of the credential; `tenant` may differ because of X-Tenant-ID. */
  readonly homeTenantId: string;
  /** Whether the session has passed a second factor. */
  readonly mfa: boolean;
  readonly expiresAt: Date | null;
}

export interface SessionPrincipal extends Base {
  readonly kind: 'jwt';
  readonly user: User;
  readonly sessionId: string;
  /** When the person signed in; some operations require a recent sign-in. */
  readonly sessionStartedAt: Date;
  /**
   * The session was opened by the tenant's own identity provider, which is trusted in this tenant only: the session can
   * neither switch tenants nor change the account.
   */
  readonly confined: boolean;
  /** The kind of identity provider that opened the session; null: a password. */
  readonly provider: 'saml' | 'google' | null;
}

interface ApiKeyPrincipal extends Base {
  readonly kind: 'api_key';
  readonly user: User;
  readonly keyId: string;
}

/** The deprecated global API key; each use is audited. */
export interface GlobalKeyPrincipal extends Base {
  readonly kind: 'global_api_key';
  readonly user: null;
}

/** The break-glass master key; each use is audited with its reason. */
export interface MasterKeyPrincipal extends Base {
  readonly kind: 'master_key';
  readonly user: null;
  readonly reason: string | null;
}

/**
 * The caller of a request, the tenant and the permissions: everything that code after authentication knows. Only
 * authentication reads credentials from headers.
 */
export type Principal =
  | SessionPrincipal
  | ApiKeyPrincipal
  | GlobalKeyPrincipal
  | MasterKeyPrincipal;

/** The person of a route that accepts only credentials of persons. */
export function userOf({ user }: Principal): User {
  if (user !== null) return user;
  throw new Error('A route that accepts credentials without a person requires one');
}

/** The principal of a route that accepts sessions only. */
export function sessionOf(principal: Principal): SessionPrincipal {
  if (principal.kind === 'jwt') return principal;
  throw new Error('A route that accepts other credentials than sessions requires a session');
}

/** A membership as the identity functions return it. */
export interface MembershipRow {
  tenant_id: string;
  tenant_name: string;
  features: string[];
  role: string;
  /** The permissions of a custom role; null for a built-in one. */
  custom_permissions: string[] | null;
}

export type TenantRow = Pick<MembershipRow, 'tenant_id' | 'tenant_name' | 'features'>;

export function tenantFrom(row: TenantRow): Membership['tenant'] {
  // The database holds only names from the contract's catalogues; the writers check that.
  return { id: row.tenant_id, name: row.tenant_name, features: row.features as Feature[] };
}

export function membershipFrom(row: MembershipRow): Membership {
  return {
    tenant: tenantFrom(row),
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

/** A role that is neither built in nor still defined by the tenant has no permissions. */
function permissionsOf(role: string, custom: Permission[] | null): ReadonlySet<Permission> {
  return BUILT_IN.get(role) ?? new Set(custom ?? []);
}
