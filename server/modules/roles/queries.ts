import { BUILT_IN_ROLES, PERMISSIONS, type Permission } from '@cspm/contract';
import type { Statement, TenantConnection } from '../../platform/database/tenant-database.ts';

export interface Role {
  readonly name: string;
  readonly permissions: readonly Permission[];
  readonly builtIn: boolean;
}

/** Roles of a tenant besides the built-in ones. Keeps the list short, because it is not paged. */
export const ROLES_MAX = 500;

const BUILT_IN: readonly Role[] = Object.entries(BUILT_IN_ROLES).map(([name, permissions]) => ({
  name,
  permissions,
  builtIn: true,
}));

export function isBuiltIn(name: string): boolean {
  return Object.hasOwn(BUILT_IN_ROLES, name);
}

/** Lists a tenant's roles: built-in ones first, then custom ones by name. */
export async function listRoles(db: TenantConnection): Promise<Role[]> {
  const rows = await db.sql<{ name: string; permissions: string[] }>(CUSTOM_ROLES);
  return [...BUILT_IN, ...rows.map(customRole)];
}

/** @returns null when the tenant has no role with this name. */
export async function findRole(db: TenantConnection, name: string): Promise<Role | null> {
  return (await listRoles(db)).find((role) => role.name === name) ?? null;
}

/** Permissions without duplicates, in the order of the catalogue. */
export function inOrder(permissions: readonly Permission[]): Permission[] {
  return PERMISSIONS.filter((permission) => permissions.includes(permission));
}

function customRole(row: { name: string; permissions: string[] }): Role {
  // Only permissions of the catalogue are ever stored, so the cast is safe.
  return { name: row.name, permissions: inOrder(row.permissions as Permission[]), builtIn: false };
}

const CUSTOM_ROLES: Statement = {
  name: 'roles-custom',
  reason: 'function',
  text: 'SELECT * FROM identity.custom_roles()',
};
