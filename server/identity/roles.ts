import { BUILT_IN_ROLES, PERMISSIONS, type Permission } from '@cspm/contract';
import type { Statement, TenantConnection } from '../database/tenant-database.ts';

export interface Role {
  readonly name: string;
  readonly permissions: readonly Permission[];
  readonly builtIn: boolean;
}

const BUILT_IN: readonly Role[] = Object.entries(BUILT_IN_ROLES).map(([name, permissions]) => ({
  name,
  permissions,
  builtIn: true,
}));

export function isBuiltIn(name: string): boolean {
  return Object.hasOwn(BUILT_IN_ROLES, name);
}

/** The roles of a tenant: the built-in ones first, then its own by name. */
export async function listRoles(db: TenantConnection): Promise<Role[]> {
  const rows = await db.sql<{ name: string; permissions: string[] }>(CUSTOM_ROLES);
  return [...BUILT_IN, ...rows.map(customRole)];
}

/** @returns null when the tenant has no role of that name. */
export async function findRole(db: TenantConnection, name: string): Promise<Role | null> {
  return (await listRoles(db)).find((role) => role.name === name) ?? null;
}

/** Permissions without repeats, in the order of the catalogue. */
export function inOrder(permissions: readonly Permission[]): Permission[] {
  return PERMISSIONS.filter((permission) => permissions.includes(permission));
}

function customRole(row: { name: string; permissions: string[] }): Role {
  // The database holds names from the catalogue alone: whoever writes them checks that.
  return { name: row.name, permissions: inOrder(row.permissions as Permission[]), builtIn: false };
}

const CUSTOM_ROLES: Statement = {
  name: 'roles-custom',
  text: 'SELECT * FROM identity.custom_roles()',
};
