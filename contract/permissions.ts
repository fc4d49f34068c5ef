/** What a principal may do. Roles are sets of permissions; a route's policy names the permissions that it requires. */
export const PERMISSIONS = [
  'scans.read',
  'scans.launch',
  'scans.cancel',
  'preflight.run',
  'projects.read',
  'projects.write',
  'findings.read',
  'findings.mute',
  'rules.read',
  'rules.write',
  'keys.own',
  'admin.users',
  'admin.settings',
  'admin.audit',
] as const;

export type Permission = (typeof PERMISSIONS)[number];

/** Roles that every tenant has. Tenants can define more. */
export const BUILT_IN_ROLES = {
  admin: PERMISSIONS,
  analyst: PERMISSIONS.filter((permission) => !permission.startsWith('admin.')),
  viewer: PERMISSIONS.filter(
    (permission) =>
      permission.endsWith('.read') || permission === 'preflight.run' || permission === 'keys.own',
  ),
  legacy: ['scans.read', 'findings.read', 'projects.read', 'preflight.run'],
} as const satisfies Record<string, readonly Permission[]>;

/** What a master key may do: enough to repair permissions and to inspect the tenant. */
export const MASTER_KEY_PERMISSIONS: readonly Permission[] = [
  'admin.users',
  'admin.settings',
  'admin.audit',
  'scans.read',
  'findings.read',
  'projects.read',
];
