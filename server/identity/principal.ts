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
  /** Null: the credential stands for nobody in particular. */
  readonly user: User | null;
  /** The tenant that the credential itself belongs to; `tenant` may be another one, by X-Tenant-ID. */
  readonly homeTenantId: string;
  /** Whether the session has passed a second factor. */
  readonly mfa: boolean;
  readonly expiresAt: Date | null;
}

export interface SessionPrincipal extends Base {
  readonly kind: 'jwt';
  readonly user: User;
  readonly sessionId: string;
  /** When the person signed in: some things want that to be a moment ago. */
  readonly sessionStartedAt: Date;
  /**
   * Opened on the word of the tenant's own identity provider. That word counts in this tenant alone: the session can
   * neither enter another one nor change what the account is there.
   */
  readonly confined: boolean;
}

interface ApiKeyPrincipal extends Base {
  readonly kind: 'api_key';
  readonly user: User;
  readonly keyId: string;
}

/** The one key of old; each use of it is written down. */
export interface GlobalKeyPrincipal extends Base {
  readonly kind: 'global_api_key';
  readonly user: null;
}

/** The emergency door; each use of it is written down, with the reason. */
export interface MasterKeyPrincipal extends Base {
  readonly kind: 'master_key';
  readonly user: null;
  readonly reason: string | null;
}

/**
 * Who a request comes from, in which tenant, and what they may do: all that is known downstream of authentication.
 * Nothing after it looks at a header again.
 */
export type Principal =
  | SessionPrincipal
  | ApiKeyPrincipal
  | GlobalKeyPrincipal
  | MasterKeyPrincipal;

/** The principal of a route whose policy takes sessions alone. */
export function sessionOf(principal: Principal): SessionPrincipal {
  if (principal.kind === 'jwt') return principal;
  throw new Error('A route that takes other credentials than sessions asked for one');
}

/** What the identity functions say of a membership. */
export interface MembershipRow {
  tenant_id: string;
  tenant_name: string;
  features: string[];
  role: string;
  /** Of a role that the tenant defined; null for a built-in one. */
  custom_permissions: string[] | null;
}

export type TenantRow = Pick<MembershipRow, 'tenant_id' | 'tenant_name' | 'features'>;

export function tenantFrom(row: TenantRow): Membership['tenant'] {
  // The database holds names from the contract's catalogues alone: whoever writes them checks that.
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

/** A role that is neither built in nor the tenant's own any more holds nothing. */
function permissionsOf(role: string, custom: Permission[] | null): ReadonlySet<Permission> {
  return BUILT_IN.get(role) ?? new Set(custom ?? []);
}
