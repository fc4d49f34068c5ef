// What other modules may import from this one, in addition to queries.ts.
export { hasOtherAdmin } from './admins.ts';
export { normalDomain } from './domain-name.ts';
export { googlePrincipalPrefix } from './google-principal.ts';
export { demandStanding, lockTenant } from './lock-tenant.ts';
export { tellAdmins } from './notify-admins.ts';
export { resolveTenant } from './resolve-tenant.ts';
export type { TenantDirectory } from './tenant-directory.ts';
export { tenantNameOf } from './tenant-name.ts';
export { settingsFrom } from './tenant-settings.ts';
