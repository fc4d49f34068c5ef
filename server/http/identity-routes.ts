/** Resources whose rows are in the schema `identity`, which tenants on several databases share. */
const ABOUT_IDENTITIES: ReadonlySet<string> = new Set([
  'auth',
  'twoFactor',
  'sessions',
  'apiKeys',
  'users',
  'roles',
  'tenant',
  'saml',
  'domains',
]);

/** @param operation for example `users.update`. */
export function isAboutIdentities(operation: string): boolean {
  return ABOUT_IDENTITIES.has(operation.split('.')[0] ?? '');
}
