import type { Principal, SessionPrincipal } from '../identity/principal.ts';
import type { TenantDirectory } from '../identity/tenant-directory.ts';
import { ProblemError } from './problems.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/**
 * The principal in the tenant that the request is for: the one of its credential, unless a session that may administer
 * users and settings there names another tenant of its user in X-Tenant-ID. From everyone else the header is ignored, and
 * from sessions that the tenant's own identity provider vouched for: it would vouch its way into other tenants.
 * @throws {ProblemError} FORBIDDEN for a tenant that the user is no member of, in the words used for one that is not.
 */
export async function resolveTenant(
  principal: Principal,
  header: string | string[] | undefined,
  directory: TenantDirectory,
): Promise<Principal> {
  if (typeof header !== 'string' || principal.kind !== 'jwt') return principal;
  if (!maySwitch(principal)) return principal;
  if (header.toLowerCase() === principal.tenant.id) return principal;
  const membership = UUID.test(header)
    ? await directory.membership(principal.user.id, header)
    : null;
  if (membership === null) {
    throw new ProblemError('FORBIDDEN', 'You are no member of the tenant that X-Tenant-ID names.');
  }
  return { ...principal, ...membership };
}

function maySwitch(principal: SessionPrincipal): boolean {
  return (
    !principal.confined &&
    principal.permissions.has('admin.users') &&
    principal.permissions.has('admin.settings')
  );
}
