import type { Permission } from '../../queries.ts';

interface PermissionGroup {
  readonly title: string;
  readonly permissions: readonly Permission[];
}

/** What each permission allows. The type requires every permission of the API. */
export const PERMISSION_TEXT: Record<Permission, string> = {
  'findings.read': 'See findings and compliance',
  'findings.mute': 'Mute findings',
  'scans.read': 'See scans',
  'scans.launch': 'Launch scans',
  'scans.cancel': 'Cancel scans',
  'preflight.run': 'Check an inventory before a scan',
  'projects.read': 'See projects and inventories',
  'projects.write': 'Change projects and inventory sources, upload inventories',
  'rules.read': 'See rules and profiles',
  'rules.write': 'Change custom rules and profiles',
  'keys.own': 'Create their own API keys',
  'admin.users': 'Manage people and roles',
  'admin.settings': 'Change the tenant, single sign-on and webhooks',
  'admin.audit': 'Read the audit log',
};

export const PERMISSION_NAMES = Object.keys(PERMISSION_TEXT) as Permission[];

export const PERMISSION_GROUPS: readonly PermissionGroup[] = [
  { title: 'Findings', permissions: ['findings.read', 'findings.mute'] },
  {
    title: 'Scans',
    permissions: ['scans.read', 'scans.launch', 'scans.cancel', 'preflight.run'],
  },
  { title: 'Projects', permissions: ['projects.read', 'projects.write'] },
  { title: 'Rules', permissions: ['rules.read', 'rules.write'] },
  { title: 'API keys', permissions: ['keys.own'] },
  { title: 'Administration', permissions: ['admin.users', 'admin.settings', 'admin.audit'] },
];
